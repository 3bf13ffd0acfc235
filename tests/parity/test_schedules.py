"""The lab's schedules against torch's, and against their formulas where torch has none."""

import json
import math

import numpy as np
import pytest
import torch
from torch.optim import lr_scheduler

from lab.base import BadInput
from lab.training.schedules import factors
from lab.training.schedules.builtins import (
    ConstantConfig,
    CosineConfig,
    CyclicConfig,
    DecayConfig,
    DrawnConfig,
    ExponentialConfig,
    InverseRootConfig,
    MultiStepConfig,
    OneCycleConfig,
    PlateauConfig,
    PolynomialConfig,
    RestartsConfig,
    StableConfig,
    StepConfig,
)

STEPS = 120


def of_torch(make):
    """The factors of a scheduler of torch."""
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=1.0)
    scheduler, found = make(optimizer), []
    for _ in range(STEPS):
        found.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    return found


def ours(make, config, steps=STEPS):
    factor = make(config, steps)
    return [factor(step) for step in range(STEPS)]


@pytest.mark.parametrize(
    ("make", "config", "theirs"),
    [
        (factors.step, StepConfig(every=30, factor=0.3), lambda o: lr_scheduler.StepLR(o, 30, 0.3)),
        (
            factors.multi_step,
            MultiStepConfig(milestones=[0.75, 0.5], factor=0.2),
            lambda o: lr_scheduler.MultiStepLR(o, [60, 90], 0.2),
        ),
        (
            factors.exponential,
            ExponentialConfig(floor=0.05),
            lambda o: lr_scheduler.ExponentialLR(o, 0.05 ** (1 / STEPS)),
        ),
        (factors.linear, DecayConfig(floor=0.1), lambda o: lr_scheduler.LinearLR(o, 1.0, 0.1, STEPS)),
        (factors.polynomial, PolynomialConfig(power=1.7), lambda o: lr_scheduler.PolynomialLR(o, STEPS, 1.7)),
        (factors.cosine, CosineConfig(floor=0.1), lambda o: lr_scheduler.CosineAnnealingLR(o, STEPS, 0.1)),
        (
            factors.cosine_restarts,
            RestartsConfig(period=7, growth=2, floor=0.1),
            lambda o: lr_scheduler.CosineAnnealingWarmRestarts(o, 7, 2, 0.1),
        ),
        (
            factors.cosine_restarts,
            RestartsConfig(period=7, growth=1),
            lambda o: lr_scheduler.CosineAnnealingWarmRestarts(o, 7),
        ),
        (
            factors.one_cycle,
            OneCycleConfig(rise=0.3, first=0.04, floor=4e-6),
            lambda o: lr_scheduler.OneCycleLR(o, 1.0, STEPS + 1, pct_start=0.3 * STEPS / (STEPS + 1)),
        ),
        (
            factors.cyclic,
            CyclicConfig(rise=20, floor=0.2),
            lambda o: lr_scheduler.CyclicLR(o, 0.2, 1.0, 20, cycle_momentum=False),
        ),
        (
            factors.cyclic,
            CyclicConfig(rise=20, floor=0.2, halves=True),
            lambda o: lr_scheduler.CyclicLR(o, 0.2, 1.0, 20, mode="triangular2", cycle_momentum=False),
        ),
    ],
)
def test_factors_are_those_of_torch(make, config, theirs):
    steps = STEPS + 1 if make is factors.one_cycle else STEPS
    if make is factors.one_cycle:
        config = OneCycleConfig(rise=config.rise * STEPS / steps, first=config.first, floor=config.floor)
    assert np.allclose(ours(make, config, steps), of_torch(theirs), rtol=0, atol=1e-12)


def test_the_inverse_root_rises_and_falls_as_in_the_transformer_of_2017():
    found = ours(factors.inverse_root, InverseRootConfig(warmup=40))
    noam = [512**-0.5 * min(t**-0.5, t * 40**-1.5) for t in range(1, STEPS + 1)]
    assert np.allclose(found, np.array(noam) / max(noam), rtol=1e-12)
    assert found.index(1.0) == 39


@pytest.mark.parametrize(("shape", "middle"), [("linear", 0.5), ("root", 1 - math.sqrt(0.5))])
def test_a_stable_schedule_falls_over_its_last_share(shape, middle):
    found = ours(factors.stable_decay, StableConfig(share=0.25, shape=shape, warmup=9))
    assert found[:9] == pytest.approx([(step + 1) / 10 for step in range(9)])
    assert found[9:91] == [1.0] * 82
    assert found[105] == pytest.approx(middle)
    assert factors.stable_decay(StableConfig(share=0.25, shape=shape), STEPS)(STEPS) == 0


def test_a_drawn_schedule_goes_straight_from_point_to_point():
    found = ours(factors.drawn, DrawnConfig(shares=[0, 0.25, 0.5, 1], factors=[0.5, 2, 0.1, 0.2]))
    assert np.allclose(found, np.interp(np.arange(STEPS) / (STEPS - 1), [0, 0.25, 0.5, 1], [0.5, 2, 0.1, 0.2]))


@pytest.mark.parametrize(
    ("make", "config"),
    [
        (factors.constant, ConstantConfig),
        (factors.linear, DecayConfig),
        (factors.polynomial, PolynomialConfig),
        (factors.exponential, ExponentialConfig),
        (factors.step, StepConfig),
        (factors.multi_step, MultiStepConfig),
        (factors.cosine_restarts, RestartsConfig),
        (factors.stable_decay, StableConfig),
        (factors.plateau, PlateauConfig),
    ],
)
def test_each_has_a_warm_up_after_which_it_is_at_its_height(make, config):
    found = ours(make, config(warmup=4))
    assert found[:5] == pytest.approx([0.2, 0.4, 0.6, 0.8, 1.0])


@pytest.mark.parametrize(
    ("make", "config", "field"),
    [
        (factors.multi_step, MultiStepConfig(milestones=[0.5, 1.0]), "milestones"),
        (factors.drawn, DrawnConfig(shares=[0, 0.5], factors=[1, 1]), "shares"),
        (factors.drawn, DrawnConfig(shares=[0, 0.5, 0.5, 1], factors=[1, 1, 1, 1]), "shares"),
        (factors.drawn, DrawnConfig(shares=[0, 1], factors=[1]), "factors"),
        (factors.drawn, DrawnConfig(shares=[0, 1], factors=[1, -1]), "factors"),
        (factors.drawn, DrawnConfig(shares=[], factors=[]), "shares"),
    ],
)
def test_moments_that_make_no_curve_are_refused(make, config, field):
    with pytest.raises(BadInput) as raised:
        make(config, STEPS)
    assert raised.value.problem.field == f"training.schedule.{field}"


def test_a_schedule_is_defined_beyond_its_end_and_for_a_single_step():
    for make, config in [
        (factors.linear, DecayConfig()),
        (factors.polynomial, PolynomialConfig()),
        (factors.exponential, ExponentialConfig()),
        (factors.one_cycle, OneCycleConfig()),
        (factors.stable_decay, StableConfig()),
        (factors.drawn, DrawnConfig()),
        (factors.cosine, CosineConfig(warmup=50)),
    ]:
        for steps in (1, 2, 10):
            assert all(0 <= make(config, steps)(step) <= 1 for step in (0, 1, 10, 10_000))


# ---- momentum


def momenta_of_torch(make):
    """The momenta of a scheduler of torch."""
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=1.0, momentum=0.5)
    scheduler, found = make(optimizer), []
    for _ in range(STEPS):
        found.append(optimizer.param_groups[0]["momentum"])
        optimizer.step()
        scheduler.step()
    return found


@pytest.mark.parametrize(
    ("make", "config", "steps", "theirs"),
    [
        (
            factors.one_cycle,
            OneCycleConfig(rise=0.3 * STEPS / (STEPS + 1), cycle_momentum=True),
            STEPS + 1,
            lambda o: lr_scheduler.OneCycleLR(o, 1.0, STEPS + 1, pct_start=0.3 * STEPS / (STEPS + 1)),
        ),
        (
            factors.cyclic,
            CyclicConfig(rise=20, cycle_momentum=True, low_momentum=0.8, high_momentum=0.9),
            STEPS,
            lambda o: lr_scheduler.CyclicLR(o, 0.1, 1.0, 20, base_momentum=0.8, max_momentum=0.9),
        ),
    ],
)
def test_momenta_are_those_of_torch(make, config, steps, theirs):
    factor = make(config, steps)
    assert np.allclose([factor.momentum(step) for step in range(STEPS)], momenta_of_torch(theirs), rtol=0, atol=1e-12)


def test_a_momentum_that_is_not_cycled_is_left_as_it_is():
    assert factors.momentum_of(factors.one_cycle(OneCycleConfig(), STEPS), 0) is None


# ---- plateaus


def test_a_plateau_is_that_of_torch():
    losses = np.abs(np.cumsum(np.random.default_rng(0).normal(-0.02, 0.2, STEPS))) + 1
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=1.0)
    theirs = lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.7, patience=3, threshold=0.01, min_lr=0.05, eps=0.0)
    own, found, expected = factors.plateau(PlateauConfig(factor=0.7, wait=3, threshold=0.01, floor=0.05), STEPS), [], []
    for step, loss in enumerate(losses):
        own.note_loss(loss)
        theirs.step(loss)
        found.append(own(step))
        expected.append(optimizer.param_groups[0]["lr"])
    assert np.allclose(found, expected, rtol=1e-12)
    assert found[-1] < 0.5


def test_a_plateau_resumed_in_the_middle_is_the_same():
    losses = [3.0, 2.0, 2.0, 2.1, 1.0, 1.1, 1.2, 1.3, 1.4]
    config = PlateauConfig(wait=1, factor=0.5)
    whole, first, second = (factors.plateau(config, STEPS) for _ in range(3))
    for loss in losses:
        whole.note_loss(loss)
    for loss in losses[:4]:
        first.note_loss(loss)
    second.load_state_dict(json.loads(json.dumps(first.state_dict())))
    for loss in losses[4:]:
        second.note_loss(loss)
    assert second.state_dict() == whole.state_dict()
    assert whole(0) < 1


def test_a_loss_that_is_no_number_is_not_better():
    own = factors.plateau(PlateauConfig(wait=0, factor=0.5), STEPS)
    for loss in (math.nan, 1.0, math.nan, math.inf):
        own.note_loss(loss)
    assert own(0) == 0.5**3


def test_a_drawn_schedule_has_a_warm_up_too():
    found = ours(factors.drawn, DrawnConfig(shares=[0, 1], factors=[1, 0], warmup=4))
    assert found[:5] == pytest.approx([0.2, 0.4, 0.6, 0.8, 1.0])
    assert found[-1] == 0
