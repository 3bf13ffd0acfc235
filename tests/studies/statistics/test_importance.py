"""The importance of settings: an estimate by fANOVA, which finds what decides the loss and says when it cannot."""

import sys

import numpy as np
import pytest

from lab.base import BadInput
from lab.studies.statistics import importance

RATE, WIDTH, NORM = "training.optimizer.learning_rate", "architecture.width", "architecture.norm"


def runs(loss):
    """Forty runs of a rate, a width and a norm drawn independently, and their losses."""
    random = np.random.default_rng(0)
    points = [
        {RATE: float(10 ** random.uniform(-4, -2)), WIDTH: int(random.choice([32, 64])),
         NORM: str(random.choice(["layer", "rms"])), "training.steps": 100}
        for _ in range(40)
    ]  # fmt: skip
    return points, [loss(point) for point in points]


def test_the_setting_that_decides_the_loss_has_the_largest_share():
    shares = importance(*runs(lambda point: abs(np.log10(point[RATE]) + 3) + 0.01 * (point[NORM] == "rms")))
    assert next(iter(shares)) == RATE
    assert shares[RATE] > 0.8
    assert sum(shares.values()) == pytest.approx(1)


def test_a_choice_of_names_counts_like_a_number():
    shares = importance(*runs(lambda point: 3.0 if point[NORM] == "rms" else 2.0))
    assert next(iter(shares)) == NORM
    assert set(shares) == {RATE, WIDTH, NORM}  # the steps do not differ


def test_runs_without_a_loss_are_left_out_and_equal_losses_say_nothing():
    points, _ = runs(lambda _: 1.0)
    shares = importance([*points, {}], [1.0] * len(points) + [float("nan")])
    assert len(set(shares.values())) == 1


def test_too_few_runs_equal_runs_and_a_missing_library_are_told(monkeypatch):
    points, losses = runs(lambda point: point[RATE])
    with pytest.raises(BadInput, match="too few"):
        importance(points[:7], losses[:7])
    with pytest.raises(BadInput, match="no setting differs"):
        importance([{WIDTH: 1}] * 9, losses[:9])
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(BadInput, match=r"lm-lab\[studies\]"):
        importance(points, losses)
