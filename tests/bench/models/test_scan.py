"""The benchmark of the selective scan compares pair by pair, and says what it could not measure."""

import importlib.util

import pytest

from lab.bench.models import scan


def test_it_compares_scans_and_steps_and_reports_the_parts_of_a_step(monkeypatch):
    for name, value in {"BATCH": 2, "CONTEXT": 8, "WIDTH": 16, "STATE": 4, "LAYERS": 1}.items():
        monkeypatch.setattr(scan, name, value)
    result = scan.scan(2)
    over_loop = result["scan"]["over_loop"]
    assert result["scan"]["shape"] == [2, 8, 32, 4]
    assert over_loop["ratio"] == pytest.approx(over_loop["ours"] / over_loop["theirs"])
    assert list(result["step"]["milliseconds"]) == ["forward", "backward", "optimizer", "scans, of these"]
    assert min(result["step"]["milliseconds"].values()) > 0
    if importlib.util.find_spec("mambapy") is None:
        assert result["scan"]["over_mambapy"] == result["step"]["over_mambapy"] == scan.NOT_INSTALLED
    else:
        assert result["step"]["over_mambapy"]["ratio"] > 0
