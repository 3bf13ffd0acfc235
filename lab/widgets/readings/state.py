"""The view of a layer's state: quantities by token, eigenvalues, and memory of earlier tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from lab.api import Reading
from lab.widgets.core.controls import MenuButton
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import INSIDE, control_height
from lab.widgets.figures.view import ExportButton
from lab.widgets.maps.colours import Numbers
from lab.widgets.maps.complex_plane import Plane
from lab.widgets.readings.axes import title_of_name
from lab.widgets.readings.base import Limited, Line, ReadingView
from lab.widgets.readings.lines import LinesView
from lab.widgets.readings.maps import BarsView, GeneralView

STATE_AXES = ("token", "state", "lag")
"""The key of the card of a state; the key of other cards is the axes of their reading."""
ALONG = ({"token", "unit"}, {"token", "channel"}, {"token", "state"})
"""Axes of a layer's state or gates for each token."""
STREAM = ("embedding", "residual", "activation", "state components")
"""Readings with such axes that do not belong to a state: the residual stream, and units of a feed-forward layer."""
NAMED = ("step size", "decay", "half-life", "write strength", "state norm", "effective rank")
"""Other readings of a state, with any axes."""
EIGENVALUES = "eigenvalues"
MEMORY = ("influence by lag", "recall by lag")
WIDE = 1.6
"""Ratio of width to height from which eigenvalues and memory are next to the quantities."""

LEAST = 196
"""Least height of the panes in pixels, at a size of the type of 100 percent, at which they can be read. It grows by a
line alone, or the rows below had no room in a low window."""


def readings_of_state(readings: Sequence[Reading]) -> list[Reading]:
    """Return the readings shown in one card; none if they are of one kind, which has its own card."""
    found = [one for one in readings if _is_of_state(one)]
    alone = len({(one.name, one.axes) for one in found}) == 1 and found[0].name != EIGENVALUES
    return [] if alone else found


def _is_of_state(reading: Reading) -> bool:
    if reading.name in (*NAMED, *MEMORY, EIGENVALUES):
        return True
    return set(reading.axes) - {"batch"} in ALONG and reading.name not in STREAM


class PlaneView(ReadingView):
    """Eigenvalues in the complex plane."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.plane = Plane()
        self.plane.selected.connect(self._follow)
        layout = QVBoxLayout(self.body)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.plane)
        self.add_option(ExportButton(self.plane))

    def show_values(self, values: Numbers, axes: tuple[str, ...], unit: str) -> None:
        """Draw (quantity, state): the real and the imaginary parts."""
        del unit
        self.plane.caption = self.where
        self.plane.set_values(values.T if axes[0] == "quantity" else values)

    def _follow(self, _number: int) -> None:
        self.picked.emit()


class Pane(QWidget):
    """A view below its own title and controls.

    Args:
        view: The view.
    """

    def __init__(self, view: ReadingView) -> None:
        super().__init__()
        self.view = view
        self.title = Line()
        self.title.setProperty("role", "dim")
        head = QHBoxLayout()
        head.setSpacing(4)
        head.addWidget(self.title, 1)
        for control in view.options:
            head.addWidget(control)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(4)
        rows.addLayout(head)
        rows.addWidget(view, 1)

    def show_reading(self, reading: Reading, of: ReadingView) -> None:
        """Show a reading with the labels and symbols of the complete view."""
        self.title.set_full_text(title_of_name(reading.name))
        self.view.symbol = of.symbol
        self.view.show_readings([reading], of.labels)


class StateView(ReadingView):
    """A view of one quantity by token at a time, the eigenvalues, and the memory of earlier tokens."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._found: dict[int | None, dict[str, Reading]] = {}  # by layer and name
        self._quantity = MenuButton(tr("Quantity"), [("", "")], self._on_choice, steady=True)
        self._memory = MenuButton(tr("Memory"), [("", "")], self._on_choice, prefix=tr("memory:") + " ")
        for choice in (self._quantity, self._memory):
            self.add_option(choice)
        self.map, self.lines, self.bars = Pane(GeneralView()), Pane(LinesView()), Pane(BarsView())
        self.plane, self.reach = Pane(PlaneView()), Pane(LinesView())
        self._along = QStackedWidget()
        for made in (self.map, self.lines, self.bars):
            self._along.addWidget(made)
        self._comparison = QHBoxLayout()
        self._comparison.setSpacing(INSIDE)
        self._comparison.addWidget(self.plane, 1)
        self._comparison.addWidget(self.reach, 1)
        self._panes = QBoxLayout(QBoxLayout.Direction.LeftToRight, self.body)
        self._panes.setContentsMargins(0, 0, 0, 0)
        self._panes.setSpacing(INSIDE)
        self._panes.addWidget(self._along, 1)
        self._panes.addLayout(self._comparison, 1)
        for view in self._views:
            view.picked.connect(self.picked)
            view.head_picked.connect(self.head_picked)

    @property
    def _views(self) -> list[ReadingView]:
        return [pane.view for pane in (self.map, self.lines, self.bars, self.plane, self.reach)]

    def set_limits(self, limits: Limited) -> None:
        """Draw the next readings on one scale with others."""
        for view in self._views:
            view.set_limits(limits)

    def show_readings(self, readings: list[Reading], labels: tuple[str, ...]) -> None:
        """Show other readings of a state, of several names and axes.

        Args:
            readings: Readings from `readings_of_state`, one of each name for each layer.
            labels: The tokenizer's labels of the tokens that were read.
        """
        self._found = {}
        for reading in readings:
            self._found.setdefault(reading.layer, {})[reading.name] = reading
        self.labels = labels
        self._show()

    def choose_as(self, other: Self) -> None:
        """Show the quantity that is selected in another view, with its choices."""
        self._wanted = other._wanted
        for mine, theirs in ((self._quantity, other._quantity), (self._memory, other._memory)):
            mine.value = theirs.value
        for one, another in zip(self._views, other._views, strict=True):
            with QSignalBlocker(one):
                one.choose_as(another)
        self._show()

    def set_head(self, head: int) -> None:
        """Show a head in the panes that show one at a time."""
        super().set_head(head)
        for view in self._views:
            view.set_head(head)

    def layers(self) -> list[int | None]:
        """Return the layers that have a reading of any name."""
        return sorted(self._found, key=lambda layer: -1 if layer is None else layer)

    def numbers_of(self, reading: Reading) -> tuple[list[str], Numbers] | None:
        """Return the selected numbers of a reading."""
        return self._pane_of(reading).view.numbers_of(reading)

    @property
    def shown(self) -> Reading | None:
        """The shown quantity."""
        return self._here.get(self._quantity.value)

    @property
    def _here(self) -> dict[str, Reading]:
        """The readings of the selected layer, or of the first one, by name."""
        layers = self.layers()
        return self._found[self._wanted if self._wanted in layers else layers[0]] if layers else {}

    def _pane_of(self, reading: Reading) -> Pane:
        axes = set(reading.axes) - {"batch"}
        return self.bars if len(axes) == 1 else self.lines if axes == {"token", "head"} else self.map

    def _show(self) -> None:
        here = self._here
        if not here:
            self._show_message(tr("Nothing was reported yet."))
            return
        self._pages.setCurrentWidget(self.body)
        self.least_height = control_height(LEAST)
        self.body.setMinimumHeight(self.least_height)
        memory = [name for name in MEMORY if name in here]
        names = [name for name in here if name not in (*MEMORY, EIGENVALUES)]
        for button, offered in ((self._quantity, names), (self._memory, memory)):
            button.set_choices([(name, title_of_name(name)) for name in offered] or [("", "")])
            button.setVisible(len(offered) > 1)
        shown = self.shown
        along = self.map if shown is None else self._pane_of(shown)
        self._along.setCurrentWidget(along)
        self._along.setVisible(shown is not None)
        for pane, name in ((along, self._quantity.value), (self.plane, EIGENVALUES), (self.reach, self._memory.value)):
            if pane is not along:
                pane.setVisible(name in here)
            if name in here:
                pane.show_reading(here[name], self)

    def _on_choice(self, _name: str) -> None:
        self._show()
        self.picked.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Stack the panes if they do not fit next to each other."""
        super().resizeEvent(event)
        row = self.width() >= WIDE * self.height()
        self._panes.setDirection(QBoxLayout.Direction.LeftToRight if row else QBoxLayout.Direction.TopToBottom)
