"""The contents of a chart: lines, floors and flags, laid out for a size, and the values at the crosshair."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QWidget

from lab.base.charts.numbers import format_value
from lab.base.charts.transform import Frame, axis_position
from lab.widgets.charts.annotations import Annotations, Flag, Floor, Label
from lab.widgets.charts.autorange import fitting
from lab.widgets.charts.axes import FOOT, HEAD, Axes, AxesPaint
from lab.widgets.charts.lines import LAYERS, Curve, Line
from lab.widgets.charts.readout import Value, paint_readout
from lab.widgets.core.i18n import localized, tr
from lab.widgets.core.theme import px, themes

NEAR = 6
"""The largest distance in pixels from the crosshair to a flag that the readout shows."""


class ChartScene:
    """The contents of one chart."""

    def __init__(self) -> None:
        self.axes = Axes()
        self.floors: Sequence[Floor] = ()
        self.flags: Sequence[Flag] = ()
        self.included: Sequence[float] = ()  # values of the y axis that are visible by default
        self.format_position: Callable[[float], str] | None = (
            None  # formats a position in the readout; None: its plain value
        )
        self.format_row: Callable[[str, float], str] = lambda _key, _x: ""  # the same for the row of a line
        self.frame = Frame()
        self._curves: dict[str, Curve] = {}
        self._size = QSizeF()
        self._written: dict[str, str] = {}
        self._paint_axes, self._annotations = AxesPaint(), Annotations()

    def apply_theme(self) -> None:
        """Update fonts and colours from the theme."""
        self._paint_axes.apply_theme()
        self._annotations.apply_theme()

    def take(self, axes: Axes, lines: Sequence[Line], floors: Sequence[Floor], flags: Sequence[Flag]) -> None:
        """Set the contents; known lines reuse their curves."""
        self.axes, self.floors, self.flags = axes, floors, flags
        old, self._curves = self._curves, {}
        for line in lines:
            curve = old.get(line.key) or Curve()
            curve.take(line, self.axes.x_log, self.axes.y_log)
            self._curves[line.key] = curve

    def _seen(self) -> list[Curve]:
        return [curve for curve in self._curves.values() if not curve.empty]

    @property
    def empty(self) -> bool:
        """True if no line has a value."""
        return not self._seen()

    def fitting(self, ceiling: float | None) -> Frame:
        """Return the default visible range; `ceiling` is a value of the y axis."""
        if self.empty:
            return Frame()
        log = self.axes.y_log
        floors = [at for floor in self.floors if (at := axis_position(floor.value, log)) is not None]
        included = [at for value in self.included if (at := axis_position(value, log)) is not None]
        return fitting(self._seen(), floors, None if ceiling is None else axis_position(ceiling, log), included)

    # the labels at the right

    def numbers_changed(self) -> bool:
        """Return True if the last values differ from the painted ones."""
        return self._written != self._last_values()

    def refresh_values(self) -> None:
        """Use the newest values of the lines in the next layout."""
        self._written = {}

    def _last_values(self) -> dict[str, str]:
        named = {key: curve for key, curve in self._curves.items() if curve.line.name and not curve.empty}
        return {
            key: curve.line.value_text or localized(format_value(float(curve.values[curve.last])))
            for key, curve in named.items()
        }

    def description(self) -> str:
        """Return names and values as they are painted, for screen readers."""
        named = [f"{label.name} {label.value}" for label in self._annotations.labels]
        return ", ".join([*named, *filter(None, [self._annotations.more])])

    def _labels(self, frame: Frame) -> list[Label]:
        newest = self._last_values()
        self._written = {key: self._written.get(key, text) for key, text in newest.items()}
        labels = []
        for key, text in self._written.items():
            curve = self._curves[key]
            labels.append(Label(curve.line.name, text, curve.line.colour, float(curve.y[curve.last]), curve.end))
        for floor in self.floors:
            at = axis_position(floor.value, self.axes.y_log)
            if at is not None and frame.y0 <= at <= frame.y1:
                labels.append(
                    Label(floor.name, localized(format_value(floor.value)), "", at, explanation=floor.explanation)
                )
        return labels

    # painting

    def arrange(self, visible: Frame, size: QSizeF, ratio: float) -> None:
        """Lay out everything.

        Args:
            visible: The range to show.
            size: Size of the chart in pixels.
            ratio: Pixels of the screen per pixel.
        """
        self._size = size
        height = max(8.0, size.height() - px(HEAD) - px(FOOT))
        left = self._paint_axes.arrange_y(self.axes, visible.y0, visible.y1, height)
        margin = self._annotations.margin(self._labels(visible), size.width(), height)
        width = max(8.0, size.width() - left - margin)
        self.frame = replace(visible, left=left, top=px(HEAD), width=width, height=height)
        self._paint_axes.arrange_x(self.axes, visible.x0, visible.x1, width)
        for curve in self._seen():
            curve.arrange(self.frame, round(width * ratio))
            curve.apply_theme(ratio)

    def explanation_at(self, x: float, y: float) -> str:
        """Return the explanation of the floor at a pixel of the chart; "" if there is none."""
        return "" if self.empty or x < self.frame.left else self._annotations.explanation_at(self.frame, x, y)

    def _note(self) -> str:
        """Return a note about the downsampling of lines; a projected window leaves it out."""
        if themes.appearance.projector:
            return ""
        return tr("minima and maxima shown") if any(curve.reduced for curve in self._seen()) else ""

    def paint(self, painter: QPainter, widget: QWidget | None, head: float) -> None:
        """Paint everything except the crosshair.

        Args:
            painter: The painter of the chart, or of a picture of it.
            widget: The chart; None if no widget is painted.
            head: The free width above the plot in pixels.
        """
        painter.fillRect(QRectF(0, 0, self._size.width(), self._size.height()), QColor(themes.now.panel))
        frame = self.frame
        self._paint_axes.paint_under(painter, frame)
        self._annotations.paint_floors(painter, frame)
        painter.save()
        painter.setClipRect(QRectF(frame.left, frame.top, frame.width, frame.height))
        for curve in sorted(self._seen(), key=lambda curve: LAYERS.index(curve.line.style)):
            curve.paint(painter, widget)
        painter.restore()
        self._annotations.paint_flags(painter, frame, self.flags, self.axes.x_log)
        self._paint_axes.paint(painter, frame, self.axes, self._size.width())
        self._paint_axes.paint_head(painter, self.axes, self._note(), head)
        self._annotations.paint_margin(painter, frame, self._size.width())

    def paint_crosshair(self, painter: QPainter, x: float, pointer: QPointF | None) -> None:
        """Paint the crosshair and, if the pointer is in this chart, the readout.

        Args:
            painter: The painter of the chart.
            x: Value of the x axis.
            pointer: The position of the mouse, if it is in this chart.
        """
        at = axis_position(x, self.axes.x_log)
        if at is None or not self.frame.x0 <= at <= self.frame.x1:
            return
        across, frame = round(self.frame.across(at)), self.frame
        pen = QPen(QColor(themes.now.dim), 1)
        pen.setDashPattern([3, 3])
        painter.setPen(pen)
        painter.drawLine(across, round(frame.top), across, round(frame.bottom))
        if pointer is not None:
            values = self.values(x, pointer)
            room = QRectF(0, 0, self._size.width(), self._size.height()).adjusted(4, 4, -4, -4)
            paint_readout(
                painter,
                pointer,
                (self.format_position or self.axes.position_text)(x),
                values,
                self._flags_at(across),
                room,
            )

    def _flags_at(self, across: float) -> list[str]:
        flags = [(axis_position(flag.x, self.axes.x_log), flag.label) for flag in self.flags]
        return [text for at, text in flags if at is not None and abs(self.frame.across(at) - across) <= NEAR]

    def readout(self, x: float, pointer: QPointF | None) -> list[tuple[str, str, float]]:
        """Return name, colour and value of each row of `values`."""
        return [(value.name, value.colour, value.value) for value in self.values(x, pointer)]

    def values(self, x: float, pointer: QPointF | None) -> list[Value]:
        """Return the value of each named line at a value of the x axis, nearest to the pointer first.

        A named line without a value there is replaced by the one that stands in for it.
        """
        at = axis_position(x, self.axes.x_log)
        if at is None:
            return []
        named = {curve.line.key for curve in self._seen() if curve.line.name and self._value_at(curve, at) is not None}
        found: list[tuple[float, Value]] = []
        for curve in self._seen():
            line = curve.line
            stands_in = bool(line.stands_in_for) and line.stands_in_for not in named
            near = self._value_at(curve, at) if line.name or stands_in else None
            if near is not None:
                distance = 0.0 if pointer is None else abs(self.frame.down(near[1]) - pointer.y())
                value = Value(line.name or line.long_name, line.colour, near[0], self.format_row(line.key, x))
                found.append((distance, value))
        return [value for _, value in sorted(found, key=lambda pair: pair[0])]

    def _value_at(self, curve: Curve, position: float) -> tuple[float, float] | None:
        """Return the value of a curve at a position on the x axis, and its position on the y axis."""
        return curve.value_at(position, max(curve.rim, 0.01 * (self.frame.x1 - self.frame.x0)))
