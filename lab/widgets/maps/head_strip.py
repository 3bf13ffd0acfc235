"""The strip of all heads of a layer: a small map of each, its name, and its duty if it has a clear one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QStaticText
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from lab.widgets.core.fonts import Font, Metrics
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import px, themes
from lab.widgets.maps.colours import Numbers, Scale, pictures, shrunk

SMALLEST = 96
"""The smallest side of a small map in pixels."""
SPACE = 10
"""Pixels between two heads."""
SCROLL_BAR = 12
"""Width of a scroll bar in pixels."""
LABELS = 34
"""Pixels above a small map for its two lines of text."""


def side_in(count: int, width: float, height: float) -> tuple[int, int]:
    """Return the number of columns of small maps, and the side of each, so that they are as large as possible.

    Args:
        count: Number of heads.
        width: Available width in pixels.
        height: Available height in pixels; if it does not suffice for SMALLEST, the strip scrolls.
    """
    best = (1, 0)
    for columns in range(1, count + 1):
        rows = -(-count // columns)
        across = (width - (columns - 1) * SPACE) / columns
        down = (height - (rows - 1) * SPACE) / rows - px(LABELS)
        best = max(best, (columns, int(min(across, down))), key=lambda pair: pair[1])
    if best[1] >= SMALLEST:
        return best
    columns = max(1, min(count, int((width + SPACE) // (SMALLEST + SPACE))))
    return columns, max(SMALLEST, int((width - (columns - 1) * SPACE) / columns)) if columns < count else SMALLEST


class HeadStrip(QScrollArea):
    """All heads of a layer as small maps; a click or the arrow keys pick one."""

    picked = Signal(int)
    """The number of the head that the user picked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.heads = _Heads()
        self.used = 0  # pixels of width that the small maps take
        self.heads.picked.connect(self._choose)
        self.setWidget(self.heads)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusProxy(self.heads)
        themes.changed.connect(self._resize_type)

    def _resize_type(self) -> None:
        self.heads.forget_texts()
        self.fit(self.width(), self.height())

    def set_heads(self, values: Numbers, notes: Sequence[str], scale: Scale, names: Sequence[str] = ()) -> None:
        """Show other heads.

        Args:
            values: (H, Q, K).
            notes: The duty of each head, or "".
            scale: The scale of all maps.
            names: Their names; without names they are numbered.
        """
        self.heads.values, self.heads.notes, self.heads.scale = values, tuple(notes), scale
        self.heads.names = tuple(names) or tuple(tr("head {number}", number=n + 1) for n in range(len(notes)))
        self.heads.current = min(self.heads.current, len(notes) - 1)
        self.heads.refresh()
        self.fit(self.width(), self.height())

    def set_current(self, head: int) -> None:
        """Mark the head that is shown large."""
        self.heads.current = head
        names = tr("Heads of the layer; head {number} is shown large", number=head + 1)
        self.heads.setAccessibleName(names)
        self.setAccessibleName(names)
        self.heads.update()

    def fit(self, width: int, height: int) -> None:
        """Make the small maps as large as the area allows."""
        count = max(1, len(self.heads.notes))
        columns, side = side_in(count, width, height)
        rows = -(-count // columns)
        needed = rows * (side + px(LABELS) + SPACE) - SPACE
        scrolls = needed > height
        if scrolls:
            columns, side = side_in(count, width - SCROLL_BAR, height)
            needed = -(-count // columns) * (side + px(LABELS) + SPACE) - SPACE
        self.heads.columns, self.heads.side = columns, side
        self.used = columns * (side + SPACE) - SPACE + (SCROLL_BAR if scrolls else 0)
        self.heads.setMinimumHeight(needed)
        self.heads.refresh()

    def rect_of(self, head: int) -> QRectF:
        """Return the rectangle of the small map of a head, in pixels of the strip's content."""
        return self.heads.rect_of(head)

    def _choose(self, head: int) -> None:
        self.set_current(head)
        self.reveal(head)
        self.picked.emit(head)

    def reveal(self, head: int) -> None:
        """Scroll to the small map of a head."""
        rect = self.heads.rect_of(head).center()
        margin = self.heads.side // 2 + px(LABELS)
        self.ensureVisible(int(rect.x()), int(rect.y()), 0, margin)


class _Heads(QWidget):
    picked = Signal(int)
    _name_font, _note_font, _strong_font = Font(), Font("note"), Font(strong=True)
    _metrics = Metrics("note")

    def __init__(self) -> None:
        super().__init__()
        self.values: Numbers = np.zeros((0, 1, 1), np.float32)
        self.names: tuple[str, ...] = ()
        self.notes: tuple[str, ...] = ()
        self.scale = Scale(0.0, 1.0)
        self.current, self.columns, self.side = 0, 1, SMALLEST
        self._images: tuple[str, list[QImage]] | None = None
        self._short: dict[tuple[str, int], str] = {}
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def forget_texts(self) -> None:
        """Discard texts that were shortened for another size of the type."""
        self._short.clear()
        _drawn.cache_clear()

    def refresh(self) -> None:
        """Discard the pictures of the small maps and repaint."""
        self._images = None
        self.update()

    def rect_of(self, head: int) -> QRectF:
        """Return the rectangle of a small map."""
        row, column = divmod(head, self.columns)
        step = self.side + SPACE
        return QRectF(column * step, row * (step + px(LABELS)) + px(LABELS), self.side, self.side)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Pick the head under the mouse."""
        for head in range(len(self.notes)):
            if self._outer_rect(head).contains(event.position()):
                self.picked.emit(head)
                return

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Pick a neighbour."""
        keys = Qt.Key
        steps = {keys.Key_Left: -1, keys.Key_Right: 1, keys.Key_Up: -self.columns, keys.Key_Down: self.columns}
        head = self.current + steps.get(Qt.Key(event.key()), len(self.notes))
        if 0 <= head < len(self.notes):
            self.picked.emit(head)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the visible small maps."""
        theme, painter = themes.now, QPainter(self)
        if self._images is None or self._images[0] != theme.name:
            pixels = int(self.side * self.devicePixelRatioF())
            self._images = (theme.name, pictures(shrunk(self.values, pixels, pixels), self.scale, theme))
        seen = [head for head in range(len(self.notes)) if self._outer_rect(head).intersects(event.rect())]
        for head in seen:
            painter.drawImage(self.rect_of(head), self._images[1][head])
        painter.setPen(QColor(theme.line))
        painter.drawRects([self.rect_of(head).adjusted(0, 0, -1, -1) for head in seen if head != self.current])
        painter.setPen(QColor(theme.accent if self.hasFocus() else theme.text))
        painter.drawRect(self.rect_of(self.current).adjusted(0, 0, -1, -1))
        self._draw_labels(painter, seen)
        painter.end()

    def _outer_rect(self, head: int) -> QRectF:
        return self.rect_of(head).adjusted(0, -px(LABELS), 0, 0)

    def _draw_labels(self, painter: QPainter, heads: Sequence[int]) -> None:
        painter.setFont(self._note_font)
        painter.setPen(QColor(themes.now.dim))
        for head in heads:
            rect = self._outer_rect(head).topLeft() + QPointF(0, px(LABELS) // 2 - 1)
            painter.drawStaticText(rect, _drawn(self._shortened(self.notes[head]), False))
        painter.setPen(QColor(themes.now.text))
        painter.setFont(self._name_font)
        for head in heads:
            if head == self.current:
                painter.setFont(self._strong_font)
            name = _drawn(self.names[head], head == self.current)
            painter.drawStaticText(self._outer_rect(head).topLeft(), name)
            if head == self.current:
                painter.setFont(self._name_font)

    def _shortened(self, note: str) -> str:
        known = self._short.get((note, self.side))
        if known is None:
            known = self._metrics.elidedText(note, Qt.TextElideMode.ElideRight, self.side)
            self._short[note, self.side] = known
        return known


@lru_cache(1024)
def _drawn(text: str, _strong: bool) -> QStaticText:
    """Return a text that is laid out once for each font."""
    made = QStaticText(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    return made
