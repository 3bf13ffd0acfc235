"""The base of every view of a reading: it stores the layers, shows one, or a message if it cannot be drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Self

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QStackedLayout, QWidget

from lab.api import Reading
from lab.widgets.core.controls import MenuButton, label, plain_tip
from lab.widgets.core.glyphs import glyphs
from lab.widgets.core.i18n import tr, tr_registered
from lab.widgets.maps.colours import Numbers, figure
from lab.widgets.maps.layout import NameLabel
from lab.widgets.readings.axes import AxisLabels, labels_along, short_name

MOST_AXES = 3
"""The largest number of axes that a view can show, without the batch."""
MOST = 256
"""The largest number of values of a reading that become curves."""

Limited = Mapping[tuple[str, int | None], Sequence[tuple[float, float] | None]]
"""The least and greatest value to draw, one pair or one for each quantity, by name and layer of readings."""


@dataclass(frozen=True)
class Training:
    """The data of the training of the run whose readings a view shows.

    Args:
        snapshots: Label and readings of each recorded snapshot, in order; the inspection that is shown is the last.
        values_of: Returns the values of the run's series with a prefix at the shown step, by name.
    """

    snapshots: Sequence[tuple[str, Sequence[Reading]]] = ()
    values_of: Callable[[str], Mapping[str, float]] = lambda _: {}


class ReadingView(QWidget):
    """The base of views of readings with one name and one list of axes, one for each layer.

    A subclass overrides `show_values` and puts its widgets into `body`; if it offers choices, it emits `picked` and
    overrides `choose_as`.
    """

    picked = Signal()
    """The user changed a choice: a head, a row, a scale."""
    layer_picked = Signal(int)
    """The user picked another layer in the view itself."""
    head_picked = Signal(int)
    """The user picked another head in the view itself, by its number from 0."""
    least_height = 0
    """The pixels of height in which it can be read; 0 for any height."""
    shows_training = False
    """True if `set_training` is to be called before `show_readings`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.options: list[QWidget] = []
        """The quiet controls that a card puts into its head."""
        self.body = QWidget()
        self.labels: tuple[str, ...] = ()
        """The labels of the tokens that were read."""
        self.axis_labels: Mapping[str, AxisLabels] = {}
        """The labels of the indices in the shown reading, by axis."""
        self.symbol: Callable[[int], str] = str
        """Returns the label of a symbol of the vocabulary."""
        self.all_readings: Sequence[Reading] = ()
        """All readings of the inspection, for views that draw several of them together."""
        self.are_symbols = False
        """True if the values are symbol numbers."""
        self.shown_unit = ""
        """The unit of the shown values; "" for none."""
        self.limits: tuple[float, float] | None = None
        """Least and greatest value of the colours; None for those of the shown values."""
        self._limits: Limited = {}
        self.where = ""
        """The layer of the shown reading, as text; "" outside the layers."""
        self._unplaced = QWidget(self)  # parent of the options until a card takes them
        self._unplaced.hide()
        self._sentence = label("", "dim")
        self._sentence.setWordWrap(True)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self.body)
        self._pages.addWidget(self._sentence)
        self._readings: dict[int | None, Reading] = {}
        self._wanted: int | None = None
        self._head = 0  # the selected head, even if the shown reading has fewer
        self._map_index = 0  # the selected map of a reading whose maps are no heads
        self._row = MenuButton(tr("Row"), [("0", "")], self._on_row_choice, prefix=tr("row") + " ")
        self.add_option(self._row)
        self._row.hide()

    def add_option(self, control: QWidget) -> None:
        """Add a control for the card."""
        control.setParent(self._unplaced)
        self.options.append(control)

    def set_limits(self, limits: Limited) -> None:
        """Draw the next readings on one scale with others, such as those of other steps.

        Args:
            limits: By name and layer, the least and the greatest value of all of them, one pair, or one for each
                quantity. Readings without limits have their own scale.
        """
        self._limits = limits

    def set_comparison(self, readings: Sequence[Reading], labels: tuple[str, ...]) -> None:
        """Set the readings of the view next to it, for views that adapt to them.

        Args:
            readings: The readings of the other view; none if there is no other view.
            labels: The labels of the tokens that were read there.
        """

    def set_training(self, training: Training) -> None:
        """Set the data of the training, for views that show more than one snapshot."""

    def choose_as(self, other: Self) -> None:
        """Apply the choices of another view of the same kind."""
        self._wanted, self._head, self._map_index = other._wanted, other._head, other._map_index
        self._row.value = other._row.value  # shown once the choices are offered
        self._show()

    def show_readings(self, readings: list[Reading], labels: tuple[str, ...]) -> None:
        """Show other readings of the same kind; the user's choices remain.

        Args:
            readings: Readings of one name and one list of axes, one for each layer.
            labels: The tokenizer's labels of the tokens that were read.
        """
        self._readings = {reading.layer: reading for reading in readings}
        self.labels = labels
        self._show()

    def set_layer(self, layer: int | None) -> None:
        """Show the reading of a layer, or the first reading if the layer has none."""
        self._wanted = layer
        self._show()

    def set_head(self, head: int) -> None:
        """Select a head that was picked in another view; views that show no heads ignore it.

        Args:
            head: Its number, from 0.
        """
        self._head = head

    @property
    def has_heads(self) -> bool:
        """True if the shown reading has numbered heads, and not maps with names of their own."""
        reading = self.shown
        labels = () if reading is None else reading.coordinates.get("head", ())
        return reading is not None and "head" in reading.axes and all(str(each)[:1].isdigit() for each in labels)

    def index_among(self, count: int) -> int:
        """Return the index of the selected head or map among those shown, the last one if they are fewer.

        Args:
            count: The number of those shown.
        """
        return max(0, min(self._head if self.has_heads else self._map_index, count - 1))

    def pick_index(self, index: int) -> None:
        """Select a head for all views, or a map with a name of its own for this view alone."""
        if self.has_heads:
            self._head = index
            self.head_picked.emit(index)
        else:
            self._map_index = index

    def layers(self) -> list[int | None]:
        """Return the layers that have a reading, in order; None is outside the layers."""
        return sorted(self._readings, key=lambda layer: -1 if layer is None else layer)

    def labels_of(self, axis: str, size: int) -> tuple[str, ...]:
        """Return the label of each of `size` indices along an axis of the shown reading."""
        return labels_along(axis, size, self.labels, self.axis_labels.get(axis, ()))

    def names_of(self, axis: str, size: int) -> list[str]:
        """Return the full name of each of `size` indices along an axis: "head 3", "entropy"."""
        labels, name = self.labels_of(axis, size), short_name(axis)
        return [
            each if isinstance(each, NameLabel) and not each[:1].isdecimal() else f"{name} {each}" for each in labels
        ]

    def limits_at(self, quantity: int) -> tuple[float, float] | None:
        """Return the colour limits of a quantity of the shown reading; None for those of its values."""
        reading = self.shown
        known = () if reading is None else self._limits.get((reading.name, reading.layer), ())
        return known[quantity] if quantity < len(known) else None

    def format_cell(self, value: float) -> str:
        """Return a value as text: a number, or the symbol that it stands for."""
        is_symbol = self.are_symbols and np.isfinite(value) and value >= 0
        return glyphs(self.symbol(int(value))) if is_symbol else figure(value)

    def selected_number(self) -> int | None:
        """Return the index among the numbers of `numbers_of` of the one that is selected; None if none is."""
        return None

    def numbers_of(self, reading: Reading) -> tuple[list[str], Numbers] | None:
        """Return the selected numbers of a reading, each with its name; None if there are more than MOST.

        Args:
            reading: A reading with the shown name, axes and layer, at any step.
        """
        values, axes = np.asarray(reading.values).astype(np.float32), tuple(reading.axes)
        if axes[:1] == ("batch",) and values.size:
            values, axes = values[min(int(self._row.value), len(values) - 1)], axes[1:]
        values, axes = self.sliced(values, axes)
        if not 0 < values.size <= MOST:
            return None
        named = [self.names_of(axis, size) for axis, size in zip(axes, values.shape, strict=True)]
        return [" · ".join(names) for names in product(*named)], values.ravel()

    def sliced(self, values: Numbers, axes: tuple[str, ...]) -> tuple[Numbers, tuple[str, ...]]:
        """Return the selected slice of values, and its axes.

        Args:
            values: One dimension for each axis.
            axes: The axes, without "batch".
        """
        return values, axes

    @property
    def shown(self) -> Reading | None:
        """The reading that is shown."""
        layers = self.layers()
        return self._readings[self._wanted if self._wanted in layers else layers[0]] if layers else None

    def show_values(self, values: Numbers, axes: tuple[str, ...], unit: str) -> None:
        """Draw values that can be drawn: not empty, and not all NaN.

        Args:
            values: One dimension for each axis, float32.
            axes: At most MOST_AXES axes, without "batch".
            unit: Unit of the values; "" for none.
        """
        raise NotImplementedError

    def _show(self) -> None:
        reading = self.shown
        if reading is None:
            self._show_message(tr("Nothing was reported yet."))
            return
        self.limits = self.limits_at(0) if "quantity" not in reading.axes else None
        self.where = "" if reading.layer is None else tr("block {n}", n=reading.layer + 1)
        self.axis_labels, self.are_symbols = reading.coordinates, reading.units == "token"
        self.shown_unit = tr("number of the symbol") if self.are_symbols else tr_registered(reading.units or "")
        with np.errstate(over="ignore"):
            values = np.asarray(reading.values).astype(np.float32)
        axes = tuple(reading.axes)
        if axes[:1] == ("batch",) and values.size:
            values, axes = self._row_of(values), axes[1:]
        if len(axes) > MOST_AXES:
            self._show_message(tr("“{name}” has the axes {axes}: up to {most} can be drawn.",
                           name=reading.name, axes=", ".join(axes), most=MOST_AXES))  # fmt: skip
        elif not values.size:
            self._show_message(tr("“{name}” is empty: nothing was read.", name=reading.name))
        elif not np.isfinite(values).any():
            self._show_message(tr("No value of “{name}” is a finite number at this step.", name=reading.name))
        else:
            self._pages.setCurrentWidget(self.body)
            self.show_values(values, axes, self.shown_unit)

    def _row_of(self, values: Numbers) -> Numbers:
        rows = len(values)
        self._row.setVisible(rows > 1)
        self._row.set_choices([(str(number), str(number + 1)) for number in range(rows)])
        return np.asarray(values[int(self._row.value)])

    def _on_row_choice(self, _row: str) -> None:
        self._show()
        self.picked.emit()

    def _show_message(self, text: str) -> None:
        self._sentence.setText(text)
        self._pages.setCurrentWidget(self._sentence)


class Line(QLabel):
    """A dim text in one line, elided if necessary, with the full text in the tool tip, unless it may wrap."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", "note")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.full_text = ""

    def set_full_text(self, text: str) -> None:
        """Change the text."""
        self.full_text = text
        room = self.width() - 1  # by which a label's hint is wider than its text
        elided = self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room)
        shown = text if self.wordWrap() else elided
        self.setText(shown)
        self.setToolTip(plain_tip(text) if shown != text else "")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Elide the text to the width."""
        super().resizeEvent(event)
        self.set_full_text(self.full_text)


class WrappedText(QLabel):
    """A dim text in as many lines as its width needs, for what must not be cut."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", "note")
        self.setWordWrap(True)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def full_text(self) -> str:
        """The text."""
        return self.text()

    def set_full_text(self, text: str) -> None:
        """Change the text."""
        self.setText(text)
