"""The list of passages of a text, each with its figures."""

from __future__ import annotations

import bisect
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter
from PySide6.QtWidgets import QWidget

from lab.widgets.core.fonts import Font
from lab.widgets.core.glyphs import glyphs
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import px, themes
from lab.widgets.lists.row_list import RowList, RowPainter

LINE = 17
"""Height of a line in pixels."""
LINES = 2
"""Number of lines of a passage that are shown."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A row.

    Args:
        text: The passage.
        figures: The figures about it, as text.
    """

    text: str
    figures: str

    @property
    def description(self) -> str:
        """Its full text, for tool tips and screen readers."""
        return tr("{figures}: {passage}", figures=self.figures, passage=glyphs(self.text))


class PassageList(RowList[Passage]):
    """The list of passages, in which every character is visible.

    Args:
        name: The name of the list, for screen readers.
        lines: Number of lines of a passage that are shown; the tool tip has the full passage.
        parent: Its parent.
    """

    def __init__(self, name: str, *, lines: int = LINES, parent: QWidget | None = None) -> None:
        super().__init__(name, _PassagePainter(lines), parent)


class _PassagePainter(RowPainter[Passage]):
    _tokens, _note = Font("note", tokens=True), Font("note")

    def __init__(self, lines: int) -> None:
        super().__init__((lines + 1) * LINE + 6)
        self._lines = lines

    def paint_row(self, painter: QPainter, rect: QRectF, row: Passage) -> None:
        """Paint the figures, and below them the passage."""
        theme, metrics = themes.now, QFontMetricsF(self._tokens)
        painter.setFont(self._note)
        painter.setPen(QColor(theme.dim))
        line = QRectF(rect.left(), rect.top() + 2, rect.width(), px(LINE))
        figures = QFontMetricsF(self._note).elidedText(row.figures, Qt.TextElideMode.ElideRight, line.width())
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, figures)
        painter.setFont(self._tokens)
        painter.setPen(QColor(theme.text))
        shown = glyphs(row.text)
        for left in reversed(range(self._lines)):
            line.translate(0, px(LINE))
            fits = _fitting(shown, metrics, line.width()) if left else len(shown)
            label = metrics.elidedText(shown[:fits], Qt.TextElideMode.ElideRight, line.width() + 1)
            painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, label)
            shown = shown[fits:]


def _fitting(label: str, metrics: QFontMetricsF, width: float) -> int:
    """Return the number of characters that fit into a width; signs of white space may be wider than letters."""
    return bisect.bisect_right(range(1, len(label) + 1), width, key=lambda n: metrics.horizontalAdvance(label[:n]))
