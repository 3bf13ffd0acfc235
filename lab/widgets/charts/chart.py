"""The chart of the kit: live lines with names and last values, floors, flags, and one crosshair for many charts.

It paints itself instead of using pyqtgraph's scene: an update and its paint take 3.4 ms with 2 curves of 2,000 points,
with a PlotItem 8.7 ms; a crosshair over four charts moves in 1.4 ms instead of 5.6. `lab.widgets.charts.plot` lists all
measurements.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal

from PySide6.QtCore import QElapsedTimer, QEvent, QPointF, QRectF, QSize, QSizeF, Qt, QTimer
from PySide6.QtGui import (
    QAccessible,
    QColor,
    QFocusEvent,
    QGuiApplication,
    QHelpEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from lab.base.charts.ticks import Kind, power
from lab.base.charts.transform import Frame
from lab.widgets.charts.annotations import Flag, Floor
from lab.widgets.charts.axes import Axes
from lab.widgets.charts.crosshair import Crosshair
from lab.widgets.charts.export import ChartSnapshot
from lab.widgets.charts.lines import Line
from lab.widgets.charts.scene import ChartScene
from lab.widgets.core.controls import Button, wrapped_tip
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import themes
from lab.widgets.figures.chart import ChartFigure, FigureLine
from lab.widgets.figures.export import Export
from lab.widgets.figures.view import FigureView, exporting

__all__ = ["Chart", "Crosshair", "Flag", "Floor", "Line"]

AUDIBLE = 4
"""The largest number of lines that the context menu offers to play."""
HOLD = 250
"""Milliseconds for which a changing number is held."""
BY_KEYBOARD = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)


class Chart(FigureView):
    """A chart of lines over one x axis.

    It follows the newest data until the user drags or zooms. The wheel zooms the x axis about the pointer, and the y
    axis over its ticks or with Shift; dragging moves; a double click shows everything. Setters take effect when the
    chart is drawn next, in one pass.

    Args:
        crosshair: Shared with the other charts that have the same x.
        parent: Its parent.
    """

    def __init__(self, *, crosshair: Crosshair | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._crosshair = crosshair or Crosshair(self)
        self._crosshair.moved.connect(self._on_crosshair_moved)
        self._scene = ChartScene()
        self._visible, self._full = Frame(), Frame()
        self._axes = Axes()
        self._lines: Sequence[Line] = ()
        self._floors: Sequence[Floor] = ()
        self._flags: Sequence[Flag] = ()
        self._ceiling: float | None = None
        self._mode: Literal["follow", "all", "own"] = "follow"
        self._new = False
        self._pointer: QPointF | None = None
        self._pressed: tuple[QPointF, Frame] | None = None
        self._cached_image: QImage | None = None
        self._has_focus_ring = False
        self._since_written = QElapsedTimer()
        self._hold = QTimer(self)
        self._hold.setSingleShot(True)
        self._hold.setInterval(HOLD)
        self._hold.timeout.connect(self._refresh_values)
        self._chip = Button(tr("follow"), hint=tr("Show the newest values again"), icon_name="step", parent=self)
        self._chip.clicked.connect(self._follow_again)
        self._chip.hide()
        self._all = Button(tr("show all"), role="chip", hint=tr("Show the values above too (Home)"), parent=self)
        self._all.clicked.connect(self.show_all)
        self._all.hide()
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(160, 88)
        self.setAccessibleName(tr("Chart"))
        themes.changed.connect(self._apply_theme)

    def sizeHint(self) -> QSize:
        """Return a wide preferred size."""
        return QSize(480, 280)

    def set_axes(self, x: str, y: str, *, x_log: bool = False, y_log: bool = False, x_kind: Kind = "number") -> None:
        """Set names, units and scales of the axes.

        Args:
            x: Name with unit: "training FLOPs"; without a unit for seconds, which are shown as clock time.
            y: Name with unit: "loss (nats per token)".
            x_log: Whether the x axis is logarithmic; points that are not positive are left out.
            y_log: Whether the y axis is logarithmic; values that are not positive are gaps.
            x_kind: The kind of the values of the x axis, which determines their format.
        """
        old, self._axes = self._axes, Axes(x, y, x_log, y_log, x_kind)
        if (old.x, old.x_log, old.y_log) != (x, x_log, y_log):
            self._mode = "follow"  # a view of the old axes means nothing on the new ones
        self.setAccessibleName(tr("Chart: {y} over {x}", y=y, x=x))
        self._new = True

    def set_position_format(self, format_position: Callable[[float], str]) -> None:
        """Set the function that formats a position on the x axis in the readout."""
        self._scene.format_position = format_position

    def set_row_format(self, format_row: Callable[[str, float], str]) -> None:
        """Set the function that formats a position for a line's row of the readout, given the key of the line."""
        self._scene.format_row = format_row

    def set_lines(self, lines: Sequence[Line]) -> None:
        """Show these lines; a line whose arrays are the same objects as before is not processed again."""
        self._lines, self._new = tuple(lines), True

    def set_floors(self, floors: Sequence[Floor]) -> None:
        """Show these floors."""
        self._floors, self._new = tuple(floors), True

    def set_flags(self, flags: Sequence[Flag]) -> None:
        """Show these events."""
        self._flags, self._new = tuple(flags), True

    def set_ceiling(self, value: float | None) -> None:
        """Cut the followed range at a value once the newest values of all main and thin lines are below it."""
        self._ceiling, self._new = value, True

    def include_values(self, *values: float) -> None:
        """Include values of the y axis in the visible range at all times, such as both ends of a share."""
        self._scene.included, self._new = values, True

    def draw(self) -> None:
        """Apply all changes and repaint at once; a hidden chart does so when it is shown."""
        if self.isVisible():
            self._take()
            self.repaint()

    def _take(self) -> None:
        self._new = False
        self._scene.take(self._axes, self._lines, self._floors, self._flags)
        self._arrange()

    @property
    def follow(self) -> bool:
        """True if the view follows the newest data."""
        return self._mode == "follow"

    def show_all(self) -> None:
        """Show everything, also above the ceiling and as the lines grow."""
        cut = self._scene.fitting(self._ceiling) != self._scene.fitting(None)
        self._set_mode("all" if cut else "follow")

    def _follow_again(self) -> None:
        self._set_mode("follow")
        self.setFocus()

    def _set_mode(self, mode: Literal["follow", "all", "own"]) -> None:
        self._mode = mode
        self._arrange()
        self.update()

    def _show_range(self, visible: Frame) -> None:
        """Show the range that the user selected."""
        self._visible = visible.clamped(self._full)
        self._set_mode("own")

    def _arrange(self) -> None:
        """Determine the visible range and lay out everything."""
        self._cached_image = None
        newest, self._full = self._scene.fitting(self._ceiling), self._scene.fitting(None)
        self._chip.setVisible(not self.follow and not self._scene.empty)
        self._all.setVisible(self.follow and newest != self._full)
        if self._scene.empty:
            return
        if self._mode != "own":
            self._visible = newest if self.follow else self._full
        if self._scene.numbers_changed():
            if not self._since_written.isValid() or self._since_written.hasExpired(HOLD):
                self._scene.refresh_values()
                self._since_written.start()
            else:
                self._hold.start()  # when no new values come, the last numbers are written
        self._scene.arrange(self._visible, QSizeF(self.size()), self.devicePixelRatioF())
        if not (self.hasFocus() and QAccessible.isActive()):
            self.setAccessibleDescription(self._scene.description())
        self.note_change()
        for chip in (self._chip, self._all):
            chip.adjustSize()
            chip.move(self.width() - chip.width() - 4, 0)

    def _refresh_values(self) -> None:
        """Update the numbers if they changed while the old ones were held."""
        if self._scene.numbers_changed():
            self.draw()

    def readout(self, x: float) -> list[tuple[str, str, float]]:
        """Return name, colour and value of each named line at the point nearest to a value of the x axis.

        Args:
            x: A value of the x axis.

        Returns:
            The line nearest to the pointer first; without a pointer in the given order. Lines that end before are left
            out.
        """
        return self._scene.readout(x, self._pointer)

    def export(self, title: str) -> Export | None:
        """Return an export of the visible range with a title; None if no line has a value."""
        if self._new:
            self._take()
        if self._scene.empty:
            return None
        return ChartSnapshot(self._axes, self._lines, self._floors, self._flags, self._visible, self.size()).export(
            title
        )

    def picture(self) -> QImage:
        """Return the chart as an image, without crosshair and readout."""
        if self._new:
            self._take()
        ratio = self.devicePixelRatioF()
        image = QImage(self.size() * ratio, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        with QPainter(image) as painter:
            self._paint_chart(painter)
        return image

    def _on_crosshair_moved(self, _x: object) -> None:
        self.update()

    def _apply_theme(self) -> None:
        self._scene.apply_theme()
        self._arrange()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the chart; while a crosshair moves, it is painted once and then copied."""
        super().paintEvent(event)
        with QPainter(self) as painter:
            self._paint(painter)

    def _paint(self, painter: QPainter) -> None:
        if self._crosshair.x is None or self._scene.empty:
            self._paint_chart(painter)
        else:
            if self._cached_image is None:
                self._cached_image = self.picture()
            painter.drawImage(0, 0, self._cached_image)
            self._scene.paint_crosshair(painter, self._crosshair.x, self._pointer)
        if self._has_focus_ring:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(themes.now.accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1.5, 0.5, -1.5, -0.5), 6, 6)

    def _paint_chart(self, painter: QPainter) -> None:
        if self._scene.empty:
            painter.fillRect(self.rect(), QColor(themes.now.panel))
        else:
            chips = [chip.x() for chip in (self._chip, self._all) if not chip.isHidden()]
            self._scene.paint(painter, self, min(chips, default=self.width()))

    def event(self, event: QEvent) -> bool:
        """Show the explanation of the floor under the pointer as a tool tip."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            explanation = self._scene.explanation_at(event.pos().x(), event.pos().y())
            QToolTip.showText(event.globalPos(), wrapped_tip(explanation), self)
            return True
        return bool(super().event(event))

    def showEvent(self, event: QShowEvent) -> None:
        """Draw the changes made while it was hidden."""
        super().showEvent(event)
        if self._new:
            self._take()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit everything to the new size."""
        super().resizeEvent(event)
        self._arrange()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move the crosshair, or drag the visible range."""
        at = event.position()
        if self._pressed is not None:
            start, visible = self._pressed
            offset = at - start
            if self._mode == "own" or offset.manhattanLength() >= QGuiApplication.styleHints().startDragDistance():
                self._show_range(visible.moved(offset.x(), offset.y()))
        self._point_at(at)

    def _point_at(self, at: QPointF) -> None:
        inside = not self._scene.empty and self._scene.frame.contains(at.x(), at.y())
        self._pointer = at if inside else None
        self._crosshair.move(self._value_at(at.x()) if inside else None)
        self.update()

    def _value_at(self, across: float) -> float:
        at = self._scene.frame.x_at(across)
        return power(at) if self._scene.axes.x_log else at

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Start dragging the visible range."""
        if event.button() == Qt.MouseButton.LeftButton and not self._scene.empty:
            self._pressed = (event.position(), self._scene.frame)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End dragging."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show everything."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.show_all()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom the x axis about the pointer; the y axis over its ticks, or with Shift."""
        turned = event.angleDelta().y() or event.angleDelta().x()
        if self._scene.empty or not turned:
            event.ignore()
            return
        upright = event.position().x() < self._scene.frame.left or event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        self._zoom(0.8 ** (turned / 120), bool(upright), event.position())
        event.accept()

    def _zoom(self, factor: float, upright: bool, at: QPointF) -> None:
        x, y = (1.0, factor) if upright else (factor, 1.0)
        self._show_range(self._scene.frame.zoomed(x, y, at.x(), at.y()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the crosshair by the arrows, zoom about it by + and -, show everything by Home, hide it by Escape."""
        key, frame = event.key(), self._scene.frame
        middle = QPointF(frame.left + frame.width / 2, frame.top + frame.height / 2)
        at = self._pointer or middle
        if self._scene.empty:
            super().keyPressEvent(event)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            offset = frame.width / 100 * (1 if key == Qt.Key.Key_Right else -1)
            self._point_at(QPointF(min(max(at.x() + offset, frame.left), frame.right), at.y()))
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus):
            self._zoom(1.25 if key == Qt.Key.Key_Minus else 0.8, upright=False, at=at)
        elif key == Qt.Key.Key_Home:
            self.show_all()
        elif key == Qt.Key.Key_Escape and self._pointer is not None:
            self._leave()
        else:
            super().keyPressEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Hide the crosshair."""
        super().leaveEvent(event)
        self._leave()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show a focus ring if the focus came by keyboard."""
        super().focusInEvent(event)
        self._has_focus_ring = event.reason() in BY_KEYBOARD
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Remove the focus ring."""
        super().focusOutEvent(event)
        self._has_focus_ring = False
        self._leave()

    def _leave(self) -> None:
        if self._pointer is not None:
            self._pointer = None
            self._crosshair.move(None)
        self.update()

    def entries(self) -> Sequence[tuple[str, Callable[[], object]]]:
        """Return its own entries for the context menu."""
        own = (tr("Show all"), self.show_all), (tr("Follow the newest values"), self._follow_again)
        export = self.exported()
        lines = export.figure.lines if export is not None and isinstance(export.figure, ChartFigure) else ()
        audible = [line for line in lines if line.label and len(line.points) > 1][:AUDIBLE]
        return *own, *((tr("Play {line} as sound", line=line.name), partial(self._play, line)) for line in audible)

    def _play(self, line: FigureLine) -> None:
        exporting.sound_requested.emit(self, line)
