"""The text below a map: its tokens, each on the colour of its cell in the selected row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from lab.widgets.core.fonts import Font, Metrics
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import Theme, px, themes
from lab.widgets.maps.colours import Numbers, Scale, ground_and_ink

LINE = 20
"""Height of a line of tokens in pixels."""
LINES = 4
"""The largest number of visible lines; longer texts scroll."""
UNDER = 3
"""Height in pixels of the line below a token with a second colour."""


class Colouring(Protocol):
    """A map from values to colours: a scale, or kinds."""

    def colours(self, values: Numbers, theme: Theme) -> NDArray[np.uint32]:
        """Return 0xAARRGGBB of each value, 0 where it is NaN."""
        ...


class TokenStrip(QScrollArea):
    """The tokens of a text, wrapped into lines; a click picks one."""

    picked = Signal(int)
    """The index of the token that the user clicked."""
    hovered = Signal(int)
    """The index of the token under the mouse; −1 for none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tokens = _Tokens()
        self.tokens.clicked.connect(self.picked)
        self.tokens.hovered.connect(self.hovered)
        self.setWidget(self.tokens)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keys of the map select tokens, too
        self.setAccessibleName(tr("The text, coloured by the selected row"))

    def set_tokens(self, labels: Sequence[str]) -> None:
        """Show other tokens, with labels from lab.widgets.core.glyphs."""
        if tuple(labels) != self.tokens.labels:
            self.tokens.set_labels(tuple(labels))

    def set_values(self, values: Numbers, scale: Colouring, followed: int = -1, under: Numbers | None = None) -> None:
        """Colour the tokens.

        Args:
            values: One value for each token; a token with NaN has no colour and is dimmed.
            scale: The scale of their map, or their kinds.
            followed: The underlined token; −1 for none.
            under: A second value for each token, which colours a line below it; NaN for none.
        """
        self.tokens.values, self.tokens.scale, self.tokens.under = values, scale, under
        if followed != self.tokens.followed:
            self.tokens.followed = followed
            if followed >= 0:
                rect = self.tokens.rects[followed].center()
                self.ensureVisible(int(rect.x()), int(rect.y()), 0, px(LINE) // 2)
        self.tokens.update()

    def height_for(self, width: int, most: int = LINES) -> int:
        """Return the height that the text needs in a width, at most that of `most` lines."""
        return min(most, self.tokens.lines_in(width)) * px(LINE)


class _Tokens(QWidget):
    clicked = Signal(int)
    hovered = Signal(int)
    _font, _metrics = Font(tokens=True), Metrics(tokens=True)

    def __init__(self) -> None:
        super().__init__()
        self.setMouseTracking(True)
        self.labels: tuple[str, ...] = ()
        self.values: Numbers | None = None
        self.under: Numbers | None = None
        self.scale: Colouring = Scale(0.0, 1.0)
        self.followed = -1
        self.rects: list[QRectF] = []
        self._wrappings: dict[int, tuple[list[QRectF], int]] = {}  # of these labels by width
        themes.changed.connect(self._resize_type)

    def _resize_type(self) -> None:
        self._wrappings = {}
        self.wrap()

    def set_labels(self, labels: tuple[str, ...]) -> None:
        """Show other tokens."""
        self.labels, self._wrappings = labels, {}
        self.wrap()

    def wrap(self) -> None:
        """Wrap the tokens into lines."""
        self.rects, lines = self._wrapped(self.width())
        self.setMinimumHeight(lines * px(LINE))
        self.update()

    def lines_in(self, width: int) -> int:
        """Return the number of lines of the text in a width."""
        return self._wrapped(width)[1]

    def _wrapped(self, width: int) -> tuple[list[QRectF], int]:
        known = self._wrappings.get(width)
        if known is None:
            if len(self._wrappings) > 2:  # the width is changing
                self._wrappings = {}
            known = self._wrappings[width] = self._wrap(width)
        return known

    def _wrap(self, width: int) -> tuple[list[QRectF], int]:
        rects, x, line = [], 0.0, 0
        for label in self.labels:
            wide = self._metrics.horizontalAdvance(label)
            if x and x + wide > width:
                x, line = 0.0, line + 1
            rects.append(QRectF(x, line * px(LINE), min(wide, width - x), px(LINE)))
            x += wide
            if label.endswith("⏎"):
                x, line = 0.0, line + 1
        return rects, line + (1 if x or not line else 0)

    def sizeHint(self) -> QSize:
        """Return the minimum height; the width is free."""
        return QSize(100, self.minimumHeight())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap the text to the width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.wrap()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Emit the token that was clicked."""
        number = self._token_at(event.position())
        if number >= 0:
            self.clicked.emit(number)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Emit the token under the mouse."""
        self.hovered.emit(self._token_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        """Emit that no token is under the mouse."""
        super().leaveEvent(event)
        self.hovered.emit(-1)

    def _token_at(self, at: QPointF) -> int:
        return next((number for number, rect in enumerate(self.rects) if rect.contains(at)), -1)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the tokens on their colours."""
        if self.values is None or len(self.values) != len(self.labels):
            return
        theme, painter = themes.now, QPainter(self)
        painter.setFont(self._font)
        packed = self.scale.colours(self.values, theme).tolist()
        under = self.scale.colours(self.under, theme).tolist() if self.under is not None else [0] * len(packed)
        dim = QColor(theme.dim)
        for number, (label, rect) in enumerate(zip(self.labels, self.rects, strict=True)):
            ground, ink = ground_and_ink(packed[number]) if packed[number] else (None, dim)
            if ground is not None:
                painter.fillRect(rect.adjusted(0, 2, 0, -2), ground)
            painter.setPen(ink)
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, label)
            if under[number]:
                line = rect.adjusted(0, px(LINE) - UNDER, 0, 0)
                painter.fillRect(line, ground_and_ink(under[number])[0])
            if number == self.followed:
                painter.setPen(QPen(QColor(theme.text), 2))
                painter.drawLine(rect.bottomLeft() - QPointF(0, 1), rect.bottomRight() - QPointF(0, 1))
        painter.end()
