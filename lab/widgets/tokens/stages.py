"""The stages of one next token as a figure: a column of bars for each stage, the same tokens in all of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from lab.widgets.core.controls import plain_tip
from lab.widgets.core.fonts import Font, Metrics
from lab.widgets.core.glyphs import glyphs
from lab.widgets.core.i18n import number_text, tr, tr_n
from lab.widgets.core.theme import mixed, px, themes
from lab.widgets.tokens.next_tokens import HEIGHT, percent

PROBABILITY, LOGIT, SURPRISAL = "probability", "logit", "surprisal"
"""What the bars measure."""
COLUMN = 74
"""The smallest width of a column in pixels, at a size of the type of 100 percent."""
NOTES = 3
"""The lines of text between the title of a stage and its bars: its entropy, the tokens left, and what they keep."""
MOST_TEXTS = 5_000
"""Most numbers whose texts are retained."""
HIGHEST = 30
"""Largest height of a row in pixels, at a size of the type of 100 percent."""
GAP = 10
"""Pixels between two columns."""


@dataclass(frozen=True)
class StageColumn:
    """One stage.

    Args:
        title: Its title.
        left: Number of tokens that are left.
        entropy: Of the distribution of all tokens, in bits.
        retained: The probability that is left before it is renormalised.
        probabilities: Of each token; 0 for a removed one.
        logits: Of each token; −inf for a removed one.
    """

    title: str
    left: int
    entropy: float
    retained: float
    probabilities: Sequence[float]
    logits: Sequence[float]

    def renormalised(self, title: str) -> StageColumn:
        """Return what it is after renormalisation, with logarithms of probabilities as logits."""
        logs = [math.log(share) if share > 0 else -math.inf for share in self.probabilities]
        return StageColumn(title, self.left, self.entropy, 1.0, self.probabilities, logs)

    def value(self, unit: str, row: int) -> float:
        """Return what is shown of a token; ±inf for a removed one, 0 of its probability."""
        share = self.probabilities[row]
        if unit == LOGIT:
            return self.logits[row]
        if unit == SURPRISAL:
            return -math.log2(share) if share > 0 else math.inf
        return share * self.retained


def token_colour(row: int) -> str:
    """Return the colour of a token by its row: those of runs for the first ones, a dim one for the others."""
    theme = themes.now
    return theme.runs[row] if row < len(theme.runs) else mixed(theme.dim, theme.panel, 0.55)


def value_text(unit: str, value: float) -> str:
    """Return a value as text."""
    if math.isinf(value):
        return "−∞" if value < 0 else "∞"
    return percent(value) if unit == PROBABILITY else number_text(value, ".2f").replace("-", "−")


def _in_lines(title: str, lines: int) -> list[str]:
    """Return a title in at most so many lines, broken at the first blank."""
    return title.split(" ", lines - 1)


class StagesFigure(QWidget):
    """The figure. A removed token has an empty bar in the column of the filter that removes it, and none after it.

    Click or the arrow keys mark a token in all columns; a double click or Return picks it.
    """

    picked = Signal(int)
    """The row of the token that the user picked."""
    marked = Signal(int)
    """The row of the token that the user marked, or -1."""
    _font, _strong, _note, _tokens = Font(), Font("note", strong=True), Font("note"), Font(tokens=True)
    _metrics, _strong_metrics, _token_metrics = Metrics("note"), Metrics("note", strong=True), Metrics(tokens=True)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._labels: tuple[str, ...] = ()
        self._room = 0  # for the values
        self._columns: tuple[StageColumn, ...] = ()
        self._picked = self._marked = -1
        self._names: list[str] = []
        self._texts: dict[tuple[str, float], str] = {}
        self._widths: dict[str, float] = {}
        self._left = self._top = 0
        self._lines = 1  # of the titles: two where one does not fit
        self._unit = PROBABILITY
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(tr("Stages of the next token"))
        themes.changed.connect(self._fit_type)
        self._measure()

    def _fit_type(self) -> None:
        self._measure()
        self.updateGeometry()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the columns the new width."""
        super().resizeEvent(event)
        self._measure()

    @property
    def columns(self) -> tuple[StageColumn, ...]:
        """The stages on show."""
        return self._columns

    def show_stages(self, labels: Sequence[str], columns: Sequence[StageColumn], picked: int) -> None:
        """Show another token.

        Args:
            labels: The tokens, likeliest first.
            columns: The stages in their order.
            picked: The row of the token that was chosen.
        """
        is_other = tuple(labels) != self._labels
        are_others = [one.title for one in columns] != [one.title for one in self._columns]
        self._labels, self._columns, self._picked = tuple(labels), tuple(columns), picked
        if is_other:
            self._mark(-1)
        if is_other or are_others:
            self._measure()
            self.updateGeometry()
        self.setAccessibleDescription(self._spoken())
        self.update()

    def show_unit(self, unit: str) -> None:
        """Let the bars measure PROBABILITY, LOGIT or SURPRISAL."""
        self._unit = unit
        self.setAccessibleDescription(self._spoken())
        self.update()

    def minimumSizeHint(self) -> QSize:
        """Return the size of narrow columns and a few rows."""
        return QSize(self._left + px(COLUMN) * max(1, len(self._columns)), self._top + 4 * px(HEIGHT))

    def sizeHint(self) -> QSize:
        """Return the size of all rows."""
        return QSize(self.minimumSizeHint().width(), self._top + (len(self._labels) + 1) * px(HEIGHT))

    def shown_rows(self) -> list[int]:
        """Return the rows that have room; that of the chosen token is always among them."""
        room = max(2, (self.height() - self._top) // px(HEIGHT)) - 1  # one for the others
        if len(self._labels) <= room:
            return list(range(len(self._labels)))
        rows = list(range(room))
        if self._picked >= room:
            rows[-1] = self._picked
        return rows

    # --- geometry ----------------------------------------------------------------------------------------------

    def _measure(self) -> None:
        """Measure the names of tokens and stages, which a moving slider does not change."""
        self._texts, self._widths = {}, {}
        self._names = [glyphs(label) for label in self._labels]
        widest = max(map(self._token_metrics.horizontalAdvance, self._names), default=0.0)
        least = self._metrics.horizontalAdvance(tr("others"))
        self._left = int(20 + min(max(least, widest), px(96)) + GAP)
        titles = [self._strong_metrics.horizontalAdvance(one.title) for one in self._columns]
        self._lines = 2 if max(titles, default=0) > self._rect(0, 0, 1).width() + GAP - 1 else 1
        self._top = (self._lines + NOTES) * self._line() + 12

    @property
    def _high(self) -> int:
        """The height of a row in pixels: more than usual where there is room, for those who sit far away."""
        room = (self.height() - self._top) // (len(self._labels) + 1)
        return min(max(px(HEIGHT), room), px(HIGHEST))

    def _line(self) -> int:
        return int(self._metrics.height()) + 2

    def _rect(self, column: int, top: int, height: int) -> QRect:
        left, count = self._left, max(1, len(self._columns))
        start, end = ((self.width() - left) * at // count for at in (column, column + 1))
        return QRect(left + start, top, end - start - GAP, height)

    def _row_at(self, y: float) -> int:
        at, rows = int((y - self._top) // self._high), self.shown_rows()
        return rows[at] if 0 <= at < len(rows) else -1

    def _column_at(self, x: float) -> int:
        columns = range(len(self._columns))
        return next(
            (at for at in columns if self._rect(at, 0, 1).left() <= x <= self._rect(at, 0, 1).right() + GAP), -1
        )

    def _scale(self, rows: Sequence[int]) -> tuple[float, float]:
        """Return the least and the largest value of all bars on show; 0 is between them."""
        values = [column.value(self._unit, row) for column in self._columns for row in rows]
        finite = [value for value in values if math.isfinite(value)]
        return min(0.0, *finite, 0.0), max(*finite, 0.0, 1e-9)

    # --- drawing -----------------------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the columns."""
        if not self._columns:
            return
        painter = QPainter(self)
        rows = self.shown_rows()
        scale, self._room = self._scale(rows), self._widest(rows)
        rects = [self._rect(at, 0, self._high) for at in range(len(self._columns))]
        self._paint_grounds(painter, rows)
        for at, column in enumerate(self._columns):
            self._paint_head(painter, at, column)
        for place, row in enumerate(rows):
            top = self._top + place * self._high
            self._paint_name(painter, row, top)
            self._paint_row(painter, row, [rect.translated(0, top) for rect in rects], scale)
        self._paint_others(painter, rows, self._top + len(rows) * self._high, scale)
        painter.end()

    def _paint_grounds(self, painter: QPainter, rows: Sequence[int]) -> None:
        theme = themes.now
        for place, row in enumerate(rows):
            rect = QRectF(0, self._top + place * self._high, self.width(), self._high)
            if row == self._marked:
                painter.setPen(QColor(theme.accent) if self.hasFocus() else Qt.PenStyle.NoPen)
                painter.setBrush(QColor(theme.line))
                painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5))
            elif row == self._picked:
                painter.fillRect(rect, QColor(theme.card))
            if row == self._picked:
                painter.fillRect(QRectF(0, rect.top() + 4, 3, rect.height() - 8), QColor(theme.accent))

    def _paint_head(self, painter: QPainter, at: int, column: StageColumn) -> None:
        theme, line, lines = themes.now, self._line(), self._lines
        rect = self._rect(at, 0, line)
        painter.setFont(self._strong)
        painter.setPen(QColor(theme.text))
        parts = _in_lines(column.title, lines)
        for number, part in enumerate(parts, start=lines - len(parts)):
            wide = rect.translated(0, number * line).adjusted(0, 0, GAP - 1, 0)
            title = self._strong_metrics.elidedText(part, Qt.TextElideMode.ElideRight, wide.width())
            painter.drawText(wide, Qt.AlignmentFlag.AlignVCenter, title)
        painter.setFont(self._note)
        painter.setPen(QColor(theme.dim))
        for number, text in enumerate(self._notes(column), start=lines):
            wide = rect.translated(0, number * line).adjusted(0, 0, GAP - 1, 0)
            shown = self._metrics.elidedText(text, Qt.TextElideMode.ElideRight, wide.width())
            painter.drawText(wide, Qt.AlignmentFlag.AlignVCenter, shown)
        widest = max(one.entropy for one in self._columns) or 1.0
        bar = QRectF(rect.left(), (lines + NOTES) * line + 2, rect.width(), 3)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.line))
        painter.drawRect(bar)
        painter.setBrush(QColor(theme.dim))
        painter.drawRect(QRectF(bar.left(), bar.top(), bar.width() * column.entropy / widest, bar.height()))

    def _notes(self, column: StageColumn) -> tuple[str, str, str]:
        """Return the lines below the title of a column."""
        left = tr_n("1 token", "{n} tokens", column.left)
        bits = tr("{bits} bits", bits=number_text(column.entropy, ".2f"))
        return bits, left, tr("sum {share}", share=percent(column.retained))

    def _paint_name(self, painter: QPainter, row: int, top: int) -> None:
        theme = themes.now
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(token_colour(row)))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.drawEllipse(QRectF(7, top + self._high / 2 - 4, 8, 8))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setFont(self._tokens)
        painter.setPen(QColor(theme.text))
        width = self._left - 20 - GAP + 2
        name = self._token_metrics.elidedText(self._names[row], Qt.TextElideMode.ElideRight, width)
        painter.drawText(QRect(20, top, width, self._high), Qt.AlignmentFlag.AlignVCenter, name)

    def _paint_row(self, painter: QPainter, row: int, rects: Sequence[QRect], scale: tuple[float, float]) -> None:
        """Paint the bars and the numbers of a token; plain rectangles and placed texts take a third of the time."""
        theme, before = themes.now, None
        colour, text, dim = QColor(token_colour(row)), QColor(theme.text), QColor(theme.dim)
        painter.setFont(self._note)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for column, rect in zip(self._columns, rects, strict=True):
            is_left = column.logits[row] > -math.inf
            if is_left:
                value = column.value(self._unit, row)
                painter.setPen(text)
                self._write(painter, rect, self._text_of(value))
                if math.isfinite(value):
                    painter.fillRect(self._bar(rect, 5, value, scale), colour)
            elif before is not None and before.logits[row] > -math.inf:
                painter.setPen(dim)
                removed = tr("removed")
                self._write(painter, rect, removed if self._width_of(removed) <= self._room else "×")
                value = before.value(self._unit, row)
                if math.isfinite(value):
                    painter.setPen(QPen(colour, 1, Qt.PenStyle.DotLine))
                    painter.drawRect(self._bar(rect, 5, value, scale))
            before = column

    def _write(self, painter: QPainter, rect: QRect, text: str) -> None:
        """Write a text at the right edge of a cell."""
        base = rect.top() + (rect.height() + self._metrics.ascent() - self._metrics.descent()) / 2
        painter.drawText(QPointF(rect.right() + 1 - self._width_of(text), base), text)

    def _text_of(self, value: float) -> str:
        """Return a value as text."""
        key = (self._unit, value)
        if key not in self._texts:
            if len(self._texts) > MOST_TEXTS:
                self._texts.clear()
            self._texts[key] = value_text(self._unit, value)
        return self._texts[key]

    def _width_of(self, text: str) -> float:
        if text not in self._widths:
            self._widths[text] = self._metrics.horizontalAdvance(text)
        return self._widths[text]

    def _widest(self, rows: Sequence[int]) -> int:
        """Return the width of the widest value on show, in pixels."""
        values = (column.value(self._unit, row) for column in self._columns for row in rows)
        texts = {self._text_of(value) for value in values}
        return int(max(map(self._width_of, texts), default=0)) + 2

    def _bar(self, rect: QRect, inside: int, value: float, scale: tuple[float, float]) -> QRectF:
        """Return the bar of a value in a cell, so many pixels lower than it at both sides."""
        low, high = scale
        start, end = sorted((0.0 - low, value - low))
        unit = max(0, rect.width() - self._room - 4) / (high - low)
        width = max(1.5, (end - start) * unit)
        return QRectF(rect.left() + start * unit, rect.top() + inside, width, rect.height() - 2 * inside)

    def _paint_others(self, painter: QPainter, rows: Sequence[int], top: int, scale: tuple[float, float]) -> None:
        theme = themes.now
        painter.setFont(self._note)
        painter.setPen(QColor(theme.dim))
        painter.drawText(QRect(20, top, self._left, self._high), Qt.AlignmentFlag.AlignVCenter, tr("others"))
        if self._unit != PROBABILITY:
            return
        for at, column in enumerate(self._columns):
            share = max(0.0, 1 - math.fsum(column.probabilities[row] for row in rows)) * column.retained
            if share < 5e-4:
                continue
            rect = self._rect(at, top, self._high)
            painter.setPen(QColor(theme.dim))
            self._write(painter, rect, percent(share))
            painter.fillRect(self._bar(rect, 7, min(share, scale[1]), scale), QColor(theme.line))

    # --- input -------------------------------------------------------------------------------------------------

    def mark(self, row: int) -> None:
        """Mark a token in all columns; -1 marks none."""
        self._mark(row)

    def _mark(self, row: int) -> None:
        if row != self._marked:
            self._marked = row
            self.setAccessibleDescription(self._described(row) if row >= 0 else self._spoken())
            self.marked.emit(row)
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Mark the token under the mouse, or none if it is marked."""
        row = self._row_at(event.position().y())
        if event.button() == Qt.MouseButton.LeftButton:
            self._mark(-1 if row == self._marked else row)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Pick the token under the mouse."""
        row = self._row_at(event.position().y())
        if event.button() == Qt.MouseButton.LeftButton and row >= 0:
            self._mark(row)
            self.picked.emit(row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the mark by Up and Down; pick by Return."""
        rows, key = self.shown_rows(), Qt.Key(event.key())
        at = rows.index(self._marked) if self._marked in rows else -1
        goals = {Qt.Key.Key_Up: max(0, at - 1), Qt.Key.Key_Down: min(len(rows) - 1, at + 1), Qt.Key.Key_Home: 0,
                 Qt.Key.Key_End: len(rows) - 1}  # fmt: skip
        if key in goals and rows:
            self._mark(rows[goals[key]])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._marked >= 0:
            self.picked.emit(self._marked)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show where the focus is."""
        super().focusInEvent(event)
        if self._marked < 0 and self._picked >= 0 and event.reason() != Qt.FocusReason.MouseFocusReason:
            self._mark(self._picked)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show that the focus is elsewhere."""
        super().focusOutEvent(event)
        self.update()

    def event(self, event: QEvent) -> bool:
        """Describe the cell, the column or the token under the mouse in a tool tip."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            row, at = self._row_at(event.y()), self._column_at(event.x())
            tip = self._described(row, at) if row >= 0 else self._column_spoken(at) if at >= 0 else ""
            QToolTip.showText(event.globalPos(), plain_tip(tip) if tip else "", self)
            return True
        return super().event(event)

    def _described(self, row: int, at: int = -1) -> str:
        """Return the numbers of a token, in one column or in all."""
        columns = self._columns if at < 0 else self._columns[at : at + 1]
        lines = [glyphs(self._labels[row])]
        for column in columns:
            if column.logits[row] == -math.inf:
                lines.append(tr("{stage}: removed", stage=column.title))
                continue
            share, logit, bits = (value_text(unit, column.value(unit, row)) for unit in (PROBABILITY, LOGIT, SURPRISAL))
            lines.append(
                tr(
                    "{stage}: {share}, logit {logit}, {bits} bits",
                    stage=column.title,
                    share=share,
                    logit=logit,
                    bits=bits,
                )
            )
        return "\n".join(lines)

    def _column_spoken(self, at: int) -> str:
        column = self._columns[at]
        lines = [column.title, *self._notes(column)]
        if column.retained < 0.9995:
            lines.append(
                tr("{share} of the probability is left, before it is renormalised", share=percent(column.retained))
            )
        return "\n".join(lines)

    def _spoken(self) -> str:
        """Return the stages and the chosen token, for screen readers."""
        stages = "; ".join(self._column_spoken(at).replace("\n", ", ") for at in range(len(self._columns)))
        token = glyphs(self._labels[self._picked]) if 0 <= self._picked < len(self._labels) else ""
        return tr("{stages}; chosen: {token}", stages=stages, token=token) if token else stages
