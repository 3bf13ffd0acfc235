"""Spread over seeds, and quantiles of Student's t."""

import math

import numpy as np
import pytest

from lab.studies.statistics import spread_of, t_quantile

TABLE = {1: 12.706, 2: 4.303, 3: 3.182, 5: 2.571, 10: 2.228, 30: 2.042, 120: 1.980, 1000: 1.962, 10**7: 1.960}
"""Two-sided 95 % quantiles as every textbook prints them."""


@pytest.mark.parametrize(("degrees", "printed"), TABLE.items())
def test_quantiles_are_those_of_the_printed_table(degrees, printed):
    assert t_quantile(0.975, degrees) == pytest.approx(printed, abs=6e-4)


def test_the_quantile_of_one_degree_is_the_tangent_of_cauchys_distribution():
    assert t_quantile(0.9, 1) == pytest.approx(math.tan(math.pi * 0.4), rel=1e-9)


def test_the_three_measures_of_a_band_are_those_of_the_textbook():
    spread = spread_of([1.0, 2.0, 3.0, 6.0])
    assert spread.mean == 3
    assert spread.half_width("sd") == pytest.approx(math.sqrt(14 / 3))
    assert spread.half_width("se") == pytest.approx(math.sqrt(14 / 3) / 2)
    assert spread.half_width("95 %") == pytest.approx(3.18245 * math.sqrt(14 / 3) / 2, rel=1e-5)


def test_one_run_has_no_band():
    assert math.isnan(spread_of([2.0]).half_width("95 %"))


def test_the_interval_covers_the_mean_in_95_of_100_draws():
    random = np.random.default_rng(0)
    draws = random.normal(size=(1500, 3))
    covered = [abs((spread := spread_of(draw)).mean) <= spread.half_width("95 %") for draw in draws]
    assert 0.93 <= np.mean(covered) <= 0.97
