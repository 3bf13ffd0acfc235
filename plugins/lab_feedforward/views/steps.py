"""The steps of one example through a network and back, with the formula and the numbers of each; without Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.api import Reading

NAME, EXAMPLE, OUTPUT = "network", "network example", "network output"
"""The readings of a walk."""
MOST_UNITS = 10
"""The largest number of units of a layer that are drawn and walked one by one."""
MOST_TERMS = 6
"""The largest number of terms of a sum that are written out."""

Numbers = NDArray[np.floating[Any]]


class Kind(Enum):
    """The kinds of steps, in the order in which they come."""

    INPUT = auto()
    SUM = auto()
    VALUE = auto()
    LOSS = auto()
    OUTPUT_GRADIENT = auto()
    WEIGHT_GRADIENT = auto()
    VALUE_GRADIENT = auto()
    ERROR = auto()


FORWARD = (Kind.INPUT, Kind.SUM, Kind.VALUE, Kind.LOSS)
"""The kinds of steps on the way forward."""


@dataclass(frozen=True, eq=False)
class GraphLayer:
    """A layer of the drawing.

    Args:
        weights: (units, inputs).
        gradients: (units, inputs) ∂L/∂ of the weights.
        bias: (units,).
        sums: (units,) z.
        values: (units,) f(z).
        outputs: (units,) what is handed on.
        value_gradients: (units,) ∂L/∂ of that.
        errors: (units,) δ = ∂L/∂z.
        slopes: (units,) f′(z).
        activation: Its name.
    """

    weights: Numbers
    gradients: Numbers
    bias: Numbers
    sums: Numbers
    values: Numbers
    outputs: Numbers
    value_gradients: Numbers
    errors: Numbers
    slopes: Numbers
    activation: str


@dataclass(frozen=True, eq=False)
class Graph:
    """A walk as it is drawn.

    Args:
        inputs: (inputs,).
        input_gradient: (inputs,).
        layers: The layers, the output last.
        logits: (K,) what the model gives.
        logit_gradients: (K,).
        targets: (K,) the target: 1 at the right class, or the numbers.
        names: The name of each of them.
        loss: The loss.
        unit: Its unit.
    """

    inputs: Numbers
    input_gradient: Numbers
    layers: tuple[GraphLayer, ...]
    logits: Numbers
    logit_gradients: Numbers
    targets: Numbers
    names: tuple[str, ...]
    loss: float
    unit: str


@dataclass(frozen=True)
class Step:
    """One step of the walk.

    Args:
        kind: Its kind.
        layer: The number of its layer; −1 at the input.
        unit: The number of its unit; None for a whole layer.
        formula: Its formula, in signs.
        numbers: The same with the numbers of this step.
    """

    kind: Kind
    layer: int
    unit: int | None
    formula: str
    numbers: str

    @property
    def is_forward(self) -> bool:
        """True on the way forward."""
        return self.kind in FORWARD


def graph_of(readings: Sequence[Reading]) -> Graph | None:
    """Return the walk that readings hold; None if something of it is missing."""
    layers, example, output = [], None, None
    for reading in sorted(readings, key=lambda one: -1 if one.layer is None else one.layer):
        values = np.asarray(reading.values, np.float64)
        names = tuple(map(str, reading.coordinates.get("quantity", ())))
        if reading.name == NAME and len(values) == 8:
            weights, gradients, *rest = values
            sums, found, outputs, behind, errors, slopes = (one[:, 0] for one in rest)
            activation = names[-1].removeprefix("derivative of ") if names else ""
            layers.append(GraphLayer(weights[:, :-1], gradients[:, :-1], weights[:, -1], sums, found, outputs, behind,
                                     errors, slopes, activation))  # fmt: skip
        elif reading.name == EXAMPLE:
            example = values[:, 0]
        elif reading.name == OUTPUT:
            output = values[:, 0], tuple(map(str, reading.coordinates.get("channel", ()))), reading.units or ""
    if not layers or example is None or output is None:
        return None
    (logits, gradients, targets, loss), names, unit = output
    return Graph(example[0], example[1], tuple(layers), logits, gradients, targets, names, float(loss[0]), unit)


def drawn_units(sizes: Numbers) -> list[int]:
    """Return which units of a layer are drawn: all, or those whose values are farthest from 0, in their order."""
    if len(sizes) <= MOST_UNITS:
        return list(range(len(sizes)))
    return sorted(np.argsort(-np.abs(sizes), kind="stable")[:MOST_UNITS].tolist())


def steps_of(graph: Graph) -> list[Step]:
    """Return the steps: layer by layer forward, the loss, and layer by layer back."""
    steps = [Step(Kind.INPUT, -1, None, "a₀ = x", "a₀ = " + _vector(graph.inputs))]
    last = len(graph.layers) - 1
    for number, layer in enumerate(graph.layers):
        before = graph.inputs if number == 0 else graph.layers[number - 1].outputs
        for unit in drawn_units(layer.outputs):
            steps.append(_sum_step(number, unit, layer, before))
            if number < last:
                steps.append(_value_step(number, unit, layer, before))
    steps.append(_loss_step(graph))
    steps += [_output_gradient_step(graph, last, unit) for unit in drawn_units(graph.layers[last].outputs)]
    for number in range(last, -1, -1):
        layer = graph.layers[number]
        before = graph.inputs if number == 0 else graph.layers[number - 1].outputs
        if number < last:
            above = graph.layers[number + 1]
            for unit in drawn_units(layer.outputs):
                steps.append(_value_gradient_step(number, unit, layer, above))
                steps.append(_error_step(number, unit, layer))
        steps += [_weight_gradient_step(number, unit, layer, before) for unit in drawn_units(layer.outputs)]
    return steps


def _sum_step(number: int, unit: int, layer: GraphLayer, before: Numbers) -> Step:
    name, terms = f"z{_low(number + 1)}{_at(unit)}", _products(layer.weights[unit], before)
    formula = f"{name} = Σᵢ w{_low(number + 1)}[{unit + 1},i] a{_low(number)}[i] + b{_low(number + 1)}{_at(unit)}"
    numbers = f"{name} = {terms} + {_one(layer.bias[unit])} = {_figure(layer.sums[unit])}"
    return Step(Kind.SUM, number, unit, formula, numbers)


def _value_step(number: int, unit: int, layer: GraphLayer, before: Numbers) -> Step:
    name, z = f"a{_low(number + 1)}{_at(unit)}", f"z{_low(number + 1)}{_at(unit)}"
    formula = f"{name} = {layer.activation}({z})"
    numbers = f"{name} = {layer.activation}({_figure(layer.sums[unit])}) = {_figure(layer.values[unit])}"
    if len(before) == len(layer.outputs) and not np.allclose(layer.outputs, layer.values, rtol=0, atol=1e-12):
        formula += f" + a{_low(number)}{_at(unit)}"
        numbers += f"; + {_one(before[unit])} = {_figure(layer.outputs[unit])}"
    return Step(Kind.VALUE, number, unit, formula, numbers)


def _loss_step(graph: Graph) -> Step:
    last = len(graph.layers) - 1
    if graph.unit == "nats per label" and len(graph.targets) > 1 and abs(graph.targets.sum() - 1) < 1e-9:
        powers = np.exp(graph.logits - graph.logits.max())
        shares, right = powers / powers.sum(), int(graph.targets.argmax())
        numbers = f"p = {_vector(shares)},  L = −ln {_figure(shares[right])} = {_figure(graph.loss)} nats"
        return Step(Kind.LOSS, last, None, "p = softmax(y),  L = −ln p[target]", numbers)
    numbers = f"y = {_vector(graph.logits)},  t = {_vector(graph.targets)},  L = {_figure(graph.loss)}"
    return Step(Kind.LOSS, last, None, "L = loss(y, t)", numbers)


def _output_gradient_step(graph: Graph, number: int, unit: int) -> Step:
    layer, name = graph.layers[number], f"δ{_low(number + 1)}{_at(unit)}"
    same = len(layer.outputs) == len(graph.logits)
    if same and graph.unit == "nats per label" and abs(graph.targets.sum() - 1) < 1e-9:
        share = graph.logit_gradients[unit] + graph.targets[unit]
        formula = f"{name} = ∂L/∂y{_at(unit)} = p{_at(unit)} − t{_at(unit)}"
        numbers = f"{name} = {_figure(share)} − {_figure(graph.targets[unit])} = {_figure(layer.errors[unit])}"
    elif same:
        formula, numbers = f"{name} = ∂L/∂y{_at(unit)}", f"{name} = {_figure(layer.errors[unit])}"
    else:
        formula = f"{name} = (∂L/∂y[2] − ∂L/∂y[1]) / 2"
        first, second = graph.logit_gradients[:2]
        numbers = f"{name} = ({_figure(second)} − {_one(first)}) / 2 = {_figure(layer.errors[unit])}"
    return Step(Kind.OUTPUT_GRADIENT, number, unit, formula, numbers)


def _value_gradient_step(number: int, unit: int, layer: GraphLayer, above: GraphLayer) -> Step:
    name = f"∂L/∂a{_low(number + 1)}{_at(unit)}"
    formula = f"{name} = Σⱼ w{_low(number + 2)}[j,{unit + 1}] δ{_low(number + 2)}[j]"
    terms = _products(above.weights[:, unit], above.errors)
    passed = float(layer.value_gradients[unit] - above.weights[:, unit] @ above.errors)
    numbers = f"{name} = {terms}"
    if abs(passed) > 1e-9 * max(1.0, abs(float(layer.value_gradients[unit]))):  # the residual connection above
        formula += f" + ∂L/∂a{_low(number + 2)}{_at(unit)}"
        numbers += f" + {_one(passed)}"
    return Step(Kind.VALUE_GRADIENT, number, unit, formula, f"{numbers} = {_figure(layer.value_gradients[unit])}")


def _error_step(number: int, unit: int, layer: GraphLayer) -> Step:
    low = _low(number + 1)
    formula = f"δ{low}{_at(unit)} = ∂L/∂a{low}{_at(unit)} · {layer.activation}′(z{low}{_at(unit)})"
    numbers = (
        f"δ{low}{_at(unit)} = {_figure(layer.value_gradients[unit])} · {_one(layer.slopes[unit])}"
        f" = {_figure(layer.errors[unit])}"
    )
    return Step(Kind.ERROR, number, unit, formula, numbers)


def _weight_gradient_step(number: int, unit: int, layer: GraphLayer, before: Numbers) -> Step:
    low = _low(number + 1)
    shown = min(len(before), MOST_TERMS)
    formula = (
        f"∂L/∂w{low}[{unit + 1},i] = δ{low}{_at(unit)} a{_low(number)}[i],  ∂L/∂b{low}{_at(unit)} = δ{low}{_at(unit)}"
    )
    parts = [
        f"{_figure(layer.errors[unit])} · {_one(before[i])} = {_figure(layer.gradients[unit, i])}" for i in range(shown)
    ]
    numbers = ",  ".join(parts) + (", …" if shown < len(before) else "")
    return Step(Kind.WEIGHT_GRADIENT, number, unit, formula, numbers)


def _products(factors: Numbers, others: Numbers) -> str:
    shown = list(range(len(factors)))[:MOST_TERMS]
    terms = " + ".join(f"{_one(factors[i])} · {_one(others[i])}" for i in shown)
    left = len(factors) - len(shown)
    return terms + (f" + … ({left} more)" if left else "")


def _vector(values: Numbers) -> str:
    shown = ", ".join(map(_figure, values[:MOST_TERMS].tolist()))
    return f"({shown}{', …' if len(values) > MOST_TERMS else ''})"


def _at(unit: int) -> str:
    return f"[{unit + 1}]"


def _low(number: int) -> str:
    """Return a number in low digits."""
    return "".join("₀₁₂₃₄₅₆₇₈₉"[int(digit)] for digit in str(number))


def _figure(value: float) -> str:
    return f"{float(value):.4g}".replace("-", "−")


def _one(value: float) -> str:
    """Return a factor or a term, in parentheses if it is negative."""
    text = _figure(value)
    return f"({text})" if text.startswith("−") else text
