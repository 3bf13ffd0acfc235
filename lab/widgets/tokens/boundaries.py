"""A text cut into tokens: the boundaries of each, their ids below them, and some of them marked."""

from __future__ import annotations

import bisect
import functools
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QToolTip, QWidget

from lab.widgets.core.controls import plain_tip
from lab.widgets.core.fonts import Font, Metrics
from lab.widgets.core.glyphs import SIGNS, glyphs
from lab.widgets.core.i18n import number_text, tr, tr_n
from lab.widgets.core.theme import Theme, mixed, themes

NONE = -1
"""The index of no token."""
SHARE = {"dark": (0.30, 0.30), "light": (0.20, 0.26)}
"""Shares of the first and the second colour of runs in the backgrounds of tokens, by theme."""
_BLANK = SIGNS[" "]
_END = SIGNS["\n"]
_SPACES = frozenset(SIGNS.values())
_NO_SIGN = re.compile(f"[^{''.join(SIGNS.values())}]")
_WITHOUT_SIGNS = {ord(sign): " " for sign in SIGNS.values()}
_RUNS = re.compile(f"[{''.join(SIGNS.values())}]+|[^{''.join(SIGNS.values())}]+")


@functools.cache
def token_grounds(theme: Theme) -> tuple[str, str]:
    """Return the backgrounds of alternating tokens: quiet blue and amber, distinct also for the colour-blind."""
    shares = SHARE[theme.scheme]
    return mixed(theme.runs[0], theme.panel, shares[0]), mixed(theme.runs[1], theme.panel, shares[1])


@dataclass(frozen=True, slots=True)
class CutToken:
    """One token of a text.

    Args:
        token: Its number in the vocabulary.
        label: Its label from the tokenizer.
        size: The size of its text in bytes.
    """

    token: int
    label: str
    size: int


class TokenBoundaries(QAbstractScrollArea):
    """The tokens of a text in lines, on alternating backgrounds and separated from each other.

    Args:
        name: Its name, for screen readers.
        parent: Its parent.
    """

    _font, _small = Font(tokens=True), Font("note", tokens=True)
    _metrics, _below = Metrics(tokens=True), Metrics("note", tokens=True)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "view")
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # nothing below needs painting
        self._widths: dict[str, float] = {}
        self._cells: dict[int | str, list[tuple[str, float, bool]]] = {}  # by id if ids are shown, else by label
        self._tokens: Sequence[CutToken] = ()
        self._marked: Collection[int] = ()
        self._ids = False
        self._hovered = self._selected = NONE
        self._lay()
        themes.changed.connect(self._resize_type)

    @property
    def _even(self) -> bool:
        return len({self._metrics.horizontalAdvance(sign) for sign in "0i ␣"}) == 1  # an end of line comes last

    def _resize_type(self) -> None:
        """Measure and break everything again for another size of the type."""
        self._widths.clear()
        self._cells.clear()
        self._flow()

    def set_tokens(self, tokens: Sequence[CutToken], marked: Collection[int] = ()) -> None:
        """Show other tokens; the scroll position stays.

        Args:
            tokens: The tokens, in the order of the text.
            marked: Indices of highlighted tokens.
        """
        self._tokens, self._marked = tokens, marked
        self._hovered = NONE
        if self._selected >= len(tokens):
            self._selected = NONE
        self._flow()

    def reveal(self, index: int) -> None:
        """Scroll to a token."""
        found, bar = self._rect_of(index), self.verticalScrollBar()
        below = max(0.0, found.bottom() - self.viewport().height())
        bar.setValue(int(bar.value() + min(0.0, found.top()) + below))

    def show_ids(self, shown: bool) -> None:
        """Show or hide the id of each token below it."""
        if shown != self._ids:
            self._ids = shown
            self._cells.clear()
            self._flow()

    # ----------------------------------------------------------------------------------------------------------- lines

    @property
    def _height(self) -> int:
        return int(self._metrics.height()) + 6 + (int(self._below.height()) if self._ids else 0)

    def _width_of(self, shown: str) -> float:
        width = self._widths.get(shown)
        if width is None:
            width = self._widths[shown] = self._metrics.horizontalAdvance(shown)
        return width

    def _cells_of(self, token: CutToken) -> list[tuple[str, float, bool]]:
        """Return (text, width, True if it ends a line) of each piece; a token that contains a line end has several."""
        key = token.token if self._ids else token.label
        found = self._cells.get(key)
        if found is None:
            least = self._below.horizontalAdvance(str(token.token)) + 6 if self._ids else 0.0
            found = []
            for line in re.findall(f"[^{_END}]*{_END}|[^{_END}]+", glyphs(token.label)) or ["·"]:
                for start in range(0, len(line), self._longest):
                    piece = line[start : start + self._longest]
                    width = max(self._width_of(piece), 0.0 if found else least)
                    found.append((piece, width, piece.endswith(_END)))
            self._cells[key] = found
        return found

    def _lay(self) -> None:
        self._shown: list[str] = []
        self._index: list[int] = []  # index of the token of each cell
        self._x: list[float] = []
        self._width: list[float] = []
        self._first = [0]  # the first cell of each line

    def _flow(self) -> None:
        """Break everything into lines: before words if possible, else between tokens."""
        self._lay()
        room = self.viewport().width() - 2.0
        shown, indices, xs, widths, first = self._shown, self._index, self._x, self._width, self._first
        at, word_start, line, after_blank = 0.0, 0, 0, True
        for index, token in enumerate(self._tokens):
            for sign, width, ends in self._cells_of(token):
                if after_blank or sign[0] == _BLANK:
                    word_start = len(shown)
                if at + width > room and len(shown) > line:
                    line = word_start if word_start > line else len(shown)
                    first.append(line)
                    at = 0.0
                    for cell in range(line, len(shown)):
                        xs[cell] = at
                        at += widths[cell]
                shown.append(sign)
                indices.append(index)
                xs.append(at)
                widths.append(width)
                at += width
                after_blank = sign[-1] in _SPACES
                if ends:
                    line, at = len(shown), 0.0
                    first.append(line)
        bar, height, page = self.verticalScrollBar(), self._height, self.viewport().height()
        bar.setRange(0, max(0, len(first) * height - page))
        bar.setPageStep(page)
        bar.setSingleStep(height)
        self.viewport().update()

    @property
    def _longest(self) -> int:
        """A number of characters that always fits into one line."""
        return max(4, int((self.viewport().width() - 8) / max(1.0, self._metrics.horizontalAdvance("0")) / 2))

    def resizeEvent(self, _event: QResizeEvent) -> None:
        """Break the lines again."""
        self._cells.clear()
        self._flow()

    def _line(self, number: int) -> range:
        """Return the cells of a line."""
        after = self._first[number + 1] if number + 1 < len(self._first) else len(self._shown)
        return range(self._first[number], after)

    def _top_of(self, line: int) -> int:
        return line * self._height - self.verticalScrollBar().value()

    def _token_at(self, point: QPoint) -> int:
        line = (point.y() + self.verticalScrollBar().value()) // self._height
        cells = self._line(line) if 0 <= line < len(self._first) else range(0)
        for cell in cells:
            if self._x[cell] <= point.x() < self._x[cell] + self._width[cell]:
                return self._index[cell]
        return NONE

    def _rect_of(self, token: int) -> QRectF:
        """Return the rectangle of a token's first piece in the viewport."""
        cell = bisect.bisect_left(self._index, token)
        line = bisect.bisect_right(self._first, cell) - 1
        return QRectF(self._x[cell], self._top_of(line), self._width[cell], self._height)

    # --------------------------------------------------------------------------------------------------------- drawing

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the visible lines."""
        painter, theme, area = QPainter(self.viewport()), themes.now, event.rect()
        painter.fillRect(area, QColor(theme.panel))
        painter.setFont(self._font)
        above, height = self.verticalScrollBar().value(), self._height
        lines = range((area.top() + above) // height, min(len(self._first), (area.bottom() + above) // height + 1))
        self._paint_grounds(painter, lines)
        for line in lines:
            if self._ids:
                self._paint_apart(painter, line)
            else:
                self._paint_together(painter, line)
        self._paint_marked(painter, lines)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for token, colour, width in ((self._hovered, theme.dim, 1), (self._selected, theme.text, 2)):
            if token != NONE:
                painter.setPen(QPen(QColor(colour), width))
                painter.drawRect(self._rect_of(token).adjusted(width / 2, 1 + width / 2, -width / 2, -1 - width / 2))
        painter.end()

    def _paint_grounds(self, painter: QPainter, lines: range) -> None:
        grounds: tuple[list[QRectF], list[QRectF]] = ([], [])
        for line in lines:
            top, height = self._top_of(line) + 1, self._height - 2
            for cell in self._line(line):
                grounds[self._index[cell] % 2].append(QRectF(self._x[cell], top, self._width[cell] - 1, height))
        painter.setPen(Qt.PenStyle.NoPen)
        for colour, indices in zip(token_grounds(themes.now), grounds, strict=True):
            painter.setBrush(QColor(colour))
            if indices:
                painter.drawRects(indices)

    def _paint_together(self, painter: QPainter, line: int) -> None:
        """Paint letters in a few calls, and signs of white space fainter."""
        cells = self._line(line)
        base = self._top_of(line) + 3 + self._metrics.ascent()
        text = "".join(self._shown[cells.start : cells.stop])
        ink, faint = QColor(themes.now.text), QColor(_faint(themes.now))
        letters = text.translate(_WITHOUT_SIGNS)
        if self._even and letters.isascii():
            strokes = [(0.0, letters, ink), (0.0, _NO_SIGN.sub(" ", text), faint)]
        else:
            strokes, x = [], 0.0
            for run in _RUNS.findall(text):
                strokes.append((x, run, faint if run[0] in _SPACES else ink))
                x += self._width_of(run)
        for x, stroke, colour in strokes:
            if stroke and not stroke.isspace():
                painter.setPen(colour)
                painter.drawText(QPointF(x, base), stroke)

    def _paint_apart(self, painter: QPainter, line: int) -> None:
        """Paint each token with its id below it."""
        base = self._top_of(line) + 3 + self._metrics.ascent()
        below = self._top_of(line) + self._metrics.height() + 2 + self._below.ascent()
        for cell in self._line(line):
            painter.setPen(QColor(themes.now.text))
            painter.drawText(QPointF(self._x[cell], base), self._shown[cell])
            if cell == 0 or self._index[cell] != self._index[cell - 1]:
                painter.setFont(self._small)
                painter.setPen(QColor(themes.now.text))
                number = str(self._tokens[self._index[cell]].token)
                painter.drawText(QPointF(self._x[cell] + 2, below), number)
                painter.setFont(self._font)

    def _paint_marked(self, painter: QPainter, lines: range) -> None:
        if not self._marked:
            return
        theme = themes.now
        for line in lines:
            top = self._top_of(line)
            for cell in self._line(line):
                if self._index[cell] in self._marked:
                    ground = QRectF(self._x[cell], top + 1, self._width[cell] - 1, self._height - 2)
                    painter.fillRect(ground, QColor(theme.accent))
                    painter.setPen(QColor(theme.on_accent))
                    painter.drawText(QPointF(self._x[cell], top + 3 + self._metrics.ascent()), self._shown[cell])
                    if self._ids:
                        painter.setFont(self._small)
                        below = top + self._metrics.height() + 2 + self._below.ascent()
                        number = str(self._tokens[self._index[cell]].token)
                        painter.drawText(QPointF(self._x[cell] + 2, below), number)
                        painter.setFont(self._font)

    # ----------------------------------------------------------------------------------------------------------- input

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Highlight the token under the mouse."""
        self._point_at(self._token_at(event.position().toPoint()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select a token."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._choose(self._token_at(event.position().toPoint()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Accept the click."""
        event.accept()

    def viewportEvent(self, event: QEvent) -> bool:
        """Describe the token under the mouse in a tool tip."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            token = self._token_at(event.pos())
            QToolTip.showText(
                event.globalPos(), plain_tip(self._describe(token)) if token != NONE else "", self.viewport()
            )
            return True
        if event.type() == QEvent.Type.Leave:
            self._point_at(NONE)
        return super().viewportEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move between tokens by arrows, Home and End."""
        last, now = len(self._tokens) - 1, self._selected
        goals = {
            Qt.Key.Key_Left: max(0, now - 1),
            Qt.Key.Key_Right: min(last, now + 1),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        key = Qt.Key(event.key())
        if key in goals and last >= 0:
            self._choose(goals[key])
            self.reveal(self._selected)
            point = self._rect_of(self._selected).bottomLeft().toPoint()
            tip = plain_tip(self._describe(self._selected))
            QToolTip.showText(self.viewport().mapToGlobal(point), tip, self.viewport())
        else:
            super().keyPressEvent(event)

    def _point_at(self, token: int) -> None:
        if token != self._hovered:
            self._hovered = token
            self.viewport().update()

    def _choose(self, token: int) -> None:
        self._selected = token
        self.setAccessibleDescription(self._describe(token).replace("\n", ", ") if token != NONE else "")
        self.viewport().update()

    def _describe(self, index: int) -> str:
        token = self._tokens[index]
        lines = [
            glyphs(token.label),
            tr("id {id}", id=token.token),
            tr_n("1 byte", "{n} bytes", token.size),
            tr("token {n} of {all}", n=number_text(index + 1), all=number_text(len(self._tokens))),
        ]
        return "\n".join(lines)


@functools.cache
def _faint(theme: Theme) -> str:
    """Return the colour of signs of white space."""
    return mixed(theme.text, token_grounds(theme)[0], 0.45)
