"""The drawing of a network: units with their values, edges with weight or gradient, and the step of the walk."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from lab.widgets.core.fonts import Font, Metrics
from lab.widgets.core.i18n import number_text, tr, tr_n
from lab.widgets.core.theme import Theme, mixed, px, themes
from lab.widgets.maps.colours import figure, ground_and_ink, scale_of
from lab.widgets.maps.margins import draw_note
from lab_feedforward.views.steps import Graph, Kind, Step, drawn_units

RADIUS = 17.0
"""Largest radius of a unit in pixels."""
THINNEST, THICKEST = 0.6, 4.0
"""Widths of edges in pixels."""
MARGIN = 26.0
"""Pixels around the drawing."""
REACH = 5.0
"""The largest distance in pixels at which the mouse hits an edge."""
WRITTEN = 9
"""The largest number of edges between two layers that have their number beside them."""


class NetworkGraph(QWidget):
    """The layers of a network from left to right. What the walk has not reached is pale."""

    _font, _metrics = Font("note"), Metrics("note")

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.graph: Graph | None = None
        self.step: Step | None = None
        self.steps: list[Step] = []
        self.position = 0
        self.shows_gradients = False
        self._hovered: tuple[QRectF, str] | None = None
        self.setMouseTracking(True)
        self.setMinimumSize(240, 170)
        self.setAccessibleName(tr("Network as a graph"))

    def show_graph(self, graph: Graph, steps: list[Step], position: int) -> None:
        """Show a walk at a position of its steps."""
        self.graph, self.steps, self.position = graph, steps, position
        self.step = steps[position] if steps else None
        self._hovered = None
        self.setAccessibleDescription("" if self.step is None else f"{self.step.formula}; {self.step.numbers}")
        self.update()

    # Positions

    def columns(self) -> list[list[int]]:
        """Return the units that are drawn, layer by layer, the input first."""
        graph = self.graph
        if graph is None:
            return []
        return [drawn_units(graph.inputs), *(drawn_units(layer.outputs) for layer in graph.layers)]

    def centre_of(self, column: int, row: int, count: int) -> QPointF:
        """Return the centre of a unit in pixels.

        Args:
            column: The number of its layer, the input first.
            row: Its number among those drawn.
            count: How many are drawn.
        """
        columns = max(2, len(self.columns()))
        line = self._metrics.height()
        x = MARGIN + column * (self.width() - 2 * MARGIN) / (columns - 1)
        y = line + (row + 0.5) * (self.height() - 3 * line) / count
        return QPointF(x, y)

    def _radius(self) -> float:
        rows = max((len(column) for column in self.columns()), default=1)
        return max(5.0, min(px(RADIUS), (self.height() - 3 * self._metrics.height()) / rows / 2 - 2))

    # Input

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show the numbers of the unit or the edge under the mouse."""
        found = self._at(event.position())
        if found != self._hovered:
            self._hovered = found
            self.update()

    def leaveEvent(self, event: object) -> None:
        """Hide the note."""
        super().leaveEvent(event)  # type: ignore[arg-type]
        self._hovered = None
        self.update()

    def _at(self, at: QPointF) -> tuple[QRectF, str] | None:
        graph, columns, radius = self.graph, self.columns(), self._radius()
        if graph is None:
            return None
        for column, units in enumerate(columns):
            for row, unit in enumerate(units):
                centre = self.centre_of(column, row, len(units))
                if (centre - at).manhattanLength() <= 1.4 * radius:
                    return _around(centre, radius), self._text_of_unit(graph, column, unit)
        for column, units in enumerate(columns[1:], start=1):
            for row, unit in enumerate(units):
                end = self.centre_of(column, row, len(units))
                for before, source in enumerate(columns[column - 1]):
                    start = self.centre_of(column - 1, before, len(columns[column - 1]))
                    if _distance(at, start, end) <= REACH:
                        return _around(at, 3), self._text_of_edge(graph, column, unit, source)
        return None

    def _text_of_unit(self, graph: Graph, column: int, unit: int) -> str:
        if column == 0:
            return tr("input {n}: {value}; gradient {gradient}", n=unit + 1, value=figure(float(graph.inputs[unit])),
                      gradient=figure(float(graph.input_gradient[unit])))  # fmt: skip
        layer = graph.layers[column - 1]
        return tr(
            "unit {n}: z = {z}, a = {a}, ∂L/∂z = {error}", n=unit + 1, z=figure(float(layer.sums[unit])),
            a=figure(float(layer.outputs[unit])), error=figure(float(layer.errors[unit])),
        )  # fmt: skip

    def _text_of_edge(self, graph: Graph, column: int, unit: int, source: int) -> str:
        layer = graph.layers[column - 1]
        return tr(
            "weight from {i} to {j}: {weight}; gradient {gradient}", i=source + 1, j=unit + 1,
            weight=figure(float(layer.weights[unit, source])), gradient=figure(float(layer.gradients[unit, source])),
        )  # fmt: skip

    # Painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint edges, units, the names of the layers and the note."""
        graph = self.graph
        if graph is None:
            return
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(self._font)
            theme = themes.now
            columns = self.columns()
            for column in range(1, len(columns)):
                self._draw_edges(painter, graph, columns, column, theme)
            for column, units in enumerate(columns):
                self._draw_units(painter, graph, column, units, theme)
            if self._hovered is not None:
                draw_note(painter, *self._hovered, theme, self._metrics)

    def _draw_edges(self, painter: QPainter, graph: Graph, columns: list[list[int]], column: int, theme: Theme) -> None:
        layer = graph.layers[column - 1]
        values = layer.gradients if self.shows_gradients else layer.weights
        largest = float(np.abs(values).max()) or 1.0
        units, sources = columns[column], columns[column - 1]
        written = len(units) * len(sources) <= WRITTEN
        for row, unit in enumerate(units):
            end = self.centre_of(column, row, len(units))
            is_reached = self._is_edge_reached(column - 1, unit)
            is_now = self._is_edge_now(column - 1, unit)
            for before, source in enumerate(sources):
                start = self.centre_of(column - 1, before, len(sources))
                value = float(values[unit, source])
                colour = theme.runs[0] if value >= 0 else theme.runs[1 % len(theme.runs)]
                strength = 1.0 if is_now else 0.75 if is_reached else 0.25
                width = THINNEST + (THICKEST - THINNEST) * abs(value) / largest
                painter.setPen(QPen(QColor(mixed(colour, theme.panel, strength)), width + (1.0 if is_now else 0.0)))
                painter.drawLine(start, end)
                if written or is_now:
                    self._write_on_edge(painter, start, end, figure(value), theme, row + before)

    def _write_on_edge(
        self, painter: QPainter, start: QPointF, end: QPointF, text: str, theme: Theme, number: int
    ) -> None:
        share = 0.3 + 0.16 * (number % 3)
        at = start + (end - start) * share
        wide, line = self._metrics.horizontalAdvance(text) + 4, self._metrics.height()
        box = QRectF(at.x() - wide / 2, at.y() - line / 2, wide, line)
        painter.fillRect(box, QColor(theme.panel))
        painter.setPen(QColor(theme.dim))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def _draw_units(self, painter: QPainter, graph: Graph, column: int, units: list[int], theme: Theme) -> None:
        radius, line = self._radius(), self._metrics.height()
        values = graph.inputs if column == 0 else graph.layers[column - 1].outputs
        if self.shows_gradients:
            values = graph.input_gradient if column == 0 else graph.layers[column - 1].errors
        scale = scale_of(values, signed=True)
        for row, unit in enumerate(units):
            centre = self.centre_of(column, row, len(units))
            is_known = self._is_unit_reached(column - 1, unit)
            is_now = self.step is not None and self.step.layer == column - 1 and self.step.unit in (None, unit)
            packed = int(scale.colours(np.array([values[unit]], np.float32), theme)[0])
            ground, ink = ground_and_ink(packed)
            painter.setPen(QPen(QColor(theme.accent if is_now else theme.line), 3 if is_now else 1))
            painter.setBrush(ground if is_known else QColor(theme.field))
            painter.drawEllipse(centre, radius, radius)
            if is_known and radius > line / 2:
                painter.setPen(ink)
                text = number_text(float(values[unit]), ".2g").replace("-", "−")
                painter.drawText(_around(centre, radius), Qt.AlignmentFlag.AlignCenter, text)
        self._name_column(painter, graph, column, units, theme)

    def _name_column(self, painter: QPainter, graph: Graph, column: int, units: list[int], theme: Theme) -> None:
        count = len(graph.inputs) if column == 0 else len(graph.layers[column - 1].outputs)
        named = tr("input") if column == 0 else tr("layer {n}", n=column)
        if column == len(graph.layers):
            named = tr("output")
        more = count - len(units)
        text = f"{named} · " + tr_n("1 more", "{n} more", more) if more else named
        line = self._metrics.height()
        centre = self.centre_of(column, 0, max(1, len(units)))
        wide = self._metrics.horizontalAdvance(text) + 4
        left = min(max(0.0, centre.x() - wide / 2), self.width() - wide)
        painter.setPen(QColor(theme.dim))
        painter.drawText(QRectF(left, self.height() - 1.5 * line, wide, line), Qt.AlignmentFlag.AlignCenter, text)

    # What the walk has reached

    def _is_unit_reached(self, layer: int, unit: int) -> bool:
        if layer < 0:
            return True
        wanted = {Kind.ERROR, Kind.OUTPUT_GRADIENT} if self.shows_gradients else {Kind.SUM}
        return self._has_passed(layer, unit, wanted)

    def _is_edge_reached(self, layer: int, unit: int) -> bool:
        return self._has_passed(layer, unit, {Kind.WEIGHT_GRADIENT} if self.shows_gradients else {Kind.SUM})

    def _has_passed(self, layer: int, unit: int, kinds: set[Kind]) -> bool:
        passed = self.steps[: self.position + 1]
        return any(one.layer == layer and one.unit == unit and one.kind in kinds for one in passed)

    def _is_edge_now(self, layer: int, unit: int) -> bool:
        step = self.step
        kinds = (Kind.SUM, Kind.WEIGHT_GRADIENT)
        return step is not None and step.layer == layer and step.unit == unit and step.kind in kinds


def _around(centre: QPointF, radius: float) -> QRectF:
    return QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius)


def _distance(at: QPointF, start: QPointF, end: QPointF) -> float:
    """Return the distance of a point from a line between two points."""
    along, to = end - start, at - start
    length = max(1e-9, QPointF.dotProduct(along, along))
    share = min(max(QPointF.dotProduct(to, along) / length, 0.0), 1.0)
    away = to - along * share
    return float(QPointF.dotProduct(away, away) ** 0.5)
