"""The benchmark of linear attention gives plain figures, and finds where two lines of cost cross."""

import math

import pytest

from lab.bench.models import linear as benchmark
from lab.bench.models.linear import linear, overtaking


def test_every_form_is_compared_with_softmax_and_its_growth_is_fitted(monkeypatch):
    monkeypatch.setattr(benchmark, "LEAST_SECONDS", 0)
    found = linear(1, short=(16,), long=(32, 64))
    forms = ("no decay", "decay by head", "decay by channel", "delta", "delta with decay")
    for name in (*forms, "softmax"):
        milliseconds = found[name]["milliseconds"]
        assert list(milliseconds) == ["16", "32", "64"]
        assert min(milliseconds.values()) > 0
        assert found[name]["exponent"] == pytest.approx(math.log2(milliseconds["64"] / milliseconds["32"]))
    assert found["largest_exponent"] == max(found[name]["exponent"] for name in forms)
    assert found["threads"] == 1


def test_the_faster_one_overtakes_between_the_measured_contexts_or_never():
    contexts = (100, 200, 400)
    assert overtaking(contexts, [2.0, 2.0, 2.0], [1.0, 1.5, 6.0]) == pytest.approx(
        200 * 2 ** (math.log(4 / 3) / math.log(4))
    )
    assert overtaking(contexts, [2.0, 1.0, 2.0], [1.0, 2.0, 3.0]) == pytest.approx(100 * 2**0.5)
    assert overtaking(contexts, [1.0, 1.0, 1.0], [2.0, 2.0, 2.0]) == 100
    assert overtaking(contexts, [1.0, 1.0, 3.0], [2.0, 2.0, 2.0]) is None
