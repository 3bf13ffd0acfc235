"""Points of a drawn schedule: like another schedule, and moved, added and removed."""

import numpy as np
import pytest

from lab.training.schedules import factors
from lab.training.schedules.builtins import CosineConfig, DrawnConfig, OneCycleConfig, RestartsConfig, StepConfig
from lab.training.schedules.drawing import MOST, moved, points_like, with_point, without_point

STEPS = 300


@pytest.mark.parametrize(
    ("make", "config", "off"),
    [
        (factors.cosine, CosineConfig(warmup=30), 0.02),
        (factors.one_cycle, OneCycleConfig(), 0.03),
        (factors.step, StepConfig(every=100, factor=0.5), 0.6),  # a fall takes a step of the samples
    ],
)
def test_a_drawing_is_nearly_the_schedule(make, config, off):
    schedule = make(config, STEPS)
    points = points_like(schedule, STEPS)
    assert 2 <= len(points) <= MOST
    drawn = factors.drawn(DrawnConfig(shares=[x for x, _ in points], factors=[y for _, y in points]), STEPS)
    differences = [abs(drawn(step) - schedule(step)) for step in range(STEPS)]
    assert max(differences) < off
    assert np.median(differences) < 0.02


def test_many_restarts_still_have_few_points():
    points = points_like(factors.cosine_restarts(RestartsConfig(period=5, growth=1), STEPS), STEPS)
    assert len(points) <= MOST
    assert points_like(lambda step: 0.0, 1) == [(0.0, 0.0), (1.0, 0.0)]


POINTS = [(0.0, 0.0), (0.5, 1.0), (1.0, 0.1)]


def test_a_point_moves_between_its_neighbours():
    assert moved(POINTS, 1, 0.7, 0.4)[1] == (0.7, 0.4)
    assert moved(POINTS, 1, 9.0, -1.0)[1] == (0.999, 0.0)
    assert moved(POINTS, 0, 0.3, 0.2)[0] == (0.0, 0.2)
    assert moved(POINTS, 2, 0.3, 0.2)[2] == (1.0, 0.2)


@pytest.mark.parametrize(("share", "index"), [(0.2, 1), (0.8, 2), (-1.0, 1), (2.0, 2), (0.5, 2)])
def test_a_point_is_added_where_it_is_and_rises(share, index):
    points, at = with_point(POINTS, share, 0.5)
    assert at == index
    shares = [x for x, _ in points]
    assert shares == sorted(set(shares))
    assert (shares[0], shares[-1]) == (0, 1)
    factors.drawn(DrawnConfig(shares=shares, factors=[y for _, y in points]), STEPS)


def test_the_ends_are_not_removed():
    assert without_point(POINTS, 1) == [POINTS[0], POINTS[2]]
    assert without_point(POINTS, 0) == without_point(POINTS, 2) == POINTS
