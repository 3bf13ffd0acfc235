"""Adapters: nothing changes at first, the parameters are those of the formula, and merging is exact."""

import copy

import pytest
import torch

from lab.base import BadInput
from lab.training.adapters.attaching import attach, attached_to, merge, on_base, stored_tables
from lab.training.adapters.builtins import lab_register_adapters
from lab.training.resolution import Resolved

TOKENS = torch.arange(12)[None] % 11


@pytest.fixture
def adapted(experiment):
    """Return a tiny model with an adapter attached, and a copy of it without one."""
    cards = {}
    lab_register_adapters(lambda card: cards.__setitem__(card.name, card))

    def adapted(build, name="lora", **settings):
        objective = {"bidirectional": "masked", "encoder-decoder": "sequence-to-sequence"}.get(build, "causal")
        model = experiment(build, objective=objective).build()
        plain = copy.deepcopy(model)
        card = Resolved(cards[name], cards[name].config.read(settings), "lab", "adapter")
        attach(model, card.make(), card)
        return model.eval(), plain.eval()

    return adapted


def trained(model):
    return {name: p for name, p in model.named_parameters() if p.requires_grad}


def shifted(model):
    """Move every trained parameter away from its initial value."""
    with torch.no_grad():
        for number, parameter in enumerate(trained(model).values()):
            parameter.add_(torch.randn(parameter.shape, generator=torch.Generator().manual_seed(number)) * 0.1)


@pytest.mark.parametrize("build", ["transformer", "recurrent", "fused"])
def test_a_new_adapter_changes_nothing_and_a_trained_one_does(adapted, build):
    model, plain = adapted(build, rank=3)
    assert torch.equal(model(TOKENS), plain(TOKENS))
    shifted(model)
    assert not torch.allclose(model(TOKENS), plain(TOKENS))


@pytest.mark.parametrize("build", ["transformer", "recurrent", "fused"])
def test_the_parameters_are_those_of_the_formula(adapted, build):
    rank = 3
    model, plain = adapted(build, rank=rank)
    own = dict(plain.named_parameters())
    matrices = {name.partition(".parametrizations")[0] for name in trained(model)}
    got = [p for name, p in own.items() if any(name.startswith(path) for path in matrices) and p.ndim == 2]
    assert sum(p.numel() for p in trained(model).values()) == rank * sum(sum(matrix.shape) for matrix in got)


@pytest.mark.parametrize("build", ["transformer", "recurrent", "fused"])
def test_a_merged_model_computes_what_the_adapted_one_did_under_the_names_without_it(adapted, build):
    model, plain = adapted(build, rank=3)
    shifted(model)
    before = model(TOKENS)
    merge(model)
    assert torch.equal(model(TOKENS), before)
    assert model.tables().keys() == plain.tables().keys()
    plain.load_tables(model.tables())
    assert (plain(TOKENS) - before).abs().max() < 1e-6
    assert attached_to(model) is None
    assert all(p.requires_grad for p in model.parameters())


def test_the_weights_of_the_base_stay_bit_for_bit_so_that_taking_the_adapter_off_is_exact(adapted):
    model, plain = adapted("transformer", rank=3)
    torch.nn.functional.cross_entropy(model.train()(TOKENS)[0], TOKENS[0]).backward()
    torch.optim.SGD(trained(model).values(), lr=1.0).step()
    own, fixed = stored_tables(model)
    names = attached_to(model).names
    assert own.keys() | fixed.keys() == model.tables().keys()
    assert set(names) == set(fixed)
    assert all(torch.equal(table, plain.tables()[names[name]]) for name, table in fixed.items())
    loaded = on_base(model, plain.tables())
    assert all(torch.equal(loaded[name], plain.tables()[names[name]]) for name in fixed)


def test_parts_that_are_trained_in_full_are_not_of_the_base(adapted):
    model, _ = adapted("transformer", rank=1, matrices="blocks.0.token.*", trained="embedding.weight")
    own, fixed = stored_tables(model)
    assert "embedding.weight" in own
    assert "position.weight" in fixed
    assert {name.partition(".parametrizations")[0] for name in own} == {
        "embedding.weight", "blocks.0.token.project", "blocks.0.token.output"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"rank": 17}, "adapter.rank"),
        ({"matrices": "nothing*"}, "adapter.matrices"),
        ({"trained": "x"}, "adapter.trained"),
    ],
)
def test_what_does_not_fit_the_model_is_refused_at_its_field(adapted, settings, field):
    with pytest.raises(BadInput) as refused:
        adapted("transformer", **settings)
    assert refused.value.problem.field == field
    assert refused.value.problem.allowed


def test_a_model_that_counts_has_nothing_to_adapt(adapted):
    with pytest.raises(BadInput, match="counts") as refused:
        adapted("n-gram")
    assert refused.value.problem.field == "adapter.name"


@pytest.mark.parametrize("build", ["transformer", "recurrent", "memory"])
def test_a_prefix_is_trained_and_nothing_else(adapted, build):
    model, _ = adapted(build, "prefix", length=3)
    text = TOKENS[:, :9]
    assert all(name.startswith("prefix.") for name in trained(model))
    loss = torch.nn.functional.cross_entropy(model.train()(text)[0], text[0])
    loss.backward()
    assert all(p.grad is not None and p.grad.abs().sum() > 0 for p in trained(model).values())
    state = model.eval().start(2)
    assert torch.allclose(model.extend(text.repeat(2, 1), state)[0][1], model(text)[0], atol=1e-6)


def test_a_prefix_is_what_the_model_remembers_of_tokens(adapted):
    model, plain = adapted("memory", "prefix", length=3)
    attached = attached_to(model).adapter
    torch.manual_seed(5)
    attached.initialise(model)
    torch.manual_seed(5)
    read = torch.randint(11, (1, 3))
    expected = plain(torch.cat([read, TOKENS], dim=1))[:, 3:]
    assert torch.allclose(model(TOKENS), expected, atol=1e-5)


@pytest.mark.parametrize(
    ("build", "what"), [("fused", "neither keys and values nor a state"), ("bidirectional", "left to right")]
)
def test_a_model_that_remembers_nothing_gets_no_prefix(adapted, build, what):
    with pytest.raises(BadInput, match=what) as refused:
        adapted(build, "prefix")
    assert refused.value.problem.field == "adapter.name"


def test_a_prefix_cannot_be_folded_into_weights(adapted):
    model, _ = adapted("transformer", "prefix", length=3)
    with pytest.raises(BadInput, match="folded"):
        merge(model)
