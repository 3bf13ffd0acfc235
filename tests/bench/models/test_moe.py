"""The benchmark of mixtures of experts compares models of equal active parameters, and dispatches that agree."""

import statistics

import pytest

from lab.bench.models import moe

PAIRS = 3


@pytest.fixture
def tiny(monkeypatch):
    """Small shapes, and what every comparison measured: the rates of both sides, one after the other."""
    for name, value in {"BATCH": 2, "CONTEXT": 8, "WIDTH": 16, "LAYERS": 1, "EXPERTS": 4, "HIDDEN": 12}.items():
        monkeypatch.setattr(moe, name, value)
    compare, measured = moe.compare, []

    def reported(ours, theirs, pairs):
        rates = [], []

        def noted(side, once):
            return lambda: (side.append(once()), side[-1])[1]

        measured.append(rates)
        return compare(noted(rates[0], ours), noted(rates[1], theirs), pairs)

    monkeypatch.setattr(moe, "compare", reported)
    return measured


def test_it_compares_steps_of_models_of_equal_active_parameters_and_dispatches(tiny):
    result = moe.moe(PAIRS)
    assert result.keys() == {"threads", "model", "tokens", "step", "dispatch"}
    assert result["model"] == {"layers": 1, "width": 16, "experts": 4, "chosen": 2, "hidden": 12}
    assert result["tokens"] == [2, 8]
    assert result["step"].keys() == {"parameters", "active_parameters", "tokens_per_second"}
    sparse, dense = result["step"]["active_parameters"]
    assert abs(sparse - dense) <= 3 * 16 / 2  # half a unit of a gated layer
    assert result["step"]["parameters"] == [sparse + 2 * 3 * 12 * 16, dense]
    assert list(result["dispatch"]) == ["over_dense", "over_mask_loop", "over_split_loop"]
    compared = [result["step"]["tokens_per_second"], *result["dispatch"].values()]
    for found, (ours, theirs) in zip(compared, tiny, strict=True):
        ratios = [own / other for own, other in zip(ours, theirs, strict=True)]
        assert len(ratios) == PAIRS
        assert found == {
            "ratio": statistics.median(ratios), "spread": [min(ratios), max(ratios)], "pairs": PAIRS,
            "ours": statistics.median(ours), "theirs": statistics.median(theirs),
        }  # fmt: skip
        assert min(ratios) > 0
