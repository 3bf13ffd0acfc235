"""The head view: lines between two columns of tokens, as strong as the weights with which tokens read others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from lab.widgets.core.fonts import Font, Metrics
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import INSIDE, Theme, px, themes
from lab.widgets.figures.export import Export
from lab.widgets.figures.links import FAINTEST, LinksFigure
from lab.widgets.figures.view import FigureView
from lab.widgets.maps.colours import Numbers
from lab.widgets.maps.layout import GAP, LABEL

LINE = 16
"""Height of a token in pixels."""
HEAD = 20
"""Height of the names of the columns in pixels."""
MOST = 4000
"""The largest number of lines; the strongest are drawn."""
WIDEST = 420.0
"""The largest distance between the two columns in pixels."""

Token = tuple[str, int]
"""A token: "row" or "column", and its index."""


class LinksArea(QScrollArea):
    """The scroll area of the lines of one head."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.links = Links()
        self.setWidget(self.links)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusProxy(self.links)
        self.setAccessibleName(tr("Weights between tokens, as lines"))
        self.links.followed.connect(self.follow)

    def follow(self, row: int) -> None:
        """Show only the lines of one reading token, and scroll to it."""
        self.links.pin(("row", row))
        middle = self.links.rect_of(("row", row)).center()
        self.ensureVisible(0, int(middle.y()), 0, 2 * px(LINE))


class Links(FigureView):
    """Two columns of tokens, those that read and those that are read, with a line for each weight between them.

    The mouse over a token shows only its lines, and a click pins them; the arrow keys step to the next token.
    """

    followed = Signal(int)
    """The row that the user picked."""
    _token_font, _font = Font("note", tokens=True), Font("note")
    _metrics, _note_metrics = Metrics("note", tokens=True), Metrics("note")

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.pinned: Token | None = None
        self._values: Numbers = np.zeros((0, 0), np.float32)
        self._rows: Sequence[str] = ()
        self._columns: Sequence[str] = ()
        self._names, self._unit, self._high = ("", ""), "", 1.0
        self._hovered: Token | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Weights between tokens, as lines"))
        themes.changed.connect(self._fit)

    def set_links(
        self,
        values: Numbers,
        rows: Sequence[str],
        columns: Sequence[str],
        *,
        names: tuple[str, str],
        unit: str,
        high: float,
    ) -> None:
        """Show other weights; the pinned token stays pinned if it still exists.

        Args:
            values: (R, C); NaN where nothing can be read.
            rows: R labels of the tokens that read.
            columns: C labels of the tokens that are read.
            names: Names of both columns.
            unit: Unit of the values.
            high: The weight of the strongest line.
        """
        self._values, self._rows, self._columns = values, rows, columns
        self._names, self._unit, self._high = names, unit, high or 1.0
        if self.pinned is not None and self.pinned[1] >= len(rows if self.pinned[0] == "row" else columns):
            self.pinned = None
        self._hovered = None
        self._fit()

    def _fit(self) -> None:
        """Take the height of all tokens."""
        self.setMinimumHeight(px(HEAD) + px(LINE) * max(len(self._rows), len(self._columns)) + 4)
        self.update()

    def pin(self, token: Token | None) -> None:
        """Show only the lines of one token, or all, without emitting a signal."""
        self.pinned = token
        self.update()

    def rect_of(self, token: Token) -> QRectF:
        """Return the rectangle of a token, in pixels of the widget."""
        left, right = self._sides()
        y = px(HEAD) + px(LINE) * token[1]
        return (
            QRectF(left - px(LABEL), y, px(LABEL), px(LINE))
            if token[0] == "row"
            else QRectF(right, y, px(LABEL), px(LINE))
        )

    @property
    def lines(self) -> list[tuple[int, int, float]]:
        """The drawn lines: row, column, and strength, −1 to 1."""
        shares = np.nan_to_num(self._values, nan=0.0, posinf=0.0, neginf=0.0) / self._high
        only = self._hovered or self.pinned
        if only is not None:
            mask = np.zeros(shares.shape, bool)
            mask[(only[1], slice(None)) if only[0] == "row" else (slice(None), only[1])] = True
            shares = np.where(mask, shares, 0)
        rows, columns = np.nonzero(np.abs(shares) >= FAINTEST)
        strengths = shares[rows, columns]
        order = np.argsort(np.abs(strengths), kind="stable")[-MOST:]  # the strongest are painted last
        return [(int(rows[n]), int(columns[n]), float(strengths[n])) for n in order]

    def export(self, title: str) -> Export | None:
        """Return an export of all lines, or those of the pinned token, with a title; None if there are none."""
        if not self._values.size:
            return None
        copy = Links()
        copy.set_links(self._values, self._rows, self._columns, names=self._names, unit=self._unit, high=self._high)
        copy.pinned = self.pinned
        copy.resize(QSize(max(480, self.width()), copy.minimumHeight()))
        figure = LinksFigure(title, *self._names, self._unit, list(self._rows), list(self._columns), self._values)
        return Export(figure, copy.size(), copy._paint, INSIDE)

    # Input

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show only the lines of the token under the mouse."""
        self._hover(self._token_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        """Show the lines of the pinned token, or all."""
        super().leaveEvent(event)
        self._hover(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Pin or unpin the lines of the token under the mouse."""
        token = self._token_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton:
            self.pin(None if token == self.pinned else token)
            if self.pinned is not None and self.pinned[0] == "row":
                self.followed.emit(self.pinned[1])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Follow the token above or below; Escape shows all lines."""
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if step is not None and len(self._rows):
            now = self.pinned[1] if self.pinned is not None and self.pinned[0] == "row" else -1
            self.pin(("row", min(max(now + step, 0), len(self._rows) - 1)))
            self.followed.emit(self.pinned[1] if self.pinned else 0)
        elif event.key() == Qt.Key.Key_Escape and self.pinned is not None:
            self.pin(None)
        else:
            super().keyPressEvent(event)

    def _hover(self, token: Token | None) -> None:
        if token != self._hovered:
            self._hovered = token
            self.update()

    def _token_at(self, at: QPointF) -> Token | None:
        number = int((at.y() - px(HEAD)) // px(LINE))
        for side, labels in (("row", self._rows), ("column", self._columns)):
            if 0 <= number < len(labels) and self.rect_of((side, number)).contains(at):
                return side, number
        return None

    # Painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint columns and lines."""
        with QPainter(self) as painter:
            self._paint(painter)

    def _paint(self, painter: QPainter) -> None:
        if not self._values.size:
            return
        theme, (left, right) = themes.now, self._sides()
        self._draw_names(painter, left, right, theme)
        lines = self.lines
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for row, column, strength in lines:
            painter.setPen(QPen(self._ink(strength, theme), 1.5))
            middles = px(HEAD) + px(LINE) * (row + 0.5), px(HEAD) + px(LINE) * (column + 0.5)
            painter.drawLine(QLineF(left + GAP, middles[0], right - GAP, middles[1]))
        self._draw_tokens(painter, lines, theme)
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme.accent), 1))
            around = QRectF(left, px(HEAD) - 1, right - left, self.height() - px(HEAD) - 2)
            painter.drawRect(around.adjusted(-px(LABEL) - 2, 0, px(LABEL) + 2, 0))

    def _draw_names(self, painter: QPainter, left: float, right: float, theme: Theme) -> None:
        painter.setFont(self._font)
        painter.setPen(QColor(theme.dim))
        middle = (left + right) / 2
        rooms = QRectF(0, 0, middle - 8, px(HEAD)), QRectF(middle + 8, 0, self.width() - middle - 8, px(HEAD))
        sides = Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignLeft
        for name, room, side, end in zip(self._names, rooms, sides, (left, right), strict=True):
            fits = QRectF(room)
            if self._note_metrics.horizontalAdvance(name) < (end if side is sides[0] else self.width() - end):
                fits = QRectF(0, 0, end, px(HEAD)) if side is sides[0] else QRectF(end, 0, self.width() - end, px(HEAD))
            text = self._note_metrics.elidedText(name, Qt.TextElideMode.ElideRight, fits.width())
            painter.drawText(fits, side | Qt.AlignmentFlag.AlignVCenter, text)

    def _draw_tokens(self, painter: QPainter, lines: Sequence[tuple[int, int, float]], theme: Theme) -> None:
        only = self._hovered or self.pinned
        painter.setFont(self._token_font)
        if only is not None:
            for row, column, strength in lines:
                other: Token = ("column", column) if only[0] == "row" else ("row", row)
                ground = self._ink(strength * 0.6, theme)
                painter.fillRect(self.rect_of(other).adjusted(2, 1, -2, -1), ground)
        for side, labels, flag in (("row", self._rows, Qt.AlignmentFlag.AlignRight),
                                   ("column", self._columns, Qt.AlignmentFlag.AlignLeft)):  # fmt: skip
            for number, label in enumerate(labels):
                is_selected = only is None or only == (side, number) or only[0] != side
                painter.setPen(QColor(theme.text if is_selected else theme.dim))
                text = self._metrics.elidedText(label, Qt.TextElideMode.ElideRight, px(LABEL) - 2 * GAP)
                room = self.rect_of((side, number)).adjusted(GAP, 0, -GAP, 0)
                painter.drawText(room, flag | Qt.AlignmentFlag.AlignVCenter, text)

    def _ink(self, strength: float, theme: Theme) -> QColor:
        colour = QColor(theme.runs[0] if strength >= 0 else theme.runs[1])
        colour.setAlphaF(min(1.0, abs(strength)))
        return colour

    def _sides(self) -> tuple[float, float]:
        """Return the x of the left and the right ends of the lines."""
        distance = max(40.0, min(WIDEST, self.width() - 2 * px(LABEL) - 8))
        left = (self.width() - distance) / 2
        return left, left + distance
