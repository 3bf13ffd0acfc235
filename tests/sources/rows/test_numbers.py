"""Rows with a number to predict: their rules, and what remains of the noise."""

import numpy as np
import pytest

from lab.api import BadInput
from lab.sources.rows.numbers import CurveConfig, LinearRuleConfig, curve, linear_rule


def test_of_a_wave_the_square_of_the_noise_remains():
    data = curve(CurveConfig(rows=20_000, waves=1.5, noise=0.3))
    assert data.classes == ()
    assert data.targets.shape == (20_000, 1)
    rest = data.targets - np.sin(1.5 * np.pi * data.inputs)
    assert data.floors == {"noise": pytest.approx(0.09)}
    assert np.mean(rest**2) == pytest.approx(0.09, rel=0.03)
    assert np.abs(data.inputs).max() <= 1


def test_a_step_jumps_once_in_the_middle_and_a_sawtooth_has_a_tooth_for_each_wave():
    step = curve(CurveConfig(rows=2000, shape="step", waves=1, noise=0))
    assert np.array_equal(step.targets, np.where(step.inputs >= 0, 1, -1))
    teeth = curve(CurveConfig(rows=2000, shape="sawtooth", waves=4, noise=0))
    phase = np.arcsin(np.sin(4 * np.pi * teeth.inputs.astype(float))) * 2 / np.pi
    assert np.abs(teeth.targets - phase).max() < 1e-4
    assert (teeth.name, step.name) == ("sawtooth", "step")


def test_a_linear_rule_has_variance_1_and_leaves_the_square_of_the_noise_to_least_squares():
    data = linear_rule(LinearRuleConfig(rows=20_000, features=30, noise=0.5))
    assert data.inputs.std(axis=0) == pytest.approx(np.ones(30), abs=0.03)
    assert data.targets.var() == pytest.approx(1.25, rel=0.05)
    weights, squares, *_ = np.linalg.lstsq(data.inputs.astype(float), data.targets.astype(float), rcond=None)
    assert squares[0] / 20_000 == pytest.approx(0.25, rel=0.05)
    assert weights[:, 0] == pytest.approx(np.full(30, 30**-0.5), abs=0.02)
    assert data.floors == {"noise": 0.25}


def test_small_features_carry_their_share_of_the_rule():
    data = linear_rule(LinearRuleConfig(rows=20_000, features=10, small=4, size=0.1, share=0.75, noise=0))
    weights = np.linalg.lstsq(data.inputs.astype(float), data.targets.astype(float), rcond=None)[0][:, 0]
    spread = data.inputs.std(axis=0)
    assert spread[-4:] == pytest.approx(np.full(4, 0.1), rel=0.05)
    assert ((weights * spread)[-4:] ** 2).sum() == pytest.approx(0.75, rel=0.05)
    assert ((weights * spread)[:-4] ** 2).sum() == pytest.approx(0.25, rel=0.05)


def test_the_rule_is_the_same_for_every_seed_and_more_rows_start_with_the_same_ones():
    one, other = (linear_rule(LinearRuleConfig(rows=200, features=5, seed=seed, noise=0)) for seed in (1, 2))
    assert not np.array_equal(one.inputs, other.inputs)
    solved = [np.linalg.lstsq(each.inputs, each.targets, rcond=None)[0] for each in (one, other)]
    assert solved[0] == pytest.approx(solved[1], abs=1e-3)
    assert np.array_equal(linear_rule(LinearRuleConfig(rows=50, features=5, seed=1, noise=0)).inputs, one.inputs[:50])


def test_too_many_numbers_are_refused_with_how_many_rows_there_may_be():
    with pytest.raises(BadInput, match="too many numbers") as refused:
        linear_rule(LinearRuleConfig(rows=200_000, features=10_000))
    assert refused.value.problem.allowed == "at most 10,000 rows of so many features"
