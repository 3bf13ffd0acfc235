"""Buttons of Home that paint their content: a recent run with its curve, and a recipe of the gallery."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QEnterEvent, QFont, QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from lab.base.run_state import RunState
from lab.recipes import Points
from lab.shell.home.pictures import paint_curve
from lab.widgets.core.controls import plain_tip
from lab.widgets.core.fonts import Font, follow_type
from lab.widgets.core.theme import DASHES, px, themes
from lab.widgets.runs.delegate import paint_dot

CURVE = 64
"""Width of the curve of a run in pixels."""
CURVE_HEIGHT = 40
"""Height of the curve of a recipe with its margins in pixels."""
TEXT_HEIGHT = 82
"""Height of the title of a recipe and of three lines that say what it shows in pixels."""
VALUE = 48
"""Width of the last loss of a run in pixels."""
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class Tile(QAbstractButton):
    """A button that paints its content on a ground that shows hover and focus."""

    small, strong = Font("note"), Font(strong=True)

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        themes.changed.connect(self.update)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press the button with Return, too."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.isAutoRepeat():
            self.click()
        else:
            super().keyPressEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Show that the mouse is over it."""
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: object) -> None:
        """Show that the mouse has left it."""
        super().leaveEvent(event)  # type: ignore[arg-type]
        self.update()

    def paint_ground(self, painter: QPainter, colour: str, line: str) -> None:
        """Paint the ground; the ring of the focus replaces its line."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(themes.now.accent), 2) if self.hasFocus() else QPen(QColor(line), 1))
        painter.setBrush(QColor(colour))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 8, 8)

    def write(self, painter: QPainter, font: QFont, colour: str, rect: QRect, text: str) -> None:
        """Paint a line of text, elided if necessary."""
        painter.setFont(font)
        painter.setPen(QColor(colour))
        shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)


@dataclass(frozen=True)
class RecentRow:
    """A recent run.

    Args:
        key: The key of the run.
        name: Its name.
        detail: Its corpus, its architecture, and when it was made.
        value: Its last loss.
        colour: Its colour, "#rrggbb".
        dashes: Index of its lines' dashes in lab.widgets.core.theme.DASHES.
        state: Its state, for the dot.
        curve: Its loss along the steps; () until it was read.
        unit: The unit of its loss, below it.
        loss: What its loss is, in words.
    """

    key: str
    name: str
    detail: str
    value: str
    colour: str
    dashes: int
    state: RunState
    curve: Points
    unit: str = ""
    loss: str = ""


class RunTile(Tile):
    """The row of a recent run: dot, name and details, curve, last loss."""

    def __init__(self) -> None:
        super().__init__()
        follow_type(self, lambda tile: tile.setFixedHeight(px(46)))
        self.row: RecentRow | None = None

    def show_row(self, row: RecentRow) -> None:
        """Show a run."""
        if row == self.row:
            return
        self.row = row
        self.setAccessibleName(", ".join(filter(None, (row.name, row.detail, row.loss))))
        self.setToolTip(plain_tip("\n".join(filter(None, (row.name, row.detail, row.loss)))))
        self.update()

    def sizeHint(self) -> QSize:
        """Return a width for a short name."""
        return QSize(240, px(46))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the row."""
        del event
        row, theme, painter = self.row, themes.now, QPainter(self)
        if row is None:
            painter.end()
            return
        if self.underMouse() or self.hasFocus():
            self.paint_ground(painter, theme.card, theme.line)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_dot(painter, QPointF(14, px(16)), row.colour, row.state, row.dashes)
        right = self.width() - 10
        painter.setFont(self.strong)
        painter.setPen(QColor(theme.text))
        value = max(px(VALUE), QFontMetrics(self.small).horizontalAdvance(row.unit) + 2)
        painter.drawText(QRect(right - value, px(5), value, px(20)), RIGHT, row.value)
        painter.setFont(self.small)
        painter.setPen(QColor(theme.dim))
        painter.drawText(QRect(right - value, px(24), value, px(18)), RIGHT, row.unit)
        curve = QRectF(right - value - 12 - CURVE, 10, CURVE, self.height() - 20)
        pen = QPen(QColor(row.colour), 1.6)
        pattern = DASHES[row.dashes % len(DASHES)]
        if pattern:
            pen.setDashPattern([length / 1.6 for length in pattern])
        paint_curve(painter, row.curve, curve, pen)
        room = int(curve.left() if row.curve else right - value) - 14 - 28
        self.write(painter, self.strong, theme.text, QRect(28, px(5), room, px(20)), row.name)
        self.write(painter, self.small, theme.dim, QRect(28, px(24), room, px(18)), row.detail)
        painter.end()


class RecipeTile(Tile):
    """A recipe of the gallery: its recorded curve, title, duration, and what it shows.

    Args:
        name: The name of the recipe.
        title: Its title.
        shows: What will be seen.
        curve: The loss of its recorded training.
        colour: Index of the curve's colour among those of runs.
    """

    def __init__(self, name: str, title: str, shows: str, curve: Points, colour: int) -> None:
        super().__init__()
        self.name = name
        self._title, self._shows, self._curve, self._colour = title, shows, curve, colour
        self._duration = ""
        self._fitted: tuple[object, str] = (None, "")  # the rectangle and size of the type, and the text that fits
        follow_type(self, lambda tile: tile.setFixedHeight(CURVE_HEIGHT + px(TEXT_HEIGHT)))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(180)
        self.show_duration("")

    def show_duration(self, duration: str) -> None:
        """Show how long the training takes."""
        if duration == self._duration and self.accessibleName():
            return
        self._duration = duration
        self.setAccessibleName(", ".join(filter(None, (self._title, duration, self._shows))))
        self.setToolTip(plain_tip("\n".join(filter(None, (self._title, self._shows, duration)))))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the tile."""
        del event
        theme, painter, width = themes.now, QPainter(self), self.width()
        self.paint_ground(painter, theme.card, theme.field if self.underMouse() else theme.line)
        top = 8
        if self._curve:  # a recipe that was added may have none yet
            top = CURVE_HEIGHT
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.ground))
            painter.drawRoundedRect(QRectF(10, 8, width - 20, CURVE_HEIGHT - 12), 4, 4)
            pen = QPen(QColor(theme.runs[self._colour]), 1.6)
            paint_curve(painter, self._curve, QRectF(18, 12, width - 36, CURVE_HEIGHT - 20), pen)
        room = QFontMetrics(self.small).horizontalAdvance(self._duration)
        taken = 0 if self._curve else room + 8  # a falling curve leaves its upper right corner free
        self.write(painter, self.strong, theme.text, QRect(12, top, width - 24 - taken, px(20)), self._title)
        painter.setFont(self.small)
        painter.setPen(QColor(theme.dim))
        painter.drawText(QRect(width - 16 - room, 8 if self._curve else top, room, px(20)), RIGHT, self._duration)
        text = self._text_rect(top)
        painter.drawText(text, int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft), self._fitting_text(text))
        painter.end()

    @property
    def shown_text(self) -> str:
        """The description of the recipe, elided where the tile has no room."""
        return self._fitting_text(self._text_rect(CURVE_HEIGHT if self._curve else 8))

    def _text_rect(self, top: int) -> QRect:
        return QRect(12, top + px(22), self.width() - 24, self.height() - top - px(22) - 6)

    def _fitting_text(self, rect: QRect) -> str:
        """Return what it shows, shortened if it does not fit; the text is fitted again when the space changes."""
        if self._fitted[0] != (rect, themes.scale):
            self._fitted = (rect, themes.scale), self._fitting(rect)
        return self._fitted[1]

    def _fitting(self, rect: QRect) -> str:
        """Return what it shows, shortened to whole words if it does not fit into a rectangle."""
        metrics, words = QFontMetrics(self.small), self._shows.split()
        for count in range(len(words), 0, -1):
            text = " ".join(words[:count]) + ("" if count == len(words) else "…")
            if metrics.boundingRect(rect, int(Qt.TextFlag.TextWordWrap), text).height() <= rect.height():
                return text
        return ""
