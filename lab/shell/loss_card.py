"""The loss of every shown run, with its floors, and the one big number: how far the selected run is."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from lab.shell.run_book import RunBook
from lab.shell.run_view import RunView
from lab.shell.scales import AXES_X, axis_name, place_told, run_colour, unit_named
from lab.widgets.card import Card
from lab.widgets.chart import Chart, Flag, Floor, Line
from lab.widgets.chart_crosshair import Crosshair
from lab.widgets.controls import Button, MenuButton, label
from lab.widgets.drawing import Drawing
from lab.widgets.theme import themes
from lab.widgets.words import text
from lab.workbench.curves import Unit, Values

RAW_OF = 3
"""Shown runs up to which the raw training loss of each is drawn."""

UNITS = {
    "nats": "loss (nats per token)",
    "bits": "loss (bits per token)",
    "perplexity": "perplexity",
    "bits per byte": "loss (bits per byte)",
}
"""Units of the loss, and the name of the axis in each."""


class LossCard(Card):
    """Training and validation loss.

    Args:
        book: The runs.
        drawing: When it is drawn.
        crosshair: Shared with the other charts of the place.
        start: Starts a run, for the empty state.
    """

    x_chosen = Signal(str)

    def __init__(self, book: RunBook, drawing: Drawing, crosshair: Crosshair, start: Callable[[], object]) -> None:
        super().__init__(text("Loss"))
        self._book, self._drawing, self._start = book, drawing, start
        self.unit, self.smoothing = "nats", 0.9
        self.by: Unit = "steps"
        self.chart = Chart(crosshair=crosshair)
        self._number, self._behind = label("", "number"), label("", "dim")
        line = QHBoxLayout()
        line.setContentsMargins(12, 0, 12, 0)
        line.setSpacing(8)
        line.addWidget(self._number)
        line.addWidget(self._behind)
        line.addStretch()
        content = QWidget()
        rows = QVBoxLayout(content)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(2)
        rows.addLayout(line)
        rows.addWidget(self.chart, 1)
        self._add_controls()
        self.set_content(content, margin=0)
        self.chart.set_place_words(self._place)
        self._axes()
        self._last_floors: list[Floor] | None = None
        self._last_flags: list[Flag] | None = None
        book.grown.connect(self._grown)
        book.chosen.connect(self.changed)
        themes.changed.connect(self.changed)
        self.draw()

    def _add_controls(self) -> None:
        units = [(unit, text(unit)) for unit in UNITS]
        self._units = MenuButton(text("unit"), units, self._take_unit)
        self._xs = MenuButton(text("x axis"), [(by, text(words)) for by, words in AXES_X.items()], self._take_x)
        smooth = [("0", text("none")), ("0.9", "0.9"), ("0.96", "0.96"), ("0.99", "0.99")]
        self._smooth = MenuButton(text("smoothing"), smooth, self._take_smoothing, prefix=text("smoothing "))
        self._smooth.show_value("0.9")
        self._log_x = Button(text("log x"), hint=text("Logarithmic x axis"))
        self._log_y = Button(text("log y"), hint=text("Logarithmic y axis"))
        self._all = Button(text("show all"), hint=text("Show the whole curve (Home)"))
        for button in (self._log_x, self._log_y):
            button.setCheckable(True)
            button.toggled.connect(self._axes)
        self._all.clicked.connect(self.chart.show_all)
        for control in (self._units, self._xs, self._smooth, self._log_x, self._log_y, self._all):
            self.add_control(control)

    # --------------------------------------------------------------------------------------------------------- choices

    def _take_unit(self, unit: str) -> None:
        self.unit = unit
        self._axes()

    def _take_x(self, by: str) -> None:
        self.by = unit_named(by)
        self.x_chosen.emit(by)
        self._axes()

    def _take_smoothing(self, share: str) -> None:
        self.smoothing = float(share)
        self.changed()

    def _axes(self) -> None:
        x_log, y_log = self._log_x.isChecked(), self._log_y.isChecked()
        self.chart.set_axes(axis_name(self.by), text(UNITS[self.unit]), x_log=x_log, y_log=y_log)
        self._last_floors = self._last_flags = None
        self.changed()

    def showEvent(self, event: QShowEvent) -> None:
        """Draws what it missed."""
        super().showEvent(event)
        self.changed()

    def changed(self) -> None:
        """Something else is to be drawn."""
        self._drawing.changed(self)

    def _grown(self, view: RunView) -> None:
        if view.shown:
            self.changed()

    # --------------------------------------------------------------------------------------------------------- drawing

    def draw(self) -> None:
        """Draws what the shown runs have told so far."""
        views = self._book.shown
        lines = [line for view in views for line in self._lines(view, len(views))]
        if not any(len(line.x) for line in lines):
            self._show_nothing()
            return
        self.show_content()
        selected = self._book.selected or views[-1]
        floors = self._floors(selected)
        if floors != self._last_floors:
            self._last_floors = floors
            self.chart.set_floors(floors)
            self.chart.set_ceiling(next((f.value for f in floors if f.name == text("unigram")), None))
        flags = self._flags(selected)
        if flags != self._last_flags:
            self._last_flags = flags
            self.chart.set_flags(flags)
        self.chart.set_lines(lines)
        self._tell(selected)

    def _place(self, x: float) -> str:
        view = self._book.selected
        return "" if view is None else place_told(view.curves, x, self.by)

    def _show_nothing(self) -> None:
        selected = self._book.selected
        if selected is not None and selected.works:
            self.show_empty(text("{run} is being prepared; its curve begins with the first step.", run=selected.name))
        elif selected is not None:
            self.show_empty(text("{run} recorded no loss.", run=selected.name))
        else:
            words = text("Here the loss falls, step by step, while a model learns. Start a run to see it.")
            self.show_empty(words, text("Start"), self._start)

    def _lines(self, view: RunView, count: int) -> list[Line]:
        colour, curves, lines = run_colour(view), view.curves, []
        names = curves.names()
        if "train loss" in names:
            x = curves.x("train loss", self.by)
            if count <= RAW_OF or not self.smoothing:
                raw = self.in_unit(curves.values("train loss"), view)
                lines.append(Line(f"{view.key}/raw", "", colour, x, raw, "faint" if self.smoothing else "thin"))
            if self.smoothing:
                smooth = self.in_unit(curves.smoothed("train loss", self.smoothing), view)
                lines.append(Line(f"{view.key}/train", text("train") if count == 1 else "", colour, x, smooth, "thin"))
        if "validation loss" in names:
            x, y = curves.x("validation loss", self.by), self.in_unit(curves.values("validation loss"), view)
            name = text("validation") if count == 1 else view.name
            lines.append(Line(f"{view.key}/validation", name, colour, x, y, "main"))
        return lines

    def in_unit(self, nats: Values, view: RunView) -> Values:
        """Nats per token in the unit that is shown; NaN where a run does not tell what that needs."""
        match self.unit:
            case "bits":
                return nats / math.log(2)
            case "perplexity":
                return np.exp(np.minimum(nats, 700.0))
            case "bits per byte":
                return nats * (view.bits_per_byte_factor or math.nan)
        return nats

    def _one(self, nats: float, view: RunView) -> float:
        return float(self.in_unit(np.array([nats]), view)[0])

    def _floors(self, view: RunView) -> list[Floor]:
        return [Floor(text(name), self._one(value, view)) for name, value in view.floors.items()]

    def _flags(self, view: RunView) -> list[Flag]:
        if self.by == "steps" or not view.flags:
            return list(view.flags)
        series = "train loss" if "train loss" in view.curves.names() else "validation loss"
        steps, x = view.curves.steps(series), view.curves.x(series, self.by)
        return [Flag(float(np.interp(flag.x, steps, x)), flag.words) for flag in view.flags]

    def _tell(self, view: RunView) -> None:
        validated = view.last("validation loss") is not None
        loss = view.loss
        if loss is not None and not validated and self.smoothing and view.last("train loss") is not None:
            loss = float(view.curves.smoothed("train loss", self.smoothing)[-1])  # as at the end of the line
        if loss is None:
            return
        value = self._one(loss, view)
        unit = "" if self.unit == "perplexity" else " " + text(self.unit)
        self._number.setText(shown(value) + unit)
        which = text("validation") if validated else text("train")
        parts = [which if view.protocol is None else text("{which}, by {p}", which=which, p=view.protocol)]
        if view.floors:
            name, floor = min(view.floors.items(), key=lambda item: item[1])
            gap = value - self._one(floor, view)
            side = text("{gap} above {floor}") if gap >= 0 else text("{gap} below {floor}")
            parts.insert(0, side.format(gap=shown(abs(gap)), floor=text(name)))
        self._behind.setText("·  " + "  ·  ".join(parts))


def shown(value: float) -> str:
    """A loss as people read it: two digits behind the point below 100."""
    return "–" if not math.isfinite(value) else f"{value:.2f}" if abs(value) < 100 else f"{value:,.0f}"
