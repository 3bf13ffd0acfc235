"""The drawing of a computation graph: boxes with formula, value and derivative, and lines along which numbers flow."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from lab.shell.examples.graph.layout import Layout, Place, laid_out
from lab.shell.examples.graph.walk import Stage, Walk
from lab.widgets.core.fonts import Font, Metrics, follow_type
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import mixed, px, themes

HEIGHT = 64
"""Height of a node in pixels: a title, a value, and a derivative."""
NARROWEST, WIDEST = 76, 176
"""Least and greatest width of a node in pixels."""
MARGIN = 10.0
"""Pixels around the drawing."""


class GraphArea(QScrollArea):
    """The scroll area of a graph."""

    def __init__(self) -> None:
        super().__init__()
        self.view = GraphView()
        self.setWidget(self.view)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusProxy(self.view)
        self.view.shown.connect(self._scroll_to)

    def _scroll_to(self, area: QRectF) -> None:
        middle = area.center().toPoint()
        self.ensureVisible(middle.x(), middle.y(), int(area.width() / 2) + 20, int(area.height() / 2) + 20)


class GraphView(QWidget):
    """The drawing of the graph of a walk, with the numbers that are known by now.

    The node that got its number last is outlined, and the lines along which it came are drawn in its colour.
    """

    shown = Signal(QRectF)
    """The rectangle of the node that got a number."""
    picked = Signal(int)
    """The number of a node that was clicked."""

    _font, _strong, _small = Font("note"), Font("note", strong=True), Font("note", tokens=True)
    _metrics, _strong_metrics, _small_metrics = (
        Metrics("note"),
        Metrics("note", strong=True),
        Metrics("note", tokens=True),
    )

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._walk: Walk | None = None
        self._layout = Layout({}, 0.0, 0.0)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Drawing of the graph"))
        follow_type(self, GraphView._arrange)

    def show_walk(self, walk: Walk | None) -> None:
        """Draw another graph; None draws nothing."""
        self._walk = walk
        self._arrange()
        self.refresh()

    def refresh(self) -> None:
        """Draw the numbers that are known by now."""
        self.update()
        self.setAccessibleDescription("" if self._walk is None else "; ".join(each.line for each in self._walk.done))
        stage = self._stage
        if stage is not None and stage.node in self._layout.places:
            self.shown.emit(self.rect_of(stage.node))

    def rect_of(self, node: int) -> QRectF:
        """Return the rectangle of a node in pixels of the widget."""
        place = self._layout.places[node]
        left, top = self._origin()
        return QRectF(place.x + left, place.y + top, place.width, place.height)

    def _arrange(self) -> None:
        if self._walk is None:
            self._layout = Layout({}, 0.0, 0.0)
        else:
            self._layout = laid_out(self._walk.graph, self._width_of, float(px(HEIGHT)))
        self.setMinimumSize(self.minimumSizeHint())
        self.update()

    def minimumSizeHint(self) -> QSize:
        """Return the size of the drawing."""
        return QSize(int(self._layout.width + 2 * MARGIN) + 1, int(self._layout.height + 2 * MARGIN) + 1)

    def _width_of(self, number: int) -> float:
        assert self._walk is not None
        node = self._walk.graph.nodes[number]
        title = self._strong_metrics.horizontalAdvance(node.name) + 12
        if node.kind == "operation":
            title += self._metrics.horizontalAdvance(node.formula)
        texts = [stage for stage in self._walk.stages if stage.node == number]
        widest = max((self._small_metrics.horizontalAdvance(_number_of(stage)) for stage in texts), default=0.0)
        return max(px(NARROWEST), min(px(WIDEST), max(title, widest) + 20))

    def _origin(self) -> tuple[float, float]:
        left = max(MARGIN, (self.width() - self._layout.width) / 2)
        return left, max(MARGIN, (self.height() - self._layout.height) / 2)

    @property
    def _stage(self) -> Stage | None:
        return None if self._walk is None else self._walk.current

    # ------------------------------------------------------------------------------------------------------- painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw lines and nodes."""
        if self._walk is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left, top = self._origin()
        painter.translate(left, top)
        values, derivatives = self._walk.numbers()
        self._paint_lines(painter)
        for place in self._layout.places.values():
            self._paint_node(painter, place, values.get(place.node, ""), derivatives.get(place.node, ""))
        if self.hasFocus():
            painter.resetTransform()
            painter.setPen(QPen(QColor(themes.now.accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.end()

    def _paint_lines(self, painter: QPainter) -> None:
        assert self._walk is not None
        stage, theme = self._stage, themes.now
        for node in self._walk.graph.nodes:
            for parent in dict.fromkeys(node.parents):
                if parent not in self._layout.places or node.number not in self._layout.places:
                    continue
                start, end = self._layout.places[parent], self._layout.places[node.number]
                backward = (
                    stage is not None
                    and stage.is_derivative
                    and (stage.node, stage.sources) == (parent, (node.number,))
                )
                forward = stage is not None and stage.node == node.number and parent in stage.sources
                is_current = backward or forward
                pen = QPen(QColor(theme.accent if is_current else theme.field), 2.0 if is_current else 1.0)
                self._paint_line(painter, start, end, pen, backward)

    def _paint_line(self, painter: QPainter, start: Place, end: Place, pen: QPen, backward: bool) -> None:
        first, last = QPointF(start.x + start.width, start.middle), QPointF(end.x, end.middle)
        bend = max(18.0, (last.x() - first.x()) / 2)
        path = QPainterPath(first)
        path.cubicTo(first + QPointF(bend, 0), last - QPointF(bend, 0), last)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)
        painter.setBrush(pen.color())
        tip, back = (first, 6.0) if backward else (last, -6.0)
        painter.drawPolygon(QPolygonF([tip, tip + QPointF(back, 3.5), tip + QPointF(back, -3.5)]))

    def _paint_node(self, painter: QPainter, place: Place, value: str, derivative: str) -> None:
        assert self._walk is not None
        node, theme = self._walk.graph.nodes[place.node], themes.now
        stage = self._stage
        is_current = stage is not None and stage.node == place.node
        rect = QRectF(place.x, place.y, place.width, place.height)
        ground = theme.card if node.kind == "operation" else mixed(theme.accent, theme.card, 0.12)
        painter.setPen(QPen(QColor(theme.accent if is_current else theme.line), 2.0 if is_current else 1.0))
        painter.setBrush(QColor(ground))
        painter.drawRoundedRect(rect, 8, 8)
        inside = rect.adjusted(9, 5, -9, -5)
        line = inside.height() / 3
        painter.setFont(self._strong)
        painter.setPen(QColor(theme.text))
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(inside.x(), inside.y(), inside.width(), line), left, node.name)
        if node.kind == "operation":
            used = self._strong_metrics.horizontalAdvance(node.name) + 8
            painter.setFont(self._font)
            painter.setPen(QColor(theme.dim))
            formula = self._metrics.elidedText(node.formula, Qt.TextElideMode.ElideRight, inside.width() - used)
            painter.drawText(QRectF(inside.x() + used, inside.y(), inside.width() - used, line), left, formula)
        painter.setFont(self._small)
        for number, (text, colour) in enumerate(((value, theme.text), (derivative, theme.accent)), start=1):
            painter.setPen(QColor(colour))
            shown = self._small_metrics.elidedText(text, Qt.TextElideMode.ElideRight, inside.width())
            painter.drawText(QRectF(inside.x(), inside.y() + number * line, inside.width(), line), left, shown)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Report the node under the mouse."""
        super().mousePressEvent(event)
        for number in self._layout.places:
            if self.rect_of(number).contains(event.position()):
                self.picked.emit(number)


def _number_of(stage: Stage) -> str:
    """Return what a node shows of a step."""
    return f"{stage.name} = {stage.total or stage.value}" if stage.is_derivative else stage.value
