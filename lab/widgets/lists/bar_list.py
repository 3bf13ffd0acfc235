"""The list of rows with a name, a bar and figures, below the names of the columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QVBoxLayout, QWidget

from lab.widgets.core.fonts import Font
from lab.widgets.core.theme import interface_font, mixed, px, themes, token_font
from lab.widgets.lists.row_list import RowList, RowPainter

ROW = 20
"""Height of a row in pixels."""
HEAD, FRAME = 18, 8
"""Heights in pixels: of the head, and of border and padding of the list."""
GAP = 12
"""Pixels between columns."""
LEAST = 24
"""The smallest width of a name in pixels."""
SHORTEST = 20
"""The width of a bar in pixels down to which it gives its room to the name."""
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True, slots=True)
class Bar:
    """A row.

    Args:
        name: Its name.
        share: Length of the bar as a share of the space for bars, 0 to 1.
        figures: The figures at its right, one for each column.
        description: The full text of the row.
        second: Whether its bar has the second colour of data.
    """

    name: str
    share: float
    figures: tuple[str, ...]
    description: str
    second: bool = False


class BarList(QWidget):
    """A list of bars with the names of its columns above.

    Args:
        name: The name of the list, for screen readers.
        tokens: Whether the names of rows are text of a corpus.
        parent: Its parent.
    """

    def __init__(self, name: str, *, tokens: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._fitted = 0  # number of rows of a fixed height; 0 for any height
        self._painter = _BarPainter(tokens)
        self.list: RowList[Bar] = RowList(name, self._painter)
        self._head = _Head(self._painter, self.list)
        self.list.verticalScrollBar().rangeChanged.connect(self._on_scroll_bar_changed)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        rows.addWidget(self._head)
        rows.addWidget(self.list, 1)
        rows.addStretch()
        themes.changed.connect(self._resize_type)

    def set_bars(self, heads: Sequence[str], bars: Sequence[Bar]) -> None:
        """Show other rows.

        Args:
            heads: Names of the columns: first that of the names, then of each figure.
            bars: The rows.
        """
        self._painter.lay(heads, bars)
        self.list.set_rows(bars)
        self._head.update()

    def _on_scroll_bar_changed(self, _low: int, _high: int) -> None:
        self._head.update()  # the rows have another width

    def fit(self, rows: int) -> None:
        """Set the height to at most `rows` rows."""
        self._fitted = rows
        self.list.setFixedHeight(rows * px(ROW) + FRAME)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show only complete rows."""
        super().resizeEvent(event)
        if not self._fitted:
            self._show_complete_rows()

    def _show_complete_rows(self) -> None:
        self.list.setMaximumHeight(max(1, (self.height() - px(HEAD) - FRAME) // px(ROW)) * px(ROW) + FRAME)

    def _resize_type(self) -> None:
        """Lay out everything again for another size of the type."""
        self._painter.lay_again()
        self._head.setFixedHeight(px(HEAD))
        if self._fitted:
            self.fit(self._fitted)
        else:
            self._show_complete_rows()


class _BarPainter(RowPainter[Bar]):
    _figures, note = Font(), Font("note")

    def __init__(self, tokens: bool) -> None:
        super().__init__(ROW)
        self.heads: Sequence[str] = ()
        self._tokens = tokens
        self._rows: Sequence[Bar] = ()
        self._name_width, self._widths = 0.0, list[float]()

    @property
    def _names(self) -> QFont:
        return token_font() if self._tokens else interface_font()

    def lay_again(self) -> None:
        """Give each column the width that its text needs in the size of the type."""
        if self.heads:
            self.lay(self.heads, self._rows)

    def lay(self, heads: Sequence[str], bars: Sequence[Bar]) -> None:
        """Give each column the width that its text needs."""
        self.heads, self._rows = heads, bars
        names, figures, note = (QFontMetricsF(font) for font in (self._names, self._figures, self.note))
        widest = max((names.horizontalAdvance(bar.name) for bar in bars), default=0.0)
        self._name_width = max(LEAST, widest, note.horizontalAdvance(heads[0]))
        self._widths = [
            max([note.horizontalAdvance(head), *(figures.horizontalAdvance(bar.figures[column]) for bar in bars)])
            for column, head in enumerate(heads[1:])
        ]

    def columns(self, rect: QRectF) -> tuple[QRectF, QRectF, list[QRectF]]:
        """Return the rectangles of name, bar and figures of a row."""
        right, figures = rect.right(), []
        for width in reversed(self._widths):
            figures.append(QRectF(right - width, rect.top(), width, rect.height()))
            right -= width + GAP
        room = right - rect.left()
        name = min(self._name_width, max(LEAST, 0.55 * room, room - 8 - SHORTEST))
        left = rect.left() + name + 8
        bar = QRectF(left, rect.top() + 5, max(0.0, right - left), rect.height() - 10)
        return QRectF(rect.left(), rect.top(), name, rect.height()), bar, figures[::-1]

    def paint_row(self, painter: QPainter, rect: QRectF, row: Bar) -> None:
        """Paint name, bar and figures."""
        theme = themes.now
        name, room, figures = self.columns(rect)
        painter.setPen(QColor(theme.text))
        painter.setFont(self._names)
        shown = QFontMetricsF(self._names).elidedText(row.name, Qt.TextElideMode.ElideRight, name.width() + 1)
        painter.drawText(name, LEFT, shown)
        painter.setFont(self._figures)
        for figure, text in zip(figures, row.figures, strict=True):
            painter.drawText(figure, RIGHT, text)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(mixed(theme.line, theme.panel, 0.5)))
        painter.drawRoundedRect(room, 2, 2)
        if row.share > 0:
            room.setWidth(max(2.0, room.width() * min(1.0, row.share)))
            painter.setBrush(QColor(theme.runs[1 if row.second else 0]))
            painter.drawRoundedRect(room, min(2.0, room.width() / 2), 2)


class _Head(QWidget):
    """The names of the columns above them."""

    def __init__(self, columns: _BarPainter, rows: QAbstractScrollArea) -> None:
        super().__init__()
        self._columns, self._rows = columns, rows
        self.setFixedHeight(px(HEAD))
        themes.changed.connect(self.update)

    def paintEvent(self, _event: QPaintEvent) -> None:
        heads = self._columns.heads
        if not heads:
            return
        with QPainter(self) as painter:
            painter.setFont(self._columns.note)
            painter.setPen(QColor(themes.now.dim))
            width = self._rows.viewport().width()  # not stored: PySide6 may drop its wrapper of a widget that Qt made
            rect = QRectF(4, 0, width, self.height()).adjusted(4, 0, -4, 0)  # border and padding, inset
            name, _, figures = self._columns.columns(rect)
            painter.drawText(name, LEFT, heads[0])
            for figure, text in zip(figures, heads[1:], strict=True):
                painter.drawText(figure, RIGHT, text)
