"""The widget that draws a model: a click or a key selects a part and unfolds it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QColor,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QFrame, QScrollArea, QToolTip, QWidget

from lab.base.model_parts import ModelPart
from lab.widgets.core.controls import plain_tip
from lab.widgets.core.fonts import Font, Metrics, follow_type
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import Theme, control_height, mixed, themes
from lab.widgets.diagram.labels import description_of, figure_of, note_of, shape_of, title_of
from lab.widgets.diagram.layout import BOX, SUM, Box, Connection, Diagram, first_open, laid_out
from lab.widgets.figures.diagram import DiagramFigure, DrawnPart
from lab.widgets.figures.export import Export
from lab.widgets.figures.view import FigureView

WIDEST = 760.0
"""Most pixels across at the usual size of the type: on wider screens lines would be long and texts far apart."""
MARGIN = 3.0
"""Pixels around the drawing, for outlines and focus."""
STRIPE = {"embedding": 3, "output": 3, "tokens": 0, "channels": 2, "table": 1}
"""For the kinds of parts that have a colour: its number among those that the colour-blind can distinguish."""
ARROW = 3.5
"""Half the width of an arrow's head in pixels."""
NOTHING = ModelPart("", "", "model")


class DiagramArea(QScrollArea):
    """The scroll area of the drawing of a model; it scrolls vertically."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.diagram = DiagramView()
        self.setWidget(self.diagram)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusProxy(self.diagram)
        self.setAccessibleName(tr("Drawing of the model"))
        self.diagram.revealed.connect(self._scroll_to)

    def _scroll_to(self, area: QRectF) -> None:
        for y in (area.bottom(), area.top()):  # the title last, where it does not all fit
            self.ensureVisible(0, int(y), 0, 12)


class DiagramView(FigureView):
    """The drawing of a model.

    A click selects a part and unfolds it; a click on the title of an unfolded part that is selected folds it. Arrow
    keys go from part to part: up and down along the drawing, right unfolds or goes inside, left folds or goes outside.
    Space and Return unfold and fold; Escape selects the model.

    Attributes:
        selected: Path of the selected part; "" for the model.
    """

    picked = Signal(str)
    """The path of the part that was selected."""
    revealed = Signal(QRectF)
    """The area of a part that is to be visible."""

    _font, _strong, _small = Font(), Font(strong=True), Font("note")
    _metrics, _strong_metrics, _small_metrics = Metrics(), Metrics(strong=True), Metrics("note")

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.selected = ""
        self._tree = NOTHING
        self._opened: frozenset[str] = frozenset()
        self._diagram = Diagram((), (), (), 0.0, 0.0)
        self._hovered: str | None = None
        self._shape: tuple[object, ...] = ()  # what the default unfolding was chosen for
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Drawing of the model"))
        follow_type(self, DiagramView._arrange)

    # ------------------------------------------------------------------------------------------------------- contents

    @property
    def tree(self) -> ModelPart:
        """The parts of the model."""
        return self._tree

    @property
    def diagram(self) -> Diagram:
        """The boxes and lines that are drawn."""
        return self._diagram

    def set_tree(self, tree: ModelPart) -> None:
        """Draw a model; parts that exist in it too stay unfolded and selected."""
        paths = {part.path for part in tree.walk()}
        shape = tree.name, tuple((part.path, part.kind) for part in tree.children)
        is_other = shape != self._shape
        self._tree, self._shape = tree, shape
        self._opened = first_open(tree) if is_other else self._opened & paths
        if self.selected not in paths:
            self.selected = ""
        self._arrange()
        self.describe()

    def part(self, path: str) -> ModelPart | None:
        """Return the part at a path; None if the model has none."""
        return next((part for part in self._tree.walk() if part.path == path), None)

    def rect_of(self, path: str) -> QRectF:
        """Return the rectangle of a visible part's title, in pixels of the widget; an empty one if it is folded."""
        box = self._diagram.box_of(path)
        return QRectF() if box is None else self._title_rect(box)

    def text_of(self, path: str) -> str:
        """Return what is read aloud about a visible part; "" if it is folded."""
        box = self._diagram.box_of(path)
        return "" if box is None else description_of(box.part, self._tree, is_open=box.is_open, depth=box.depth)

    def is_open(self, path: str) -> bool:
        """Return True if a part is unfolded."""
        box = self._diagram.box_of(path)
        return box is not None and box.is_open

    def select(self, path: str) -> None:
        """Select a visible part, scroll to it, and report it."""
        box = self._diagram.box_of(path)
        if box is None:
            return
        self.selected = path
        self.describe()
        self.update()
        self.revealed.emit(QRectF(box.x, box.y, box.width, box.height).translated(self._left(), MARGIN))
        self.picked.emit(path)

    def reveal(self, path: str) -> None:
        """Unfold everything around a part, select it and scroll to it."""
        self._opened |= set(self._tree.around(path))
        self._arrange()
        self.select(path)

    def toggle(self, path: str) -> None:
        """Unfold a part, or fold it; the model itself stays unfolded."""
        box = self._diagram.box_of(path)
        if box is None or not box.part.rows or not path:
            return
        self._opened = self._opened - {path} if box.is_open else self._opened | {path}
        self._arrange()
        if self._diagram.box_of(self.selected) is None:
            self.selected = path
        self.describe()

    def _arrange(self) -> None:
        width = max(200.0, min(WIDEST * themes.scale, self.width() - 2 * MARGIN))
        self._row = float(control_height(BOX))
        if self._tree.rows:
            self._diagram = laid_out(self._tree, self._opened, width, box=self._row, scale=themes.scale)
        self.setMinimumHeight(int(self._diagram.height + 2 * MARGIN) + 1)
        self.update()

    def describe(self) -> None:
        """Let screen readers read what is known of the selected part."""
        text = self.text_of(self.selected)
        if text != self.accessibleDescription():
            self.setAccessibleDescription(text)
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.DescriptionChanged))

    def _left(self) -> float:
        return max(MARGIN, (self.width() - self._diagram.width) / 2)

    def _title_rect(self, box: Box) -> QRectF:
        return QRectF(box.x + self._left(), box.y + MARGIN, box.width, self._row)

    # --------------------------------------------------------------------------------------------------- mouse and keys

    def _box_at(self, position: QPointF) -> Box | None:
        return self._diagram.box_at(position.x() - self._left(), position.y() - MARGIN)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the part under the mouse; unfold it, or fold it if it was selected already."""
        box = self._box_at(event.position())
        if box is None or event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        path, on_title = box.part.path, self._title_rect(box).contains(event.position())
        if not box.is_open or (on_title and path == self.selected):
            self.toggle(path)
        self.select(path)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Take the end of a click; the press has done everything."""
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Mark the part under the mouse."""
        box = self._box_at(event.position())
        self._hover(None if box is None else box.part.path)

    def leaveEvent(self, event: QEvent) -> None:
        """Mark no part."""
        super().leaveEvent(event)
        self._hover(None)

    def mark(self, path: str | None) -> None:
        """Mark a part like the one under the mouse; None marks none."""
        if path != self._hovered:
            self._hovered = path
            self.update()

    def _hover(self, path: str | None) -> None:
        self.setCursor(Qt.CursorShape.PointingHandCursor if path else Qt.CursorShape.ArrowCursor)
        self.mark(path)

    def event(self, event: QEvent) -> bool:
        """Show what is known of the part under the mouse as a tool tip."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            box = self._box_at(QPointF(event.pos()))
            text = "" if box is None else self.text_of(box.part.path).replace("; ", "\n")
            QToolTip.showText(event.globalPos(), plain_tip(text) if text else "", self)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to another part, unfold or fold the selected one."""
        boxes = self._diagram.boxes
        index = next((number for number, box in enumerate(boxes) if box.part.path == self.selected), 0)
        box = boxes[index] if boxes else None
        keys = Qt.Key
        match event.key():
            case _ if box is None:
                super().keyPressEvent(event)
            case keys.Key_Down | keys.Key_Up:
                step = 1 if event.key() == keys.Key_Down else -1
                self.select(boxes[min(max(index + step, 0), len(boxes) - 1)].part.path)
            case keys.Key_Home | keys.Key_End:
                self.select(boxes[0 if event.key() == keys.Key_Home else -1].part.path)
            case keys.Key_Right if box.part.rows and not box.is_open:
                self.toggle(box.part.path)
                self.select(box.part.path)
            case keys.Key_Right if box.part.rows:
                self.select(boxes[index + 1].part.path)
            case keys.Key_Left if box.is_open and box.part.path:
                self.toggle(box.part.path)
                self.select(box.part.path)
            case keys.Key_Left:
                around = self._diagram.around(box.part.path)
                self.select("" if around is None else around.part.path)
            case keys.Key_Space | keys.Key_Return | keys.Key_Enter if not event.isAutoRepeat():
                self.toggle(box.part.path)
                self.select(box.part.path)
            case keys.Key_Escape if box.part.path:
                self.select("")
            case _:
                super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange the boxes for the width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._arrange()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the focus at the selected part."""
        super().focusInEvent(event)
        self.update()

    # -------------------------------------------------------------------------------------------------------- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the visible part of the drawing."""
        with QPainter(self) as painter:
            painter.translate(self._left(), MARGIN)
            visible = QRectF(event.rect()).translated(-self._left(), -MARGIN)
            self._paint(painter, visible, marks=True)

    def _paint(self, painter: QPainter, visible: QRectF, *, marks: bool) -> None:
        theme = themes.now
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for box in self._diagram.boxes:
            if QRectF(box.x, box.y, box.width, box.height).intersects(visible):
                self._paint_box(painter, box, theme, marks=marks)
        for line in self._diagram.lines:
            _paint_line(painter, line, theme)
        for x, y in self._diagram.sums:
            _paint_sum(painter, QPointF(x, y), theme)

    def _paint_box(self, painter: QPainter, box: Box, theme: Theme, *, marks: bool) -> None:
        rect = QRectF(box.x, box.y, box.width, box.height).adjusted(0.5, 0.5, -0.5, -0.5)
        selected = marks and box.part.path == self.selected
        hovered = marks and box.part.path == self._hovered
        if box.depth:
            ground = theme.line if hovered and not box.is_open else theme.card if box.depth % 2 else theme.panel
            if box.part.count > 1:  # a second sheet below it
                painter.setPen(QPen(QColor(theme.line), 1))
                painter.setBrush(QColor(theme.panel))
                painter.drawRoundedRect(rect.adjusted(3, 3, 3, 3).intersected(rect.adjusted(0, 0, 3, 3)), 6, 6)
            painter.setBrush(QColor(ground))
            painter.setPen(QPen(QColor(theme.field if hovered else theme.line), 1))
            painter.drawRoundedRect(rect, 6, 6)
        if selected:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            colour = theme.accent if self.hasFocus() else theme.dim
            painter.setPen(QPen(QColor(colour), 2 if self.hasFocus() else 1.5))
            frame = rect if box.depth else QRectF(rect.left(), rect.top(), rect.width(), self._row)
            painter.drawRoundedRect(frame.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        self._paint_title(painter, box, theme)

    def _paint_title(self, painter: QPainter, box: Box, theme: Theme) -> None:
        """Write name, note and parameters of a part, with its colour and its share of all parameters."""
        part, rect = box.part, QRectF(box.x, box.y, box.width, self._row)
        left, right = rect.left() + 10, rect.right() - 10
        colour = QColor(theme.runs[STRIPE[part.kind]]) if part.kind in STRIPE else QColor(theme.dim)
        if part.kind in STRIPE:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawRoundedRect(QRectF(rect.left() + 4, rect.top() + 7, 3, rect.height() - 14), 1.5, 1.5)
            left += 2
        if part.rows and box.depth:
            _paint_chevron(painter, QPointF(left + 4, rect.center().y()), theme, is_open=box.is_open)
            left += 16
        strong = box.is_open or not box.depth
        metrics = self._strong_metrics if strong else self._metrics
        figure = figure_of(part)
        wide = self._small_metrics.horizontalAdvance(figure)
        name = metrics.elidedText(
            title_of(part), Qt.TextElideMode.ElideRight, max(0.0, right - left - (wide + 10 if wide else 0))
        )
        painter.setFont(self._strong if strong else self._font)
        painter.setPen(QColor(theme.text))
        _write(painter, rect, left, name)
        left += metrics.horizontalAdvance(name) + 10
        painter.setFont(self._small)
        if figure and right - wide > left - 4:
            painter.setPen(QColor(theme.text if part.parameters else theme.dim))
            _write(painter, rect, right - wide, figure)
            self._paint_share(painter, box, colour)
        note = note_of(part) if box.depth else ""
        room = right - wide - 12 - left
        if note and room > 36:
            painter.setPen(QColor(theme.dim))
            _write(painter, rect, left, self._small_metrics.elidedText(note, Qt.TextElideMode.ElideRight, room))

    def _paint_share(self, painter: QPainter, box: Box, colour: QColor) -> None:
        """Draw a bar as long as the part's share of all parameters along the lower edge of a folded part."""
        share = box.part.parameters / (self._tree.parameters or 1)
        if box.is_open or not box.depth or share <= 0:
            return
        length = max(1.5, share * (box.width - 20))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawRoundedRect(QRectF(box.x + 10, box.y + self._row - 4, length, 2), 1, 1)

    # ---------------------------------------------------------------------------------------------------------- export

    def export(self, title: str) -> Export | None:
        """Return the drawing as it is unfolded, with a title; None if there is none."""
        diagram = self._diagram
        if not diagram.boxes:
            return None
        parts = [
            DrawnPart(
                title_of(box.part), note_of(box.part) if box.depth else "", figure_of(box.part), box.part.kind,
                box.depth, shape_of(box.part), box.part.parameters, box.part.flops,
                (box.x, box.y, box.width, box.height), self._row,
            )
            for box in diagram.boxes
        ]  # fmt: skip
        lines = [line.points for line in diagram.lines]
        figure = DiagramFigure(title, diagram.width, diagram.height, parts, lines, diagram.sums)
        size = QSize(int(diagram.width) + 2, int(diagram.height) + 4)
        whole = QRectF(0, 0, diagram.width, diagram.height)
        return Export(figure, size, lambda painter: self._paint(painter, whole, marks=False), 12)


def _write(painter: QPainter, row: QRectF, left: float, text: str) -> None:
    area = QRectF(left, row.top(), row.right() - left, row.height())
    painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine | Qt.TextFlag.TextDontClip, text)


def _paint_chevron(painter: QPainter, middle: QPointF, theme: Theme, *, is_open: bool) -> None:
    """Draw the sign of a part that can be unfolded: pointing right, or down if it is open."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(theme.dim), 1.6, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    offsets = ((-3.5, -1.8), (0, 1.8), (3.5, -1.8)) if is_open else ((-1.8, -3.5), (1.8, 0), (-1.8, 3.5))
    painter.drawPolyline(QPolygonF([middle + QPointF(x, y) for x, y in offsets]))


def _paint_line(painter: QPainter, line: Connection, theme: Theme) -> None:
    """Draw a line with round corners, and its arrow."""
    colour = QColor(theme.accent if line.kind == "residual" else mixed(theme.dim, theme.panel, 0.8))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(colour, 1.5))
    points = [QPointF(x, y) for x, y in line.points]
    path = QPainterPath(points[0])
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        path.lineTo(_towards(corner, before, 5))
        path.quadTo(corner, _towards(corner, after, 5))
    path.lineTo(points[-1])
    painter.drawPath(path)
    if line.arrow:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        tip, back = points[-1], _towards(points[-1], points[-2], 2 * ARROW)
        side = QPointF(back.y() - tip.y(), tip.x() - back.x()) * 0.5
        painter.drawPolygon(QPolygonF([tip, back + side, back - side]))


def _towards(start: QPointF, end: QPointF, length: float) -> QPointF:
    """Return the point at a distance from the start, at most halfway to the end."""
    way = end - start
    whole = (way.x() ** 2 + way.y() ** 2) ** 0.5
    return start if not whole else start + way * min(length / whole, 0.5 if length < 2 * ARROW else 1.0)


def _paint_sum(painter: QPainter, middle: QPointF, theme: Theme) -> None:
    """Draw the circle where a residual branch is added."""
    painter.setBrush(QColor(theme.panel))
    painter.setPen(QPen(QColor(theme.accent), 1.5))
    painter.drawEllipse(middle, SUM - 1, SUM - 1)
    for along in (QPointF(3, 0), QPointF(0, 3)):
        painter.drawLine(middle - along, middle + along)
