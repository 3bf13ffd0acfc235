"""The positions of points along an axis of steps, tokens, seconds or FLOPs, and the costs of a token."""

import math

import numpy as np
import pytest

from lab.runs.metrics.clocks import flops_per_token, interpolate


def test_positions_are_linear_between_known_values_and_from_zero_to_the_first():
    assert interpolate(np.array([0, 2, 4, 6, 9]), np.array([4, 8]), np.array([40.0, 60.0])).tolist() == [
        0,
        20,
        40,
        50,
        60,
    ]


def test_at_known_steps_the_values_themselves_are_returned():
    steps, reported = np.arange(1, 6), np.arange(5.0)
    assert np.shares_memory(interpolate(steps[:3], steps, reported), reported)


def test_without_known_values_all_positions_are_zero():
    assert interpolate(np.array([1, 2]), np.array([]), np.array([])).tolist() == [0, 0]


def test_the_flops_per_token_come_from_the_cost_of_a_run():
    assert flops_per_token({"cost": {"flops_per_token": 6096}}) == 6096.0


@pytest.mark.parametrize("stored", [None, "much", -1.0, 0, math.nan, math.inf])
def test_a_cost_that_is_none_is_not_known(stored):
    assert flops_per_token({"cost": {"flops_per_token": stored}}) is None
    assert flops_per_token({"cost": stored}) is None
    assert flops_per_token({}) is None
