"""How one token was drawn: a uniform number on the line of the cumulated probabilities, or a race of the tokens."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from lab.widgets.core.controls import plain_tip
from lab.widgets.core.fonts import Font, Metrics
from lab.widgets.core.glyphs import glyphs
from lab.widgets.core.i18n import number_text, tr
from lab.widgets.core.theme import px, themes
from lab.widgets.tokens.next_tokens import percent
from lab.widgets.tokens.stages import token_colour

SIDE = 8
"""Pixels free at both ends of the line."""
BAND = 18
"""Height of the line in pixels, at a size of the type of 100 percent."""


class DrawLine(QWidget):
    """The drawing of a draw; as high as three lines of text and the line between them."""

    _tokens, _note = Font("note", tokens=True), Font("note")
    _token_metrics, _metrics = Metrics("note", tokens=True), Metrics("note")

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._labels: tuple[str, ...] = ()
        self._pieces: tuple[tuple[float, float, int | None], ...] = ()
        self._uniform: float | None = None
        self._times: tuple[float, ...] = ()
        self._picked = self._marked = -1
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("The draw"))
        themes.changed.connect(self.update)
        themes.changed.connect(self.updateGeometry)

    def show_uniform(
        self, labels: Sequence[str], pieces: Sequence[tuple[float, float, int | None]], uniform: float, picked: int
    ) -> None:
        """Show a draw by a uniform number.

        Args:
            labels: The tokens of the rows of the stages.
            pieces: (start, end, row) of each piece of the line from 0 to 1; the row is None for several other tokens.
            uniform: The number.
            picked: The row of the token on whose piece it lies.
        """
        self._labels, self._pieces, self._uniform, self._picked = tuple(labels), tuple(pieces), uniform, picked
        self._times = ()
        self.update()

    def show_race(self, labels: Sequence[str], times: Sequence[float], picked: int) -> None:
        """Show a race.

        Args:
            labels: The tokens of the rows of the stages.
            times: The exponential time of each, over its probability; inf for a removed one.
            picked: The row of the first one.
        """
        self._labels, self._times, self._picked = tuple(labels), tuple(times), picked
        self._pieces, self._uniform = (), None
        self.update()

    def mark(self, row: int) -> None:
        """Mark the token of a row; -1 marks none."""
        self._marked = row
        self.update()

    def sizeHint(self) -> QSize:
        """Return the size of the line, the names above it, and the ticks below."""
        return QSize(200, 2 * self._line() + px(BAND) + 12)

    def minimumSizeHint(self) -> QSize:
        """Return the least size."""
        return QSize(120, self.sizeHint().height())

    def _line(self) -> int:
        return int(self._metrics.height()) + 2

    def _x(self, share: float) -> float:
        return SIDE + (self.width() - 2 * SIDE) * share

    # --- drawing -----------------------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the draw."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._uniform is not None:
            self._paint_pieces(painter, self._uniform)
        elif self._times:
            self._paint_race(painter)
        painter.end()

    def _paint_pieces(self, painter: QPainter, uniform: float) -> None:
        theme, top = themes.now, self._line() + 2
        band = px(BAND)
        free = 0.0
        for start, end, row in self._pieces:
            left, right = self._x(start), self._x(end)
            rect = QRectF(left, top, right - left, band)
            painter.fillRect(rect, QColor(theme.line if row is None else token_colour(row)))
            if row is not None and right - left > 3:
                painter.fillRect(QRectF(right - 1, top, 1, band), QColor(theme.panel))
            name = glyphs(self._labels[row]) if row is not None else ""
            width = self._token_metrics.horizontalAdvance(name)
            at = (left + right - width) / 2
            if name and (width <= right - left + 2 or row == self._picked) and (at >= free or row == self._picked):
                painter.setFont(self._tokens)
                painter.setPen(QColor(theme.text))
                painter.drawText(QRectF(at, 0, width + 2, self._line()), Qt.AlignmentFlag.AlignVCenter, name)
                free = at + width + 3
            if row is not None and row == self._marked:
                painter.setPen(QPen(QColor(theme.text), 2))
                painter.drawRect(rect.adjusted(1, 1, -1, -1))
        self._paint_ticks(painter, [(at / 4, number_text(at / 4, ".2f")) for at in range(5)], top + band)
        x = self._x(uniform)
        painter.setPen(QPen(QColor(theme.panel), 4))
        painter.drawLine(QPointF(x, top - 3), QPointF(x, top + band + 4))
        painter.setPen(QPen(QColor(theme.text), 2))
        painter.drawLine(QPointF(x, top - 3), QPointF(x, top + band + 4))
        painter.setBrush(QColor(theme.text))
        painter.setPen(Qt.PenStyle.NoPen)
        foot = top + band + 3
        painter.drawPolygon(QPolygonF([QPointF(x, foot), QPointF(x - 5, foot + 8), QPointF(x + 5, foot + 8)]))
        self._paint_below(painter, x, f"u = {number_text(uniform, '.4f')}", top + band)

    def _paint_ticks(self, painter: QPainter, ticks: Sequence[tuple[float, str]], top: int) -> None:
        painter.setFont(self._note)
        painter.setPen(QColor(themes.now.dim))
        for share, text in ticks:
            width = self._metrics.horizontalAdvance(text) + 2
            left = min(max(0.0, self._x(share) - width / 2), self.width() - width)
            painter.drawLine(QPointF(self._x(share), top), QPointF(self._x(share), top + 4))
            painter.drawText(QRectF(left, top + 8, width, self._line()), Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_below(self, painter: QPainter, x: float, text: str, top: int) -> None:
        """Paint the number over the ticks that it would cover."""
        theme = themes.now
        width = self._metrics.horizontalAdvance(text) + 12
        left = min(max(0.0, x - width / 2), self.width() - width)
        rect = QRectF(left, top + 10, width, self._line())
        painter.fillRect(rect, QColor(theme.panel))
        painter.setFont(self._note)
        painter.setPen(QColor(theme.text))
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)

    def _arrivals(self) -> list[tuple[float, int]]:
        """Return place on the line, 0 to 1 by the logarithm of the time, and row of each token, the first one first."""
        finite = sorted((time, row) for row, time in enumerate(self._times) if 0 < time < math.inf)
        if not finite:
            return []
        first, last = math.log(finite[0][0]), math.log(finite[-1][0])
        span = max(last - first, 1e-9)
        return [((math.log(time) - first) / span, row) for time, row in finite]

    def _paint_race(self, painter: QPainter) -> None:
        theme, top = themes.now, self._line() + 2
        middle = top + px(BAND) / 2
        painter.setPen(QPen(QColor(theme.line), 2))
        painter.drawLine(QPointF(self._x(0), middle), QPointF(self._x(1), middle))
        arrivals, free = self._arrivals(), -1.0
        for share, row in reversed(arrivals):
            radius = 7 if row == self._picked else 5
            painter.setPen(QPen(QColor(theme.text if row in (self._picked, self._marked) else theme.panel), 2))
            painter.setBrush(QColor(token_colour(row)))
            painter.drawEllipse(QPointF(self._x(share), middle), radius, radius)
        painter.setFont(self._tokens)
        painter.setPen(QColor(theme.text))
        for share, row in arrivals:
            name = glyphs(self._labels[row])
            width = self._token_metrics.horizontalAdvance(name)
            left = min(max(0.0, self._x(share) - width / 2), self.width() - width - 2)
            if left > free:
                painter.drawText(QRectF(left, 0, width + 2, self._line()), Qt.AlignmentFlag.AlignVCenter, name)
                free = left + width + 3
        if arrivals:
            ends = [(0.0, self._times[arrivals[0][1]]), (1.0, self._times[arrivals[-1][1]])]
            self._paint_ticks(painter, [(share, number_text(time, ".3g")) for share, time in ends], top + px(BAND))
            text = tr("exponential number ÷ probability: the smallest is drawn")
            room = QRectF(0, top + px(BAND) + 8, self.width(), self._line())
            if self._metrics.horizontalAdvance(text) < self.width() - px(120):
                painter.drawText(room, Qt.AlignmentFlag.AlignCenter, text)

    def event(self, event: QEvent) -> bool:
        """Describe the piece under the mouse in a tool tip."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            share = (event.x() - SIDE) / max(1, self.width() - 2 * SIDE)
            piece = next((one for one in self._pieces if one[0] <= share < one[1]), None)
            tip = ""
            if piece is not None:
                name = tr("other tokens") if piece[2] is None else glyphs(self._labels[piece[2]])
                start, end = (number_text(one, ".4f") for one in piece[:2])
                tip = tr("{token}: {start} to {end}, {share}", token=name, start=start, end=end,
                         share=percent(piece[1] - piece[0]))  # fmt: skip
            QToolTip.showText(event.globalPos(), plain_tip(tip) if tip else "", self)
            return True
        return super().event(event)
