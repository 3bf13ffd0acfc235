"""The built-in objectives, optimizers and learning-rate schedules."""

from __future__ import annotations

from collections.abc import Callable

from lab.api import ModelConfig, ObjectiveCard, Optimizer, Schedule, hookimpl, setting

LAB_API_VERSION = 1


class MaskedConfig(ModelConfig):
    """Settings of the masked objective."""

    share: float = setting(
        0.15, gt=0, le=1, help="Share of the tokens that are hidden and must be found.", cite="Devlin et al. 2018"
    )


class AdamWConfig(ModelConfig):
    """Settings of AdamW."""

    learning_rate: float = setting(
        1e-3, gt=0, le=10, log=True, live=True, help="Size of an update, before the schedule's factor."
    )
    beta1: float = setting(0.9, ge=0, lt=1, help="Share of the old mean gradient kept at each step.")
    beta2: float = setting(0.99, ge=0, lt=1, help="Share of the old mean squared gradient kept at each step.")
    eps: float = setting(1e-8, gt=0, le=1, log=True, help="Added to the root of the mean squared gradient.")
    weight_decay: float = setting(
        0.1, ge=0, le=10, live=True, help="Pull of matrices towards zero, times the learning rate."
    )


class SGDConfig(ModelConfig):
    """Settings of stochastic gradient descent."""

    learning_rate: float = setting(
        0.1, gt=0, le=100, log=True, live=True, help="Size of an update, before the schedule's factor."
    )
    momentum: float = setting(
        0.9, ge=0, lt=1, live=True, help="Share of the last update kept at each step; 0 for none."
    )
    nesterov: bool = setting(False, help="Whether the gradient is taken one momentum step ahead.")
    weight_decay: float = setting(
        0.0, ge=0, le=10, live=True, help="Pull of matrices towards zero, added to the gradient."
    )


class ConstantConfig(ModelConfig):
    """Settings of the constant schedule."""

    warmup: int = setting(0, ge=0, unit="steps", help="Steps over which the learning rate rises from near zero.")


class CosineConfig(ConstantConfig):
    """Settings of the cosine schedule."""

    floor: float = setting(0.1, ge=0, le=1, help="Factor that is left at the last step.")
    steps: int = setting(0, ge=0, unit="steps", help="Steps until the floor is reached; 0 means all of the training.")


@hookimpl
def lab_register_objectives(register: Callable[[ObjectiveCard], None]) -> None:
    """Register the objectives."""
    module = "lab.training.objectives"
    register(
        ObjectiveCard(
            name="causal",
            title="Next token",
            build=f"{module}:Causal",
            summary="Every token is guessed from those before it, within a window.",
        )
    )
    register(
        ObjectiveCard(
            name="carried",
            title="Next token, state carried",
            build=f"{module}:Carried",
            summary="The text is read as one stream; the state is carried between windows, gradients are not.",
        )
    )
    register(
        ObjectiveCard(
            name="masked",
            title="Hidden tokens",
            build=f"{module}:Masked",
            config=MaskedConfig,
            summary="Some tokens are hidden and guessed from both sides.",
        )
    )
    register(
        ObjectiveCard(
            name="sequence-to-sequence",
            title="Sequence to sequence",
            build=f"{module}:SequenceToSequence",
            summary="A target is written token by token while a source is read.",
        )
    )
    register(
        ObjectiveCard(
            name="classification",
            title="Classification",
            build=f"{module}:Classification",
            summary="One of several classes is named for each input.",
        )
    )


@hookimpl
def lab_register_optimizers(register: Callable[[Optimizer], None]) -> None:
    """What turns gradients into new weights."""
    module = "lab.training.optimizers"
    register(
        Optimizer(
            name="adamw",
            title="AdamW",
            build=f"{module}:adamw",
            config=AdamWConfig,
            summary="Updates in units of each weight's own gradient size; decay apart (Loshchilov & Hutter 2019).",
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
            summary="Rises linearly over the warm-up, then stays.",
        )
    )
