"""Bias and variance of an estimator for which both are known."""

import numpy as np
import pytest

from lab.studies.statistics import decompose


def estimates(sets, rows, shrink, rng):
    """Predict the mean 2 of a normal number of variance 1 by a share of the mean of some rows."""
    return shrink * (2 + rng.standard_normal((sets, rows)).mean(axis=1))[:, None, None]


def test_a_shrunken_mean_has_the_bias_and_the_variance_of_its_formula():
    found = decompose("half", estimates(20_000, 4, 0.5, np.random.default_rng(0)), np.full((1, 1), 2.0), 1.0)
    assert found.bias == pytest.approx((2 - 0.5 * 2) ** 2, rel=0.02)
    assert found.variance == pytest.approx(0.25 / 4, rel=0.03)
    assert found.error == pytest.approx(found.bias + found.variance + 1.0)
    assert found.data_sets == 20_000


def test_few_data_sets_add_no_bias_to_an_unbiased_estimator():
    rng = np.random.default_rng(1)
    many = [decompose("mean", estimates(5, 4, 1.0, rng), np.full((1, 1), 2.0), None).bias for _ in range(4000)]
    assert np.mean(many) == pytest.approx(0.0, abs=0.01)  # 0.05 if the variance of the mean were left in


def test_without_a_known_noise_it_is_part_of_the_bias():
    rng = np.random.default_rng(2)
    noisy = 2 + rng.standard_normal((5000, 1))
    found = decompose("mean", np.full((3, 5000, 1), 2.0), noisy, None)
    assert found.noise is None
    assert found.variance == 0
    assert found.error == found.bias == pytest.approx(1.0, rel=0.05)
