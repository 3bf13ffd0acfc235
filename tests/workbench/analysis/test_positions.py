"""Costs over positions: what grows and how, by measurement and by theory, and what is refused."""

import json
from pathlib import Path

import pytest
import torch

from lab.api import Task, state_bytes
from lab.base import BadInput
from lab.base.jobs import Cancelled
from lab.diagnostics.cost import blueprint
from lab.host import Plugins
from lab.layers.attention.attention import Attention
from lab.recipes import Recipe
from lab.workbench.access.untrained import Untrained
from lab.workbench.analysis.positions import PositionCost, PositionCosts, over_positions, positions_to

GOLD = Path(__file__).parents[2] / "gold" / "lectures" / "decoding.json"
PLUGINS = Plugins(safe_mode=True)


def untrained(architecture, needs="causal", **settings):
    corpus = {"name": "text", "text": "the cat sat on the mat. " * 80}
    small = {"name": architecture, "width": 32, **({} if architecture == "gru" else {"layers": 1}), **settings}
    values = {"corpus": corpus, "training": {"context_length": 16}, "architecture": small, "objective": {"name": needs}}
    return Untrained(Recipe().with_values(values), PLUGINS)


def test_positions_double_up_to_the_last_one():
    assert positions_to(512) == [64, 128, 256, 512]
    assert positions_to(1000) == [125, 250, 500, 1000]
    assert positions_to(10) == [10]


def test_a_transformer_s_cache_grows_and_reading_takes_the_square(lab_home):
    found = over_positions(untrained("transformer"), [32, 64, 128])
    assert (found.reach, found.is_remade) == (16, True)
    assert found.quantities == ["step", "read", "explicit", "state", "read memory", "explicit memory"]
    assert found.line("state") == found.line("state theory")
    assert found.exponent("state") == pytest.approx(1)
    assert [found.order(name) for name in ("state", "step", "read")] == [1, 1, 2]
    assert 0 < found.theory_exponent("step") < 1 < found.theory_exponent("read") < 2
    assert all(value > 0 for point in found.points for value in point.values.values())


@pytest.mark.parametrize("architecture", ["gru", "mamba"])
def test_a_state_of_fixed_size_costs_the_same_at_every_position(architecture, lab_home):
    found = over_positions(untrained(architecture), [16, 32, 64])
    assert (found.reach, found.is_remade) == (None, False)
    assert "explicit" not in found.quantities
    assert found.exponent("state") == pytest.approx(0)
    assert [found.order(name) for name in ("state", "step", "read")] == [0, 0, 1]


def test_explicit_attention_holds_a_number_for_each_pair_of_tokens(lab_home):
    found = over_positions(untrained("transformer"), [64, 512, 1024])
    fused, explicit = found.points[-1].values["read memory"], found.points[-1].values["explicit memory"]
    assert explicit > 4 * 4 * 1024**2  # four heads, four bytes
    assert explicit > 4 * fused
    assert found.exponent("explicit memory") > found.exponent("read memory")


def test_measuring_leaves_the_attention_of_a_model_fused(lab_home, monkeypatch):
    model = untrained("transformer", positions="rotary", window=8)
    assert over_positions(model, [8, 16]).is_remade is False
    with model.borrow() as borrowed:
        assert all(each.fused for each in borrowed.model.modules() if isinstance(each, Attention))


def test_counting_models_have_no_operations_to_count(lab_home):
    found = over_positions(counting(), [8, 16, 32])
    assert found.points[-1].theory == {}
    assert found.order("read") is None
    assert found.exponent("state") == pytest.approx(0)


def counting():
    corpus = {"name": "text", "text": "the cat sat on the mat. " * 80}
    return Untrained(Recipe().with_values({"corpus": corpus, "architecture": {"name": "n-gram"}}), PLUGINS)


def test_exponents_are_those_of_the_last_positions():
    points = [PositionCost(2**n, {"step": 1.0 if n < 5 else 2.0 ** (1.5 * n)}) for n in range(10)]
    assert PositionCosts(0, None, False, points).exponent("step") == pytest.approx(1.5)
    assert PositionCosts(0, None, False, points[:1]).exponent("step") is None
    assert PositionCosts(0, None, False, points).theory_exponent("step") is None


@pytest.mark.parametrize(("numbers", "order"), [((7, 7, 7), 0), ((5, 9, 17), 1), ((3, 7, 21), 2)])
def test_the_order_is_that_of_the_polynomial_through_the_counted_numbers(numbers, order):
    points = [
        PositionCost(position, {"read": 1.0}, {"read operations": float(number)})
        for position, number in zip((1, 2, 4), numbers, strict=True)
    ]
    assert PositionCosts(0, None, False, points).order("read") == order


@pytest.mark.parametrize("positions", [[0], [-3], [1 << 18]])
def test_a_position_that_is_not_allowed_is_named(positions, lab_home):
    with pytest.raises(BadInput, match="out of range") as refused:
        over_positions(untrained("transformer"), positions)
    assert refused.value.problem.field == "positions"


def test_a_model_that_continues_no_text_is_refused(lab_home):
    with pytest.raises(BadInput, match="continues no text"):
        over_positions(untrained("transformer", needs="masked"), [8])


def test_measuring_ends_when_it_is_cancelled(lab_home):
    with pytest.raises(Cancelled):
        over_positions(untrained("transformer"), [8], cancelled=lambda: True)


def cache_per_token(layers, **settings):
    """The bytes of a transformer's cache of one token, in numbers of two bytes; its layers are alike."""
    card = PLUGINS.card("architectures", "transformer")
    with torch.no_grad():
        model = blueprint(card, card.config(layers=1, positions="rotary", **settings), Task(64, 8))
        _, state = model.extend(torch.zeros(1, 1, dtype=torch.long, device="meta"), model.start(1))
    return layers * state_bytes(state) // 2


def test_the_cache_of_gpt_3_and_of_palm_has_the_bytes_of_a_lecture():
    """Worked example kv-cache-bytes: one head of keys and values in place of 48."""
    example = next(one for one in json.loads(GOLD.read_text())["examples"] if one["id"] == "kv-cache-bytes")
    steps, result = {one["name"]: one["value"] for one in example["steps"]}, example["result"]
    layers, width = example["inputs"]["gpt3"]
    gpt3 = cache_per_token(layers=layers, width=width, heads=96)
    assert gpt3 == steps["gpt3_bytes_per_token"]
    assert gpt3 * 100_000 / 1e9 == pytest.approx(result["gpt3_100000_tokens_GB"], rel=1e-9)
    layers, heads, each = example["inputs"]["palm"]
    palm = {"layers": layers, "width": 18432, "heads": heads, "head_width": each}
    assert cache_per_token(**palm) == steps["palm_bytes_per_token_multi_head"]
    assert cache_per_token(**palm, kv_heads=1) == result["palm_bytes_per_token_multi_query"]
