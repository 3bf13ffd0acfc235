"""Networks before sequences: perceptron, multi-layer and convolutional networks, and Bengio's language model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from lab.api import Architecture, ModelConfig, ObjectiveCard, hookimpl, setting
from lab_feedforward.cards import VECTORS, WINDOWS

LAB_API_VERSION = 2


class MarginConfig(ModelConfig):
    """The settings of the objective of margins."""

    loss: Literal["perceptron", "hinge", "squares"] = setting(
        "perceptron",
        group="Objective",
        names={"perceptron": "Perceptron's rule", "squares": "Squares (ADALINE)"},
        help="What a margin costs: the rule of 1958 corrects mistakes alone, the hinge asks for a margin of 1, squares "
        "draw every sum towards 1 or −1.",
        cite="Rosenblatt 1958; Crammer & Singer 2001; Widrow & Hoff 1960",
    )


@hookimpl
def lab_register_architectures(register: Callable[[Architecture], None]) -> None:
    """Register the cards."""
    for card in (*VECTORS, *WINDOWS):
        register(card)


@hookimpl
def lab_register_objectives(register: Callable[[ObjectiveCard], None]) -> None:
    """Register the objective of margins."""
    register(
        ObjectiveCard(
            name="margin",
            title="Margin",
            build="lab_feedforward.objectives:Margin",
            config=MarginConfig,
            summary="Tell classes apart by the sign of a sum: the perceptron's rule, the hinge, or ADALINE's squares.",
        )
    )
