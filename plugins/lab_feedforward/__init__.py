"""Networks before sequences: perceptron, multi-layer and convolutional networks, and Bengio's language model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from lab.api import Architecture, Explanation, ModelConfig, ObjectiveCard, Probe, View, hookimpl, setting
from lab_feedforward import explanations
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


@hookimpl
def lab_register_probes(register: Callable[[Probe], None]) -> None:
    """Register the probes of weights, of signals, and of the walk of an example through a network."""

    def add(name: str, title: str, build: str, summary: str, found: Mapping[str, Explanation]) -> None:
        rows = frozenset({"vectors", "images"})
        register(Probe(name, title, build, summary=summary, reads=rows, explanations=found))

    add(
        "network",
        "Network as a graph",
        "lab_feedforward.probes:network",
        "One example forward and back through the network: the value of each unit, weight and gradient of each edge.",
        explanations.NETWORK,
    )
    add(
        "signals",
        "Signals and gradients",
        "lab_feedforward.probes:signals",
        "What passes through the activations of each layer, with their derivatives; how gradients shrink or grow with "
        "depth; and how many units are dead.",
        explanations.SIGNALS,
    )
    add(
        "weights",
        "Weights",
        "lab_feedforward.probes:weights",
        "The weights of each layer; those of units that read images as pictures.",
        explanations.WEIGHTS,
    )
    register(
        Probe(
            "vectors",
            "Vectors of tokens",
            "lab_feedforward.vectors:vectors",
            summary="The vectors of the tokens of the probe text along the two principal directions of all vectors, "
            "and how alike they are: which tokens the model takes for each other.",
            explanations=explanations.VECTORS,
        )
    )


@hookimpl
def lab_register_views(register: Callable[[View], None]) -> None:
    """Register the view of a network as a graph."""
    register(
        View(
            name="network-graph",
            title="Network as a graph",
            axes=("quantity", "unit", "channel"),
            readings=("network", "network example", "network output"),
            build="lab_feedforward.views.network:NetworkView",
            summary="The network as units and edges, walked forward and backward step by step.",
            explanation=explanations.NETWORK["network"],
        )
    )
