"""Objectives, optimizers, schedules: those that come with the lab."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from lab.api import ModelConfig, ObjectiveCard, Optimizer, Schedule, hookimpl, setting

LAB_API_VERSION = 2


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
        help="Error from which Huber's loss is linear, in the unit of the numbers. Typical: 1.",
    )


class RateSettings(ModelConfig):
    """The settings of learning rates that differ between the parts of a model."""

    layer_decay: float = setting(
        1.0,
        gt=0,
        le=1,
        group="Optimizer",
        help="Factor of the learning rate from each layer to the one below it; the embedding is below all. Typical: "
        "0.8 to 1, which trains all layers alike.",
        cite="Clark et al. 2020",
    )
    embedding_rate: float = setting(
        1.0, ge=0, le=1000, group="Optimizer", help="Factor of the learning rate of embeddings. Typical: 0.1 to 10."
    )
    head_rate: float = setting(
        1.0,
        ge=0,
        le=1000,
        group="Optimizer",
        help="Factor of the learning rate of an untied head; a tied one is an embedding. Typical: 0.1 to 10.",
    )
    recurrence_rate: float = setting(
        1.0,
        ge=0,
        le=1000,
        group="Optimizer",
        help="Factor of the learning rate of what sets how a state changes, such as A, B and the step size of S4. "
        "Typical: 0.1 to 1.",
        cite="Gu et al. 2022b",
    )


class AdamSettings(RateSettings):
    """The settings that AdamW and optimizers with AdamW for some parameters share."""

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
        1e-8,
        gt=0,
        le=1,
        log=True,
        label="ε",
        group="Optimizer",
        help="Added to the root of the mean squared gradient. Typical: 1e-8.",
    )
    weight_decay: float = setting(
        0.1,
        ge=0,
        le=10,
        live=True,
        group="Regularisation",
        help="Decay of matrices towards zero, times the learning rate. Typical: 0.01 to 0.1.",
    )


class AdamWConfig(AdamSettings):
    """The settings of AdamW."""

    base_width: int = setting(
        0,
        ge=0,
        le=2**20,
        unit="channels",
        group="Optimizer",
        zero="off",
        help="Width at which the learning rate was found: matrices and the head get it times base width / inputs, so "
        "that it holds at any width (muP). Needs an untied head. "
        "Typical: 0, or 64 to 256.",
        cite="Yang et al. 2022, table 3",
    )


class MuonConfig(AdamSettings):
    """The settings of Muon."""

    momentum: float = setting(
        0.95,
        ge=0,
        lt=1,
        live=True,
        group="Optimizer",
        help="Decay of the mean gradient of matrices per step, taken one step ahead (Nesterov). Typical: 0.9 to 0.95.",
    )
    iterations: int = setting(
        5,
        ge=1,
        le=20,
        group="Optimizer",
        help="Newton–Schulz iterations, which bring the singular values of an update near 1. Typical: 5.",
        cite="Jordan et al. 2024",
    )
    scaling: Literal["rms", "spectral"] = setting(
        "rms",
        group="Optimizer",
        names={"rms": "as AdamW", "spectral": "spectral"},
        help="Size of the update of a matrix: as large as AdamW's, 0.2 √max(outputs, inputs), so that AdamW's learning "
        "rates hold, or √max(1, outputs / inputs), for learning rates around 0.02.",
        cite="Liu et al. 2025, eq. 4; Jordan et al. 2024",
    )
    adamw_rate: float = setting(
        1.0,
        ge=0,
        le=1000,
        label="AdamW rate",
        group="Optimizer",
        help="Factor of the learning rate of all that AdamW updates: embeddings, head, norms, vectors, recurrences. "
        "Typical: 1, or 0.01 to 0.1 with spectral scaling.",
    )


class SGDConfig(RateSettings):
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
        help="Decay of matrices towards zero, added to the gradient. Typical: 0, or 1e-4 to 5e-4.",
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
        counted="steps",
        label="Decay steps",
        group="Schedule",
        auto=True,
        help="Steps until the floor is reached; 0 means all of the training. Typical: 0.",
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
            roles=True,
            summary="Scales updates by each weight's gradient size; separate weight decay (Loshchilov & Hutter 2019).",
        )
    )
    register(
        Optimizer(
            name="muon",
            title="Muon",
            build="lab.training.muon:muon",
            config=MuonConfig,
            roles=True,
            summary="Orthogonalises updates of matrices, so that all directions learn; AdamW for the rest (Jordan et "
            "al. 2024).",
        )
    )
    register(
        Optimizer(
            name="sgd",
            title="SGD",
            build=f"{module}:sgd",
            config=SGDConfig,
            roles=True,
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
