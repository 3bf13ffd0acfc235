"""The objectives that come with the lab, with their settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from lab.api import MaskingConfig, ModelConfig, ObjectiveCard, hookimpl, setting

LAB_API_VERSION = 2


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


class SequenceToSequenceConfig(SmoothedConfig):
    """The settings of objectives whose model writes a target."""

    teacher_forcing: float = setting(
        1.0,
        ge=0,
        le=1,
        label="Teacher forcing",
        group="Objective",
        help="Share of the right tokens that the decoder reads in training; in place of the others it reads those that "
        "it found likeliest itself, one after the other, which takes longer. Typical: 1, or 0.5 to 0.9.",
        cite="Williams & Zipser 1989; Bengio et al. 2015",
    )
    forcing_examples: int = setting(
        0,
        ge=0,
        le=10**12,
        unit="examples",
        label="Fall of the forcing",
        group="Objective",
        zero="none",
        help="Examples over which that share falls from 1, linearly; 0 means it is the same throughout. Typical: half "
        "of all.",
        cite="Bengio et al. 2015, section 2.4",
    )


class MaskedConfig(MaskingConfig, SmoothedConfig):
    """The settings of the masked objective."""


class RegressionConfig(ModelConfig):
    """The settings of regression."""

    loss: Literal["squares", "absolute", "huber"] = setting(
        "squares",
        group="Objective",
        names={"huber": "Huber"},
        help="Squared error; absolute error, whose best constant is the median; or Huber's, which is linear from δ on. "
        "In the last two outliers count less.",
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


@hookimpl
def lab_register_objectives(register: Callable[[ObjectiveCard], None]) -> None:
    """Register the objectives."""
    module = "lab.training.objectives"
    register(
        ObjectiveCard(
            name="causal",
            title="Next token",
            build=f"{module}:Causal",
            config=SmoothedConfig,
            summary="Predict every token from those before it, within a window.",
        )
    )
    register(
        ObjectiveCard(
            name="carried",
            title="Next token, state carried",
            build=f"{module}:Carried",
            config=SmoothedConfig,
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
            config=SequenceToSequenceConfig,
            summary="Generate a target token by token from a source.",
        )
    )
    register(
        ObjectiveCard(
            name="captions",
            title="Captions",
            build=f"{module}:Captions",
            config=SequenceToSequenceConfig,
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
