"""Trials on a copy: what a range test suggests, batch sizes, the noise scale of known noise, and exponents of width."""

import math

import numpy as np
import pytest
import torch

from lab.base import BadInput, LabError
from lab.training.finders.batches import find_batch
from lab.training.finders.noise import find_noise, scale_of
from lab.training.finders.rates import BELOW, Reason, find_rate, judged
from lab.training.finders.widths import check_coordinates, slope, sweep

RATES = [1e-5 * 10 ** (step / 24) for step in range(120)]


def valley(at, rises=True):
    """Return losses that fall towards a rate, and rise behind it."""
    distance = [math.log10(rate / at) for rate in RATES]
    return [2.0 + min(1.0, 0.3 * d * d) if d < 0 or rises else 2.0 - 0.1 * d for d in distance]


@pytest.mark.parametrize("at", [1e-3, 1e-2, 3e-2])
def test_the_suggestion_is_below_the_rate_of_the_lowest_loss(at):
    found = judged(RATES, valley(at))
    assert found.reason is Reason.LOWEST
    assert found.lowest == pytest.approx(at, rel=0.15)
    assert found.suggestion == pytest.approx(found.lowest / BELOW)


def test_a_loss_that_still_falls_at_the_last_rate_suggests_that_one():
    found = judged(RATES, valley(1e-3, rises=False))
    assert found.reason is Reason.STILL_FALLS
    assert found.suggestion == found.lowest == RATES[-1]


def test_a_loss_that_never_falls_suggests_nothing():
    noise = np.random.default_rng(0).normal(size=120) * 0.1
    found = judged(RATES, [2.0 + 0.01 * step + noise[step] for step in range(120)])
    assert found.reason is Reason.NEVER_FALLS
    assert found.suggestion is None


def test_a_range_test_goes_through_the_rates_and_touches_no_weight_of_the_experiment(experiment):
    made = experiment("transformer")
    seen = []
    found = find_rate(made, lowest=1e-4, highest=10.0, steps=30, report=lambda rate, _: seen.append(rate))
    assert seen == list(found.rates)
    assert seen[0] == pytest.approx(1e-4)
    assert np.diff(np.log(seen)) == pytest.approx(np.full(len(seen) - 1, math.log(1e5) / 29))
    assert made.optimizer.config.learning_rate == 0.01
    again = find_rate(made, lowest=1e-4, highest=10.0, steps=30)
    assert again.losses == found.losses


def test_a_cancelled_range_test_judges_what_it_has(experiment):
    losses = []
    found = find_rate(
        experiment("transformer"), steps=30, cancelled=lambda: len(losses) == 5, report=lambda *one: losses.append(one)
    )
    assert len(found.rates) == 5
    with pytest.raises(LabError, match="no step"):
        find_rate(experiment("transformer"), steps=30, cancelled=lambda: True)


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"lowest": 0.0}, "--lowest"),
        ({"lowest": math.nan}, "--lowest"),
        ({"highest": 1e-9}, "--highest"),
        ({"highest": 1e10}, "--highest"),
        ({"highest": math.nan}, "--highest"),
        ({"steps": 1}, "--trial"),
        ({"steps": 10**9}, "--trial"),
    ],
)
def test_rates_that_cannot_be_tested_are_refused(experiment, options, field):
    with pytest.raises(BadInput) as refused:
        find_rate(experiment("transformer"), **options)
    assert refused.value.problem.field == field


@pytest.mark.parametrize("find", [find_rate, find_batch, find_noise])
def test_a_model_that_counts_is_not_tried(experiment, find):
    with pytest.raises(BadInput, match="counts"):
        find(experiment("n-gram"))


def test_batch_sizes_double_up_to_the_largest(experiment):
    seen = []
    found = find_batch(experiment("transformer"), largest=8, seconds=0.01, report=lambda one: seen.append(one.size))
    assert seen == [one.size for one in found.speeds]
    assert seen == [1, 2, 4, 8][: len(seen)]
    assert found.suggestion in seen
    assert all(one.tokens_per_second * one.seconds == pytest.approx(12 * one.size) for one in found.speeds)


def test_a_batch_that_does_not_fit_ends_the_test(experiment, monkeypatch):
    from lab.training.steps.gradient import GradientLearner

    make_step = GradientLearner.make_step

    def short_of_memory(learner, step):
        if learner.training.batch_size > 2:
            raise torch.OutOfMemoryError("out of memory")
        make_step(learner, step)

    monkeypatch.setattr(GradientLearner, "make_step", short_of_memory)
    found = find_batch(experiment("transformer"), largest=64, seconds=0.01)
    assert (found.largest, found.ended) == (2, "memory")


def test_the_noise_scale_of_known_noise():
    draws = np.random.default_rng(1)
    size, pieces, groups, dimensions = 4, 8, 200, 50
    signal, spread = np.full(dimensions, 0.5), 3.0  # per example: tr Σ = 50 · 9, |G|² = 50 / 4
    gradients = signal + draws.normal(size=(groups, pieces, dimensions)) * spread / math.sqrt(size)
    means = (gradients.mean(axis=1) ** 2).sum(axis=-1)
    squares = (gradients**2).sum(axis=-1).mean(axis=1)
    found, error = scale_of(means, squares, size, pieces)
    expected = dimensions * spread**2 / (dimensions * 0.25)
    assert found == pytest.approx(expected, rel=0.05)
    assert 0 < error < 0.1 * expected


def test_gradients_of_noise_alone_have_no_scale():
    assert scale_of([1.0, 1.0], [8.1, 8.2], 4, 8) == (math.inf, math.inf)


def test_the_noise_scale_is_measured_from_the_start_to_the_end_and_leaves_the_training_as_it_is(experiment):
    made = experiment("transformer")
    found = find_noise(made, steps=6)
    assert [one.step for one in found.scales] == [0, 2, 4, 6]
    assert all(one.examples > 0 for one in found.scales)
    assert find_noise(made, steps=6) == found
    with pytest.raises(BadInput):
        find_noise(made, steps=-1)


def at_widths(experiment, widths):
    return {width: experiment("transformer", config={"width": width}) for width in widths}


def test_the_changes_of_a_standard_model_grow_with_its_width(experiment):
    found = check_coordinates(at_widths(experiment, (16, 64)))
    assert set(found.changes) == {"block 1", "logits"}
    assert found.exponents["logits"] > 0.25
    assert not found.holds
    with pytest.raises(BadInput, match="two widths"):
        check_coordinates(at_widths(experiment, (16,)))


def test_a_slope_is_the_exponent_of_a_power():
    assert slope([16, 32, 64], [2.0 * width**-0.5 for width in (16, 32, 64)]) == pytest.approx(-0.5)
    assert math.isnan(slope([16, 32], [0.0, 1.0]))


def test_a_sweep_has_the_loss_of_every_width_and_rate_and_the_best_rate(experiment):
    found = sweep(at_widths(experiment, (16, 32)), [1e-2, 1e-6])
    assert found.rates == (1e-6, 1e-2)
    assert found.best == {16: 1e-2, 32: 1e-2}
    with pytest.raises(BadInput):
        sweep(at_widths(experiment, (16, 32)), [math.nan])


def test_the_time_of_a_step_is_measured_on_a_copy(experiment):
    from lab.training.finders.durations import measure_step

    made, seen = experiment("transformer"), []
    found = measure_step(made, seconds=0.05, progress=seen.append)
    assert found.steps >= 1
    assert 0 < found.seconds < 10
    assert seen == sorted(seen)
    assert seen[-1] == 1
    assert measure_step(made, seconds=100, cancelled=lambda: True).steps == 1
    with pytest.raises(BadInput, match="counts"):
        measure_step(experiment("n-gram"))
