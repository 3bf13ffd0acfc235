"""The learning-rate schedules that come with the lab, with their settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from lab.api import ModelConfig, Schedule, hookimpl, setting

LAB_API_VERSION = 2


class ConstantConfig(ModelConfig):
    """The settings of the constant schedule."""

    warmup: int = setting(
        0,
        ge=0,
        unit="steps",
        label="Warm-up",
        group="Schedule",
        zero="none",
        help="Steps over which the learning rate rises from near zero. Typical: a hundredth to a tenth of the steps.",
    )


class DecayConfig(ConstantConfig):
    """The settings of schedules that fall to a floor by the end of the training."""

    floor: float = setting(
        0.0, ge=0, le=1, label="Final factor", group="Schedule", help="Factor at the last step. Typical: 0 to 0.1."
    )
    steps: int = setting(
        0,
        ge=0,
        unit="steps",
        counted="steps",
        label="Decay steps",
        group="Schedule",
        auto=True,
        help="Steps until the floor is reached; 0 means all of the training. Typical: 0.",
    )


class CosineConfig(DecayConfig):
    """The settings of the cosine schedule."""

    floor: float = setting(
        0.1, ge=0, le=1, label="Final factor", group="Schedule", help="Factor at the last step. Typical: 0 to 0.1."
    )


class PolynomialConfig(DecayConfig):
    """The settings of the polynomial schedule."""

    power: float = setting(
        2.0,
        gt=0,
        le=100,
        group="Schedule",
        help="Exponent of the share of steps that are left; 1 falls linearly. Typical: 0.5 to 2.",
    )


class ExponentialConfig(DecayConfig):
    """The settings of the exponential schedule."""

    floor: float = setting(
        0.01,
        gt=0,
        le=1,
        log=True,
        label="Final factor",
        group="Schedule",
        help="Factor at the last step; it falls by the same share at each step. Typical: 0.001 to 0.1.",
    )


class StepConfig(ConstantConfig):
    """The settings of the step schedule."""

    every: int = setting(
        1000,
        ge=1,
        unit="steps",
        group="Schedule",
        help="Steps from one fall of the learning rate to the next, counted from the end of the warm-up. Typical: a "
        "third of all.",
    )
    factor: float = setting(
        0.1, gt=0, le=1, log=True, group="Schedule", help="Factor at each fall. Typical: 0.1 to 0.5."
    )


class MultiStepConfig(ConstantConfig):
    """The settings of the schedule that falls at given moments."""

    milestones: list[float] = setting(
        [0.5, 0.75],
        group="Schedule",
        help="Shares of the training after which the learning rate falls, above 0 and below 1. Typical: 0.5, 0.75.",
    )
    factor: float = setting(
        0.1, gt=0, le=1, log=True, group="Schedule", help="Factor at each fall. Typical: 0.1 to 0.5."
    )


class RestartsConfig(ConstantConfig):
    """The settings of the cosine with restarts."""

    period: int = setting(
        1000,
        ge=1,
        unit="steps",
        group="Schedule",
        help="Steps from the end of the warm-up to the first restart. Typical: a tenth to a third of all.",
    )
    growth: float = setting(
        2.0,
        ge=1,
        le=10,
        group="Schedule",
        label="Growth of the period",
        help="Factor from each period to the next. Typical: 1 or 2.",
    )
    floor: float = setting(
        0.0, ge=0, le=1, label="Lowest factor", group="Schedule", help="Factor before each restart. Typical: 0 to 0.1."
    )


class MomentumCycle(ModelConfig):
    """The settings of a momentum that falls while the learning rate rises."""

    cycle_momentum: bool = setting(
        False,
        label="Momentum against it",
        group="Schedule",
        help="Let the momentum of the optimizer (β₁ of Adam) fall where the learning rate rises, and the reverse.",
        cite="Smith 2018, section 4.3",
    )
    low_momentum: float = setting(
        0.85,
        ge=0,
        lt=1,
        group="Schedule",
        label="Lowest momentum",
        when={"cycle_momentum": True},
        help="Momentum at the highest learning rate. Typical: 0.8 to 0.85.",
    )
    high_momentum: float = setting(
        0.95,
        ge=0,
        lt=1,
        group="Schedule",
        label="Highest momentum",
        when={"cycle_momentum": True},
        help="Momentum at the lowest learning rate. Typical: 0.9 to 0.95.",
    )


class PlateauConfig(ConstantConfig):
    """The settings of the schedule that falls when the validation loss does not."""

    factor: float = setting(
        0.3, gt=0, lt=1, log=True, group="Schedule", help="Factor at each fall. Typical: 0.1 to 0.5."
    )
    wait: int = setting(
        2,
        ge=0,
        le=10**6,
        unit="evaluations",
        group="Schedule",
        help="Evaluations without a better validation loss that are waited for; the next one lowers the learning rate. "
        "Typical: 2 to 10.",
    )
    threshold: float = setting(
        1e-3,
        ge=0,
        le=1,
        group="Schedule",
        label="Smallest gain",
        help="Share by which a loss must be below the best one to be better. Typical: 1e-4 to 1e-2.",
    )
    floor: float = setting(
        0.0,
        ge=0,
        le=1,
        label="Lowest factor",
        group="Schedule",
        help="Factor below which it does not fall. Typical: 0 to 0.01.",
    )


class OneCycleConfig(MomentumCycle):
    """The settings of the one-cycle schedule."""

    rise: float = setting(
        0.3,
        gt=0,
        lt=1,
        group="Schedule",
        label="Share of the rise",
        help="Share of the training over which the learning rate rises. Typical: 0.2 to 0.4.",
    )
    first: float = setting(
        0.04,
        gt=0,
        le=1,
        log=True,
        group="Schedule",
        label="First factor",
        help="Factor at the first step. Typical: 0.04 to 0.1.",
    )
    floor: float = setting(
        4e-6,
        ge=0,
        le=1,
        group="Schedule",
        label="Final factor",
        help="Factor at the last step, far below the first. Typical: 1e-6 to 1e-3.",
    )


class StableConfig(DecayConfig):
    """The settings of warm-up, stable, decay."""

    share: float = setting(
        0.2,
        gt=0,
        le=1,
        group="Schedule",
        label="Share of the decay",
        help="Share of the steps, at the end, over which the learning rate falls. Typical: 0.1 to 0.2.",
        cite="Hu et al. 2024",
    )
    shape: Literal["linear", "root"] = setting(
        "linear",
        group="Schedule",
        names={"root": "1 − √r"},
        help="How it falls with the share r of the decay: linearly, or fast at first by 1 − √r.",
        cite="Hägele et al. 2024",
    )


class InverseRootConfig(ModelConfig):
    """The settings of the inverse square root."""

    warmup: int = setting(
        400,
        ge=1,
        unit="steps",
        label="Warm-up",
        group="Schedule",
        help="Steps over which the learning rate rises; its maximum is there. Typical: 100 to 4,000.",
    )


class CyclicConfig(MomentumCycle, ConstantConfig):
    """The settings of the cyclic schedule."""

    rise: int = setting(
        500,
        ge=1,
        unit="steps",
        group="Schedule",
        label="Half period",
        help="Steps from the lowest learning rate to the highest, and back. Typical: two to ten passes of the text.",
    )
    floor: float = setting(
        0.1, ge=0, le=1, label="Lowest factor", group="Schedule", help="Factor at the lowest. Typical: 0.1 to 0.3."
    )
    halves: bool = setting(
        False,
        group="Schedule",
        label="Halve each cycle",
        help="Halve the height above the lowest factor from each cycle to the next.",
    )


class DrawnConfig(ConstantConfig):
    """The settings of the schedule that is drawn by hand."""

    shares: list[float] = setting(
        [0.0, 0.1, 1.0],
        group="Schedule",
        label="Moments",
        help="Shares of the training at which a factor is given, from 0 to 1, rising. Typical: 0, 0.1, 1.",
    )
    factors: list[float] = setting(
        [0.0, 1.0, 0.0],
        group="Schedule",
        help="The factor at each of the moments; between them it changes linearly. Typical: 0, 1, 0.",
    )


@hookimpl
def lab_register_schedules(register: Callable[[Schedule], None]) -> None:
    """Register the learning-rate schedules."""
    factors = "lab.training.schedules.factors"

    def add(name: str, title: str, build: str, config: type[ModelConfig], summary: str) -> None:
        register(Schedule(name=name, title=title, build=build, config=config, summary=summary))

    add(
        "cosine",
        "Warm-up and cosine",
        f"{factors}:cosine",
        CosineConfig,
        "Rises linearly, then falls along half a cosine to a floor (Loshchilov & Hutter 2017).",
    )
    add(
        "constant",
        "Constant",
        f"{factors}:constant",
        ConstantConfig,
        "Rises linearly over the warm-up, then stays constant.",
    )
    add(
        "linear",
        "Linear",
        f"{factors}:linear",
        DecayConfig,
        "Rises linearly, then falls linearly, to 0 unless a floor is set.",
    )
    add(
        "polynomial",
        "Polynomial",
        f"{factors}:polynomial",
        PolynomialConfig,
        "Falls with a power of the share of steps that are left.",
    )
    add(
        "exponential",
        "Exponential",
        f"{factors}:exponential",
        ExponentialConfig,
        "Falls by the same share at each step.",
    )
    add("step", "Steps", f"{factors}:step", StepConfig, "Falls by a factor at equal intervals.")
    add(
        "multi-step",
        "Steps at given moments",
        f"{factors}:multi_step",
        MultiStepConfig,
        "Falls by a factor at each of several moments.",
    )
    add(
        "cosine-restarts",
        "Cosine with restarts",
        f"{factors}:cosine_restarts",
        RestartsConfig,
        "Falls along half a cosine and starts again, each time for longer (Loshchilov & Hutter 2017).",
    )
    add(
        "one-cycle",
        "One cycle",
        f"{factors}:one_cycle",
        OneCycleConfig,
        "Rises along half a cosine and falls along another one, far below its start (Smith & Topin 2018).",
    )
    add(
        "stable-decay",
        "Warm-up, stable, decay",
        f"{factors}:stable_decay",
        StableConfig,
        "Stays constant and falls at the end, so that any step is a start for a decay (Hu et al. 2024).",
    )
    add(
        "inverse-root",
        "Inverse square root",
        f"{factors}:inverse_root",
        InverseRootConfig,
        "Rises linearly, then falls with the root of the step, without an end (Vaswani et al. 2017, equation 3).",
    )
    add(
        "plateau",
        "Reduce on plateau",
        f"{factors}:plateau",
        PlateauConfig,
        "Stays constant and falls by a factor when the validation loss has not got better for some evaluations.",
    )
    add("cyclic", "Cyclic", f"{factors}:cyclic", CyclicConfig, "Rises and falls linearly again and again (Smith 2017).")
    add("drawn", "Drawn by hand", f"{factors}:drawn", DrawnConfig, "Goes straight from each given factor to the next.")
