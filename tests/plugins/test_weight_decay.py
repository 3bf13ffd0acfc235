"""Weight decay of the recurrent families: matrices of products decay; rates and mixes of tokens do not."""

import pytest
import torch
from torch import nn

from lab.api import Task
from lab.host import Plugins
from lab.layers import ShortConvolution
from lab.training.optimizers.groups import parameter_groups

WITH_MATRICES = (nn.Linear, nn.Embedding, nn.RNNBase, ShortConvolution)
"""Modules whose matrices decay, unless they are spared by name."""
BARE = {("S4", "C")}
"""Parameters of no such module that decay: the matrix that reads the state, as in the authors' code."""
SMALL = {"layers": 2, "width": 16, "heads": 2, "hidden": 8, "head_width": 8}
VARIANTS = [
    *(("linear-attention", {"feature_map": name}) for name in ("elu", "performer", "taylor")),
    *((name, {}) for name in ("retnet", "gla", "deltanet", "gated-deltanet", "rwkv6", "mamba", "mamba2", "hybrid")),
    *(("s4", {"kernel": kernel}) for kernel in ("s4", "s4d")),
    *((name, {}) for name in ("rnn", "gru", "lstm")),
    ("lstm", {"peephole": True, "layer_norm": True}),
]


@pytest.fixture
def model(lab_home):
    """Build a small model of an architecture."""

    def model(name, **settings):
        card = Plugins(safe_mode=True).card("architectures", name)
        torch.manual_seed(0)
        small = {key: value for key, value in SMALL.items() if key in card.config.model_fields}
        return card.make(card.config(**small, **settings), Task(11, 8))

    return model


def decayed(model):
    """The names of the parameters that decay."""
    identities = {id(parameter) for parameter in parameter_groups(model)[0]["params"]}
    return {name for name, parameter in model.named_parameters() if id(parameter) in identities}


@pytest.mark.parametrize(("name", "settings"), VARIANTS)
def test_what_decays_is_the_matrix_of_a_product(model, name, settings):
    made = model(name, **settings)
    for parameter in decayed(made):
        path, _, own = parameter.rpartition(".")
        owner = made.get_submodule(path)
        assert isinstance(owner, WITH_MATRICES) or (type(owner).__name__, own) in BARE, parameter


def test_the_mixes_decays_and_corrections_of_rwkv_do_not_decay(model):
    """As in the authors' groups: its five projections decay; time_maa, time_decay, time_faaaa, _w1 and _w2 do not."""
    made = model("rwkv6")
    layer = next(path for path, module in made.named_modules() if type(module).__name__ == "TimeMixing")
    own = {name.removeprefix(f"{layer}.") for name in decayed(made) if name.startswith(f"{layer}.")}
    assert own == {f"{name}.weight" for name in ("receptance", "key", "value", "gate", "output")}
