"""The benchmark of strategies: each one has its row, and speculative decoding says how much its draft helped."""

import pytest

from lab.bench.models import generation
from lab.host import Plugins


@pytest.fixture
def result(monkeypatch):
    """One measurement of few tokens on small models."""
    monkeypatch.setattr(generation, "LARGE", {"layers": 1, "width": 64, "heads": 2})
    monkeypatch.setattr(generation, "SMALL", {"layers": 1, "width": 64, "heads": 1})
    monkeypatch.setattr(generation, "WRITTEN", 9)
    return generation.strategies(1)


def test_every_strategy_is_compared_with_plain_sampling(result):
    rows = result["strategies"]
    assert {row["strategy"] for row in rows} == Plugins(safe_mode=True).cards("strategies").keys() - {"sampling"}
    assert all(row["ratio"] > 0 for row in rows)
    speculative = [row for row in rows if row["strategy"] == "speculative"]
    assert [row["tokens"] for row in speculative] == [2, 4, 8]
    for row in speculative:
        assert 0 <= row["acceptance rate"] <= 1
        assert 1 <= row["tokens per pass"] <= 9


def test_the_draft_has_a_tenth_of_the_parameters():
    large, small = (generation._size(generation._model(size, 0)) for size in (generation.LARGE, generation.SMALL))
    assert 0.08 < small / large < 0.12
