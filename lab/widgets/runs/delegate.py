"""The delegates that paint runs as rows: the dot, the marks, the name, and the field that edits the name."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from lab.base.run_state import RunState
from lab.widgets.core.fonts import Font
from lab.widgets.core.i18n import tr
from lab.widgets.core.icons import paint_icon
from lab.widgets.core.theme import DASHES, STEP, control_height, px, themes
from lab.widgets.runs.list_model import ROW, Badge, Index, RunRow

WIDE_ROW, NARROW_ROW, RAIL_ROW = 46, 28, 42
"""Heights of rows in pixels."""
RAIL = 48
"""Width of the rail in pixels at a size of the type of 100 percent."""
EYE = 16
"""Size of the eye in pixels."""
MARK = 12
"""Size of a mark next to a name in pixels."""
LONGEST = 200
"""The largest number of characters of a name."""
LEFT = Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignRight
BADGES: dict[Badge, str] = {"exact": "check", "close": "near", "not reproducible": "close"}
"""The icon of the result of verifying a run."""


def rail_width() -> int:
    """Return the width of the rail: it grows with the type, and does not shrink with it."""
    return max(RAIL, px(RAIL))


def paint_dot(painter: QPainter, middle: QPointF, colour: str, state: RunState, dashes: int = 0) -> None:
    """Paint a run's dot, 12 pixels wide: filled while active, a ring when it has ended, with a sign if it failed.

    A run with dashed lines has a piece of its line at both sides of the dot.
    """
    ink = QColor(colour)
    pattern = DASHES[dashes % len(DASHES)]
    if pattern:
        pen = QPen(ink, 2)
        pen.setDashPattern([length / 2 for length in pattern])
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        for side in (-1, 1):
            painter.drawLine(middle + QPointF(6 * side, 0), middle + QPointF(10 * side, 0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(ink, 2))
    if state in (RunState.PREPARING, RunState.RUNNING, RunState.SAVING):
        painter.setBrush(ink)
        painter.drawEllipse(middle, 4, 4)
    elif state == RunState.PAUSED:
        painter.setPen(QPen(ink, 3))
        for offset in (-2.5, 2.5):
            painter.drawLine(middle + QPointF(offset, -3.5), middle + QPointF(offset, 3.5))
    elif state == RunState.QUEUED:
        painter.setPen(QPen(ink, 2, Qt.PenStyle.DotLine))
        painter.drawEllipse(middle, 4, 4)
    elif state in (RunState.FINISHED, RunState.STOPPED):
        painter.drawEllipse(middle, 4, 4)
    else:
        painter.drawEllipse(middle, 5, 5)
        painter.setPen(QPen(QColor(themes.now.bad if state == RunState.FAILED else themes.now.warn), 1.8))
        painter.drawLine(middle + QPointF(0, -2.6), middle + QPointF(0, 0.4))
        painter.drawPoint(middle + QPointF(0, 2.6))


def paint_ground(painter: QPainter, rect: QRect, state: QStyle.StateFlag) -> None:
    """Paint the background of a selected or hovered row, and a ring with the focus."""
    theme = themes.now
    selected = bool(state & QStyle.StateFlag.State_Selected)
    focused = bool(state & QStyle.StateFlag.State_HasFocus)
    if selected or focused or state & QStyle.StateFlag.State_MouseOver:
        line = theme.accent if focused else theme.line if selected else theme.card
        painter.setPen(QPen(QColor(line), 1))
        painter.setBrush(QColor(theme.card))
        painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)


def eye_rect(row: QRect) -> QRect:
    """Return the rectangle of a row's eye: before the name in narrow rows, in the second line of wide ones."""
    if row.height() == px(NARROW_ROW):
        return QRect(row.left() + 28, row.center().y() - EYE // 2 + 1, EYE, EYE)
    return QRect(row.right() - 8 - EYE, row.top() + px(25), EYE, EYE)


def write(
    painter: QPainter,
    font: QFont,
    colour: str,
    rect: QRect,
    text: str,
    side: Qt.AlignmentFlag = LEFT,
) -> int:
    """Paint a text, elided if necessary, and return its width."""
    metrics = QFontMetrics(font)
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
    painter.setFont(font)
    painter.setPen(QColor(colour))
    painter.drawText(rect, side | Qt.AlignmentFlag.AlignVCenter, shown)
    return metrics.horizontalAdvance(shown)


class NameDelegate(QStyledItemDelegate):
    """The base of delegates that paint a run's name with its marks, and edit it.

    Attributes:
        lit: The key of the run whose eye is under the mouse.
    """

    plain, strong, small = Font(), Font(strong=True), Font("note")

    def __init__(self) -> None:
        super().__init__()
        self.lit = ""

    def paint_name(self, painter: QPainter, rect: QRect, row: RunRow, ink: str, *, strong: bool) -> None:
        """Paint a name with the run's marks: a star and a fork before it, a badge after it."""
        theme, left = themes.now, rect.left()
        marks = [("star", theme.text)] if row.star else []
        marks += [("branch", theme.dim)] if row.branched else []
        top = rect.center().y() - MARK / 2 + 1
        for name, colour in marks:
            paint_icon(painter, name, QRectF(left, top, MARK, MARK), colour)
            left += MARK + 4
        room = QRect(rect)
        room.setLeft(left)
        badge = BADGES.get(row.badge)
        room.setRight(room.right() - (MARK + 4 if badge else 0))
        font = self.strong if strong else self.plain
        width = write(painter, font, ink, room, row.name)
        if badge:
            colour = {"exact": theme.good, "close": theme.warn}.get(row.badge, theme.bad)
            paint_icon(painter, badge, QRectF(left + width + 4, top, MARK, MARK), colour)

    def paint_eye(self, painter: QPainter, rect: QRect, row: RunRow) -> None:
        """Paint the eye, highlighted under the mouse."""
        ink = themes.now.text if self.lit == row.key else themes.now.dim
        paint_icon(painter, "eye" if row.shown else "eye closed", QRectF(rect), ink)

    def name_rect(self, row: QRect) -> QRect:
        """Return the rectangle in a row where the name is edited."""
        return row

    def createEditor(self, parent: QWidget, _option: QStyleOptionViewItem, _index: Index) -> QWidget:
        """Return a line edit."""
        field = QLineEdit(parent)
        field.setProperty("role", "value")
        field.setMaxLength(LONGEST)
        field.setAccessibleName(tr("Name of the run"))
        return field

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        """Fill the field once, so that an unfinished entry stays while the run changes."""
        if isinstance(editor, QLineEdit) and not editor.property("filled"):
            editor.setProperty("filled", True)
            editor.setText(index.data(Qt.ItemDataRole.EditRole))
            editor.selectAll()

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        """Store the name in the model."""
        if isinstance(editor, QLineEdit):
            model.setData(index, editor.text())

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, _index: Index) -> None:
        """Put the field over the name."""
        rect = self.name_rect(QRect(option.rect))
        middle = rect.center().y()
        height = control_height(28)
        editor.setGeometry(rect.left() - 6, middle - height // 2 + 1, rect.width() + 6, height)


class ListDelegate(NameDelegate):
    """The delegate of the list of runs.

    Attributes:
        narrow: Whether rows have one line.
    """

    def __init__(self) -> None:
        super().__init__()
        self.narrow = False

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """Return the size of a row: two lines for a few runs, one for many."""
        return QSize(100, px(NARROW_ROW) if self.narrow else px(WIDE_ROW))

    def name_rect(self, row: QRect) -> QRect:
        """Return the name's line up to the edge of the row."""
        return self._line(row).adjusted(50 if self.narrow else 30, 0, -4, 0)

    def _line(self, row: QRect) -> QRect:
        return row if self.narrow else QRect(row.left(), row.top() + px(5), row.width(), px(18))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one run."""
        row: RunRow = index.data(ROW)
        rect, state = QRect(option.rect), option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_ground(painter, rect, state)
        line, eye = self._line(rect), eye_rect(rect)
        paint_dot(painter, QPointF(rect.left() + 14, line.center().y() + 1), row.colour, row.state, row.dashes)
        over = bool(state & (QStyle.StateFlag.State_MouseOver | QStyle.StateFlag.State_Selected))
        if self.narrow or over or not row.shown:
            self.paint_eye(painter, eye, row)
        text = line.adjusted(50 if self.narrow else 30, 0, -8, 0)
        selected = bool(state & QStyle.StateFlag.State_Selected)
        ink = themes.now.text if row.shown else themes.now.dim
        left = write(painter, self.strong if selected else self.plain, ink, text, row.value, RIGHT)
        self.paint_name(painter, text.adjusted(0, 0, -left - 8, 0), row, ink, strong=selected)
        if not self.narrow:
            second = QRect(text.left(), rect.top() + px(24), eye.left() - text.left() - 6, px(17))
            write(painter, self.small, themes.now.dim, second, row.detail)
        painter.restore()


def fitted(font: QFont, text: str, width: float) -> QFont:
    """Return the font, or a smaller one in which the text is no wider than this many pixels."""
    needed = QFontMetricsF(font).horizontalAdvance(text)
    if needed <= width:
        return font
    made = QFont(font)
    made.setPixelSize(max(1, int(font.pixelSize() * width / needed)))
    return made


class RailDelegate(QStyledItemDelegate):
    """The delegate of the rail of runs: a dot, and the short name below it."""

    _font = Font("note")

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """Return the size of a row."""
        return QSize(rail_width() - 8, px(RAIL_ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one run."""
        row: RunRow = index.data(ROW)
        rect, state = QRect(option.rect), option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_ground(painter, rect.adjusted(2, 0, -2, 0), state)
        paint_dot(painter, QPointF(rect.center().x() + 1, rect.top() + px(12)), row.colour, row.state, row.dashes)
        selected = bool(state & QStyle.StateFlag.State_Selected)
        painter.setFont(fitted(self._font, row.short_name, rect.width() - STEP))
        painter.setPen(QColor(themes.now.text if selected else themes.now.dim))
        painter.drawText(rect.adjusted(0, px(20), 0, -2), Qt.AlignmentFlag.AlignCenter, row.short_name)
        painter.restore()
