"""Readings: named-axis arrays that a model reports about itself, and `capture`, which collects them.

Inside a model `self.report("attention", lambda: weights, axes=("batch", "head", "query", "key"))` costs one attribute
read unless this very instance is being captured. Views depend on the axes, not on the architecture.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from lab.api.objectives.objective import Batch, Objective
from lab.base import BadInput

if TYPE_CHECKING:
    from torch import Tensor

AXES = (
    "batch", "token", "query", "key", "source", "head", "channel", "unit", "state", "expert", "partner", "vocabulary",
    "order", "layer", "writer", "lag", "bin", "component", "quantity", "example", "class", "predicted", "x", "y",
)  # fmt: skip
"""The axes that a dimension of a reading may have. "batch" is the first, the others are in any order.

- batch: rows, independent of one another.
- token: positions of the text that is read.
- query, key: of a map between positions: the position that reads, and the one that is read.
- source: positions of a second text, such as an encoder's.
- head: parallel modules of the same kind.
- channel: the C numbers of the residual stream, and quantities with one value for each, such as states and gates.
- unit: inner numbers of a layer that do not correspond to channels: hidden units.
- state: numbers that a recurrence stores for each channel or head.
- expert: experts of a mixture.
- partner: the same experts again, in a reading of pairs: the partners of those on the axis "expert".
- vocabulary: symbols.
- order: context lengths of an n-gram, from 0.
- layer: blocks, compared in one reading.
- writer: heads of earlier blocks, whose output is read by those on the axis "head".
- lag: tokens between two positions.
- bin: bins of a histogram.
- component: directions found in many numbers, such as principal components.
- quantity: several quantities; `coordinates` names them, and `quantity_units` gives the units of those that differ.
- example: rows of a corpus, compared in one reading.
- class: classes, or the numbers that are predicted.
- predicted: the same classes again, as the model predicts them.
- x, y: of a picture: columns from left to right, rows from top to bottom; or, with numbers as coordinates, of a plane.
"""
FROM_ZERO = ("order", "vocabulary", "lag")
"""Axes that count from 0, such as orders, lags and symbol numbers; the others are shown from 1."""

Question: TypeAlias = Literal["attention", "memory", "work", "gradient", "prediction"]
"""The questions that a reading may answer: where does the model look, what does it remember, which part does the work,
where does the gradient go, what does it predict."""


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """An explanation of a view of readings and of how to read it, for users who see it for the first time.

    Args:
        shows: What is shown, in one short sentence without a full stop.
        how: How to read it, in two or three sentences.
        example: A small example: what a pattern in it means.
        formula: How it is computed, in LaTeX as matplotlib reads it; "" where a formula says no more.
        question: The question that it answers.
        symbols: The meaning of each symbol of the formula, in a few words, by the symbol in LaTeX.
        parts: The part of the model that a symbol stands for or comes from, by the symbol: its path
            ("blocks.0.token"), its name in the drawing of the model ("query") or its kind ("tokens"), of which the
            first that a model has is meant. The symbol is linked to it.

    Raises:
        ValueError: A part is given for what is none of the symbols.
    """

    shows: str
    how: str
    example: str = ""
    formula: str = ""
    question: Question
    symbols: Mapping[str, str] = field(default_factory=dict)
    parts: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        unknown = [symbol for symbol in self.parts if symbol not in self.symbols]
        if unknown:
            known = ", ".join(self.symbols) or "there are none"
            raise ValueError(f"parts of an explanation names {unknown[0]!r}, which is not one of its symbols: {known}")


Coordinates: TypeAlias = Mapping[str, tuple[str | float, ...]]
"""The label or number of each position along an axis, by axis."""


@dataclass(frozen=True)
class Reading:
    """The values[axes] that one module of a model reported in one forward pass.

    Args:
        name: Its name ("attention"). Views group readings by (name, axes).
        axes: Names from AXES, one per dimension of values; "batch" first, dropped if the probe has one row.
        values: A numpy array; a tensor with its graph if capture was called with graph=True.
        layer: Index of the block in the stack; None outside the blocks.
        path: Path of the reporting module in the model ("blocks.1.token").
        units: Unit of the values, if they have one; "token" if they are symbols of the vocabulary.
        coordinates: By axis, the labels of the positions along it, or their numbers if the axis is a scale. Without
            them positions are counted, and positions of the text are labelled with its tokens.
        quantity_units: By label along the axis "quantity", the unit of a quantity that has one of its own; `units` is
            the unit of the others.
    """

    name: str
    axes: tuple[str, ...]
    values: Any
    layer: int | None = None
    path: str = ""
    units: str | None = None
    coordinates: Coordinates = field(default_factory=dict)
    quantity_units: Mapping[str, str] = field(default_factory=dict)


def check_axes(name: str, axes: Sequence[str], dimensions: int, where: str) -> None:
    """Raise ValueError unless every axis is in AXES, none occurs twice, and there is one per dimension."""
    unknown = [axis for axis in axes if axis not in AXES]
    if unknown:
        raise ValueError(f"{where} reports {name!r} with the unknown axis {unknown[0]!r}; axes are {', '.join(AXES)}")
    if len(set(axes)) != len(axes):
        raise ValueError(f"{where} reports {name!r} with an axis named twice: {', '.join(axes)}")
    if "batch" in axes and axes[0] != "batch":
        raise ValueError(f'{where} reports {name!r} with "batch" not first: {", ".join(axes)}')
    if len(axes) != dimensions:
        raise ValueError(
            f"{where} reports {name!r} with {len(axes)} axes ({', '.join(axes)}) for {dimensions} dimensions"
        )


def check_coordinates(reading: Reading, shape: Sequence[int]) -> None:
    """Raise ValueError unless `coordinates` has one label or number for each position along axes of the reading.

    The quantities that have units must be among them.
    """
    for axis, coordinates in reading.coordinates.items():
        if axis not in reading.axes:
            raise ValueError(f"the reading {reading.name!r} has coordinates along {axis!r}, which it does not have")
        size = shape[reading.axes.index(axis)]
        if len(coordinates) != size or not all(isinstance(each, str | int | float) for each in coordinates):
            raise ValueError(f"the reading {reading.name!r} needs {size} labels or numbers along {axis!r}")
    quantities = reading.coordinates.get("quantity", ())
    for quantity, unit in reading.quantity_units.items():
        if quantity not in quantities or not isinstance(unit, str):
            raise ValueError(
                f"the reading {reading.name!r} has the unit {unit!r} for {quantity!r}: give texts, for labels of its "
                f"coordinates along 'quantity'"
            )


def _check_types(reading: Reading) -> None:
    axes = reading.axes if isinstance(reading.axes, tuple | list) else (None,)
    if not all(isinstance(word, str) for word in (reading.name, reading.path, reading.units or "", *axes)):
        raise TypeError(
            f"name, path, units and axes of a reading are texts: {reading.name!r} with axes {reading.axes!r}"
        )
    if not isinstance(reading.layer, int | None):
        raise TypeError(f"the layer of the reading {reading.name!r} is {reading.layer!r}: give a whole number or None")


def checked_readings(found: Any) -> list[Reading]:
    """Return the readings of a probe, with their values as numpy.

    Args:
        found: The probe's return value.

    Raises:
        TypeError: It is not a list of Readings, or one does not hold real numbers.
        ValueError: Axes do not fit the values, or two readings of one module have the same name.
    """
    import numpy as np
    from torch import Tensor

    if not isinstance(found, list | tuple) or not all(isinstance(reading, Reading) for reading in found):
        kinds = {type(one).__name__ for one in found} if isinstance(found, list | tuple) else {type(found).__name__}
        raise TypeError(f"a probe must return a list of lab.api.Reading, and this one gave {', '.join(sorted(kinds))}")
    named = [(reading.name, reading.path, reading.layer) for reading in found]
    checked = []
    for reading, name in zip(found, named, strict=True):
        _check_types(reading)
        values = _array(reading.values) if isinstance(reading.values, Tensor) else np.asarray(reading.values)
        if values.dtype.kind not in "biuf":
            raise TypeError(f"the reading {reading.name!r} holds {values.dtype}, and only real numbers are recorded")
        check_axes(reading.name, reading.axes, values.ndim, reading.path or "the probe")
        check_coordinates(reading, values.shape)
        if named.count(name) > 1:
            raise ValueError(f"{reading.path or 'the probe'} gave two readings called {reading.name!r}: rename one")
        checked.append(replace(reading, values=values))
    return checked


class Listener:
    """The collector that `capture` sets on the modules of a model, which call it through `report`."""

    def __init__(
        self,
        modules: dict[int, tuple[str, int | None]],
        names: frozenset[str] | None,
        errors: list[ValueError] | None = None,
    ) -> None:
        self._modules = modules  # id of a module -> (path, layer)
        self._names = names
        self._errors = errors  # collects errors that must not stop anything
        self._received: list[Reading] = []
        self._loops: list[dict[tuple[str, str, int | None], list[Reading]]] = []

    def __deepcopy__(self, memo: object) -> None:
        """Copy as None: a copy of a captured model is not captured."""

    def wants(self, name: str) -> bool:
        """Return True if readings of this name are captured."""
        return self._names is None or name in self._names

    def receive(
        self,
        module: object,
        name: str,
        values: Tensor | Callable[[], Tensor],
        axes: Sequence[str],
        layer: int | None,
        units: str | None,
        coordinates: Coordinates | None = None,
        quantity_units: Mapping[str, str] | None = None,
    ) -> None:
        """Record one report. Values may be a callable, which is called only here."""
        if not self.wants(name):
            return
        path, found = self._modules[id(module)]
        tensor = values if not callable(values) else values()
        named = tuple(axes)
        if self._loops and len(named) == tensor.ndim + 1:  # one token of a report that elsewhere has all of them
            named = tuple(axis for axis in named if axis != "token")
        layer = found if layer is None else layer
        reading = Reading(name, named, tensor, layer, path, units, coordinates or {}, quantity_units or {})
        try:
            check_axes(name, named, tensor.ndim, path or type(module).__name__)
            check_coordinates(reading, tensor.shape)
        except ValueError as error:
            if self._errors is None:
                raise
            self._errors.append(error)
            return
        if self._loops:  # one token of a derived forward: stacked when its loop ends
            self._loops[-1].setdefault((name, path, layer), []).append(reading)
        else:
            self._received.append(reading)

    @contextlib.contextmanager
    def token_by_token(self) -> Iterator[None]:
        """Stack the reports of a module that is called once per token, with "token" after "batch".

        A report that already has a "token" axis is concatenated along it. One with "query" or "key" grows with every
        token and cannot be stacked: it is left out, and captured in the mixer's sequence form.
        """
        import torch

        self._loops.append({})
        try:
            yield
        finally:
            loop = self._loops.pop()
        for key, reports in loop.items():
            axes = reports[0].axes
            if "query" in axes or "key" in axes:
                continue
            tensors = [reading.values for reading in reports]
            if "token" in axes:
                values = torch.cat(tensors, dim=axes.index("token"))
            else:
                behind = 1 if axes[:1] == ("batch",) else 0
                values = torch.stack(tensors, dim=behind)
                axes = (*axes[:behind], "token", *axes[behind:])
            stacked = replace(reports[0], axes=axes, values=values)
            if self._loops:
                self._loops[-1].setdefault(key, []).append(stacked)
            else:
                self._received.append(stacked)

    def readings(self, *, graph: bool) -> list[Reading]:
        """Return the captured readings, copied from the device all at once at the end."""
        result = []
        for reading in self._received:
            axes, tensor = reading.axes, reading.values
            if axes[:1] == ("batch",) and tensor.shape[0] == 1 and not graph:
                axes, tensor = axes[1:], tensor[0]
            result.append(replace(reading, axes=axes, values=tensor if graph else _array(tensor)))
        return result


def _array(tensor: Tensor) -> Any:
    """Return the tensor as numpy: floating-point numbers as float32, integers as they are."""
    tensor = tensor.detach()
    return (tensor.float() if tensor.is_floating_point() else tensor).cpu().numpy()


def layer_of(path: str) -> int | None:
    """Return the layer of a module or parameter: the first whole number in its path; None if it has none."""
    return next((int(part) for part in path.split(".") if part.isdigit()), None)


@contextlib.contextmanager
def capture(
    model: Any,
    names: Iterable[str] | None = None,
    *,
    graph: bool = False,
    errors: list[ValueError] | None = None,
) -> Iterator[list[Reading]]:
    """Capture what THIS model instance reports inside the `with`; the list is filled when it ends.

    Other instances, other threads and torch.compile are not affected. Not for decoding: run a forward pass.

    Args:
        model: A lab.layers.LanguageModel.
        names: Only readings of these names; None means all.
        graph: Whether to return the model's own tensors, all rows and with their graph, so that gradients can be taken
            with respect to them (`torch.autograd.grad(y, readings[0].values)`).
        errors: Collects the errors of reports with wrong axes, which are left out; None raises the first.

    Yields:
        The list that will hold the readings, in the order of the reports.

    Raises:
        RuntimeError: The model is being captured already.
        ValueError: A report has axes that do not exist or do not fit its values.
    """
    modules = [(path, module) for path, module in model.named_modules() if hasattr(module, "report")]
    if any(module._capture is not None for _, module in modules):
        raise RuntimeError("this model is being captured already: finish that capture first, or capture a copy")
    known = {id(module): (path, layer_of(path)) for path, module in modules}
    listener = Listener(known, None if names is None else frozenset(names), errors)
    readings: list[Reading] = []
    for _, module in modules:
        module._capture = listener
    try:
        yield readings
    finally:
        for _, module in modules:
            del module._capture  # the class attribute None is visible again
    readings.extend(listener.readings(graph=graph))


@dataclass(frozen=True, eq=False)
class ProbedRows:
    """Rows of the validation split, with their targets.

    Args:
        inputs: What the model reads: vectors (N, F) or images (N, H, W, C), float32.
        targets: The class of each row, (N,) int64; its numbers, (N, K) float32; or its caption as the model reads it,
            (N, T) int64 tokens, −1 behind the end.
        example: The index of the row that the probe is called with.
        number: The number of this row in the validation split, from 1.
        objective: What the model is trained for.
        model: The model itself, for probes that look into its modules.
        classes: The name of each class; () if numbers are predicted.
        features: The name of each number of a vector; () where they have none.
        outputs: The name of each number that is predicted; () for classes.
        captions: The caption of each row; () for other targets.
    """

    inputs: Tensor
    targets: Tensor
    example: int
    number: int
    objective: Objective
    model: Any = None
    classes: tuple[str, ...] = ()
    features: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    captions: tuple[str, ...] = ()

    @property
    def are_images(self) -> bool:
        """True if the inputs are images."""
        return self.inputs.ndim > 2

    @property
    def gives_probabilities(self) -> bool:
        """True if the softmax of the model's output, or of single numbers its sigmoid, are probabilities."""
        return self.objective.unit == "nats per label"

    def losses(self, model: Any, inputs: Tensor, targets: Tensor) -> Tensor:
        """Return the loss of each target of some rows, (N,) or (N, K), with its graph."""
        return self.objective.loss(model, Batch({"tokens": inputs}, targets, max(1, targets.numel()))).nats


def probed_rows(model: Any) -> ProbedRows:
    """Return the rows on which a probe reads a model.

    Raises:
        BadInput: The model reads tokens.
    """
    rows = getattr(model, "probed_rows", None)
    if not isinstance(rows, ProbedRows):
        raise BadInput("this probe is for models of vectors and images", remedy="Choose another probe")
    return rows
