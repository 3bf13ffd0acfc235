"""The built-in objectives, optimizers and learning-rate schedules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from lab.api import ModelConfig, ObjectiveCard, Optimizer, Schedule, hookimpl, setting

LAB_API_VERSION = 1


class MaskedConfig(ModelConfig):
    """The settings of the masked objective."""

    share: float = setting(
        0.15,
        gt=0,
        le=1,
        label="Hidden share",
        group="Objective",
        help="Share of the tokens that are hidden and must be predicted. Typical: 0.15 to 0.4.",
        cite="Devlin et al. 2018",
    )


class SmoothedConfig(ModelConfig):
    """The settings of objectives with one right class or symbol."""

    label_smoothing: float = setting(
        0.0,
        ge=0,
        lt=1,
        group="Objective",
        zero="none",
        help="Share of each target's probability that is spread evenly over all in training; the validation loss is "
        "without it. Typical: 0.1.",
        cite="Szegedy et al. 2016, section 7",
    )


class RegressionConfig(ModelConfig):
    """The settings of regression."""

    loss: Literal["squares", "huber"] = setting(
        "squares",
        group="Objective",
        names={"huber": "Huber"},
        help="Squared error, or Huber's, which grows linearly from δ on, so that outliers count less.",
        cite="Huber 1964",
    )
    delta: float = setting(
        1.0,
        gt=0,
        le=1e6,
        log=True,
        label="δ",
        group="Objective",
        when={"loss": "huber"},
        help="Error from which Huber's loss is linear, in the unit of the numbers.",
    )


class AdamWConfig(ModelConfig):
    """The settings of AdamW."""

    learning_rate: float = setting(
        1e-3,
        gt=0,
        le=10,
        log=True,
        live=True,
        group="Optimizer",
        help="Size of an update, before the factor of the schedule. Typical: 1e-4 to 3e-3.",
    )
    beta1: float = setting(
        0.9, ge=0, lt=1, label="β₁", group="Optimizer", help="Decay of the mean gradient per step. Typical: 0.9."
    )
    beta2: float = setting(
        0.99,
        ge=0,
        lt=1,
        label="β₂",
        group="Optimizer",
        help="Decay of the mean squared gradient per step. Typical: 0.95 to 0.999.",
    )
    eps: float = setting(
        1e-8, gt=0, le=1, log=True, label="ε", group="Optimizer", help="Added to the root of the mean squared gradient."
    )
    weight_decay: float = setting(
        0.1,
        ge=0,
        le=10,
        live=True,
        group="Regularisation",
        help="Decay of matrices towards zero, times the learning rate. Typical: 0.01 to 0.1.",
    )


class SGDConfig(ModelConfig):
    """The settings of stochastic gradient descent."""

    learning_rate: float = setting(
        0.1,
        gt=0,
        le=100,
        log=True,
        live=True,
        group="Optimizer",
        help="Size of an update, before the factor of the schedule. Typical: 0.01 to 0.5.",
    )
    momentum: float = setting(
        0.9,
        ge=0,
        lt=1,
        live=True,
        group="Optimizer",
        help="Share of the last update added to each update; 0 for none. Typical: 0.9.",
    )
    nesterov: bool = setting(
        False,
        label="Nesterov momentum",
        group="Optimizer",
        when={"momentum": True},
        help="Take the gradient one momentum step ahead.",
    )
    weight_decay: float = setting(
        0.0,
        ge=0,
        le=10,
        live=True,
        group="Regularisation",
        help="Decay of matrices towards zero, added to the gradient.",
    )


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


class CosineConfig(ConstantConfig):
    """The settings of the cosine schedule."""

    floor: float = setting(
        0.1, ge=0, le=1, label="Final factor", group="Schedule", help="Factor at the last step. Typical: 0 to 0.1."
    )
    steps: int = setting(
        0,
        ge=0,
        unit="steps",
        label="Decay steps",
        group="Schedule",
        auto=True,
        help="Steps until the floor is reached; 0 means all of the training.",
    )


@hookimpl
def lab_register_objectives(register: Callable[[ObjectiveCard], None]) -> None:
    """Register the objectives."""
    module = "lab.training.objectives"
    register(
        ObjectiveCard(
            name="causal",
            title="Next token",
            build=f"{module}:Causal",
            summary="Predict every token from those before it, within a window.",
        )
    )
    register(
        ObjectiveCard(
            name="carried",
            title="Next token, state carried",
            build=f"{module}:Carried",
            summary="Read the text as one stream; the state is carried between windows, gradients are not.",
        )
    )
    register(
        ObjectiveCard(
            name="masked",
            title="Hidden tokens",
            build=f"{module}:Masked",
            config=MaskedConfig,
            summary="Hide some tokens and predict them from both sides.",
        )
    )
    register(
        ObjectiveCard(
            name="sequence-to-sequence",
            title="Sequence to sequence",
            build=f"{module}:SequenceToSequence",
            config=SmoothedConfig,
            summary="Generate a target token by token from a source.",
        )
    )
    register(
        ObjectiveCard(
            name="captions",
            title="Captions",
            build=f"{module}:Captions",
            config=SmoothedConfig,
            summary="Generate the caption of an image token by token.",
        )
    )
    register(
        ObjectiveCard(
            name="classification",
            title="Classification",
            build=f"{module}:Classification",
            config=SmoothedConfig,
            summary="Predict one of several classes for each input, or for each of its tokens.",
        )
    )
    register(
        ObjectiveCard(
            name="regression",
            title="Regression",
            build=f"{module}:Regression",
            config=RegressionConfig,
            summary="Predict numbers for each input.",
        )
    )
    register(
        ObjectiveCard(
            name="binary",
            title="Binary labels",
            build=f"{module}:Binary",
            summary="Predict the probability of each of several labels that do not exclude each other, or of one.",
        )
    )


@hookimpl
def lab_register_optimizers(register: Callable[[Optimizer], None]) -> None:
    """Register the optimizers."""
    module = "lab.training.optimizers"
    register(
        Optimizer(
            name="adamw",
            title="AdamW",
            build=f"{module}:adamw",
            config=AdamWConfig,
            summary="Scales updates by each weight's gradient size; separate weight decay (Loshchilov & Hutter 2019).",
        )
    )
    register(
        Optimizer(
            name="sgd",
            title="SGD",
            build=f"{module}:sgd",
            config=SGDConfig,
            summary="Plain gradient steps, with momentum (Robbins & Monro 1951; Polyak 1964; Nesterov 1983).",
        )
    )


@hookimpl
def lab_register_schedules(register: Callable[[Schedule], None]) -> None:
    """Register the learning-rate schedules."""
    module = "lab.training.schedules"
    register(
        Schedule(
            name="cosine",
            title="Warm-up and cosine",
            build=f"{module}:cosine",
            config=CosineConfig,
            summary="Rises linearly, then falls along half a cosine to a floor (Loshchilov & Hutter 2017).",
        )
    )
    register(
        Schedule(
            name="constant",
            title="Constant",
            build=f"{module}:constant",
            config=ConstantConfig,
            summary="Rises linearly over the warm-up, then stays constant.",
        )
    )
