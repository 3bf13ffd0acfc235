"""The benchmark of mixtures of experts compares models of equal active parameters, and dispatches that agree."""

import pytest

from lab.bench import moe


def test_it_compares_steps_of_models_of_equal_active_parameters_and_dispatches(monkeypatch):
    for name, value in {"BATCH": 2, "CONTEXT": 8, "WIDTH": 16, "LAYERS": 1, "EXPERTS": 4, "HIDDEN": 12}.items():
        monkeypatch.setattr(moe, name, value)
    result = moe.moe(2)
    sparse, dense = result["step"]["active_parameters"]
    assert abs(sparse - dense) <= 3 * 16
    assert result["step"]["parameters"] == [sparse + 2 * 3 * 12 * 16, dense]
    speed = result["step"]["tokens_per_second"]
    assert speed["ratio"] == pytest.approx(speed["ours"] / speed["theirs"], rel=2)
    assert result["dispatch"].keys() == {"over_dense", "over_mask_loop", "over_split_loop"}
    assert all(found["ratio"] > 0 for found in result["dispatch"].values())
