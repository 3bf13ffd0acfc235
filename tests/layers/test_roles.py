"""Roles of parameters: derived from modules, unless a module names them."""

import pytest
import torch
from torch import nn

from lab.api import Task
from lab.host import Plugins
from lab.layers import (
    Attention,
    LanguageModel,
    RelativeBias,
    ResidualStack,
    ShortConvolution,
    fan_ins,
    parameter_roles,
    spared_by_name,
)


class Model(LanguageModel):
    """A table, a convolution, a fused recurrence, a norm and a head."""

    def __init__(self, task=None):
        super().__init__(None, task or Task(11, 8))
        self.embedding = nn.Embedding(11, 4)
        self.project = nn.Linear(4, 6)
        self.convolution = nn.Conv1d(6, 6, 3)
        self.each = nn.Conv1d(6, 6, 3, groups=6)
        self.rnn = nn.GRU(6, 6)
        self.norm = nn.LayerNorm(6)
        self.table = nn.Parameter(torch.zeros(2, 6))
        self.shift = nn.Parameter(torch.zeros(6))
        self.output = nn.Linear(6, 11)

    def forward(self, tokens):
        return self.output(self.norm(self.rnn(self.project(self.embedding(tokens)))[0]))


def test_roles_are_derived_from_modules():
    assert parameter_roles(Model()) == {
        "table": "matrix",
        "shift": "vector",
        "embedding.weight": "embedding",
        "project.weight": "matrix",
        "project.bias": "vector",
        "convolution.weight": "matrix",
        "convolution.bias": "vector",
        "each.weight": "vector",
        "each.bias": "vector",
        "rnn.weight_ih_l0": "matrix",
        "rnn.weight_hh_l0": "matrix",
        "rnn.bias_ih_l0": "vector",
        "rnn.bias_hh_l0": "vector",
        "norm.weight": "norm",
        "norm.bias": "norm",
        "output.weight": "head",
        "output.bias": "vector",
    }


def test_a_tied_head_is_an_embedding_whichever_comes_first():
    model = Model()
    model.output = nn.Linear(4, 11, bias=False)
    model.output.weight = model.embedding.weight
    assert parameter_roles(model)["embedding.weight"] == "embedding"
    model = Model()
    model.later = nn.Embedding(11, 6)
    model.later.weight = model.output.weight
    assert parameter_roles(model)["output.weight"] == "embedding"


@pytest.mark.parametrize("predicted", ["classes", "outputs"])
def test_the_head_is_the_projection_onto_the_classes_or_numbers_that_are_predicted(predicted):
    model = Model(Task(20, 8, **{predicted: 11}))
    assert parameter_roles(model)["output.weight"] == "head"
    assert parameter_roles(Model(Task(20, 8)))["output.weight"] == "matrix"


def test_a_module_names_roles_of_its_own_and_the_outermost_one_decides():
    model = Model()
    model.project.roles = {"weight": "vector", "bias": "norm"}
    model.roles = {"project.weight": "recurrence", "table": "embedding"}
    roles = parameter_roles(model)
    assert (roles["project.weight"], roles["project.bias"], roles["table"]) == ("recurrence", "norm", "embedding")


def test_what_no_decay_names_is_a_vector():
    model = Model()
    model.no_decay = ("table",)
    assert parameter_roles(model)["table"] == "vector"


def test_a_parameter_that_only_some_settings_make_may_be_named():
    module = ShortConvolution(4, bias=False)
    module.roles = {"weight": "vector", "bias": "norm"}
    assert parameter_roles(module) == {"weight": "vector"}


@pytest.mark.parametrize(("roles", "problem"), [({"nothing": "norm"}, "nothing"), ({"table": "gain"}, "'gain'")])
def test_what_does_not_exist_is_refused(roles, problem):
    model = Model()
    model.roles = roles
    with pytest.raises(ValueError, match=problem):
        parameter_roles(model)


def test_widths_are_the_inputs_of_an_output():
    model = Model()
    widths = fan_ins(model)
    found = {name: widths[id(p)] for name, p in model.named_parameters()}
    assert (found["project.weight"], found["convolution.weight"], found["each.weight"]) == (4, 18, 3)
    assert (found["embedding.weight"], found["shift"]) == (4, 6)


def test_the_state_space_of_s4_is_a_recurrence_and_its_readout_is_not(lab_home):
    card = Plugins(safe_mode=True).card("architectures", "s4")
    roles = parameter_roles(card.make(card.config(layers=1, width=8, kernel="s4"), Task(11, 8)))
    own = {name.rpartition(".")[2]: role for name, role in roles.items() if ".token." in name}
    named = {name for name, role in own.items() if role == "recurrence"}
    assert named == {"log_step", "log_decay", "frequency", "P", "B"}
    assert own["C"] == own["D"] == "vector"


def test_a_stack_has_one_head_and_its_blocks_have_matrices():
    class Config:
        layers, width, dropout = 2, 8, 0.0

    stack = ResidualStack(Config, Task(8, 4), token_mixer=lambda slot: Attention(slot, heads=2), tie=False)
    roles = parameter_roles(stack)
    assert [name for name, role in roles.items() if role == "head"] == ["output.weight"]  # width is the vocabulary
    assert roles["blocks.1.token.project.weight"] == "matrix"


def transformer(task, **settings):
    card = Plugins(safe_mode=True).card("architectures", "transformer")
    return card.make(card.config(layers=2, width=8, heads=2, **settings), task)


@pytest.mark.parametrize(
    ("shape", "embeddings", "spared"),
    [
        ((3,), {"inputs.weight", "inputs.bias"}, {"inputs.bias"}),
        ((16, 16, 1), {"inputs.position", "inputs.project.weight", "inputs.project.bias"}, set()),
    ],
    ids=["vectors", "images"],
)
def test_what_embeds_vectors_or_images_is_an_embedding(lab_home, shape, embeddings, spared):
    model = transformer(Task(0, 64, causal=False, classes=2, input_shape=shape))
    roles = parameter_roles(model)
    assert {name for name, role in roles.items() if role == "embedding"} == embeddings
    names = {id(p): name for name, p in model.named_parameters()}
    assert {names[each] for each in spared_by_name(model)} == spared


def test_the_biases_of_t5_are_vectors_that_do_not_decay(lab_home):
    model = transformer(Task(11, 8), positions="t5")
    (name,) = (name for name, module in model.named_modules() if isinstance(module, RelativeBias))
    assert parameter_roles(model)[f"{name}.weight"] == "vector"
    assert id(model.get_parameter(f"{name}.weight")) in spared_by_name(model)
