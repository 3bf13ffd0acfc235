"""The grid of all heads of all layers: a small map of each head, a row for each layer."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from lab.widgets.core.fonts import Font, Metrics
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import px, themes
from lab.widgets.maps.colours import Numbers, Scale, pictures, shrunk
from lab.widgets.maps.head_strip import SCROLL_BAR

LEAST, MOST = 28, 160
"""Smallest and largest side of a small map in pixels."""
SPACE = 4
"""Pixels between two small maps."""
HEAD = 18
"""Pixels above the maps for the numbers of the heads."""


class HeadGrid(QScrollArea):
    """All heads of all layers as small maps; a click or the arrow keys pick one."""

    picked = Signal(int, int)
    """The row and the head that the user picked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.heads = _Grid()
        self.used = 0  # pixels of width that the small maps take
        self.heads.picked.connect(self._choose)
        self.setWidget(self.heads)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusProxy(self.heads)
        themes.changed.connect(self._resize_type)

    def _resize_type(self) -> None:
        self.fit(self.width(), self.height())

    def set_maps(self, maps: Sequence[Numbers], rows: Sequence[str], scale: Scale) -> None:
        """Show other maps.

        Args:
            maps: The maps of each layer, (H, Q, K).
            rows: The name of each layer.
            scale: The scale of all maps.
        """
        self.heads.maps, self.heads.rows, self.heads.scale = maps, rows, scale
        self.heads.images = None
        self.fit(self.width(), self.height())

    def set_current(self, row: int, head: int) -> None:
        """Mark the head that is shown large."""
        self.heads.current = (row, head)
        where = self.heads.rows[row]
        names = tr("Heads of all blocks; head {head} of {row} is shown large", head=head + 1, row=where)
        self.heads.setAccessibleName(names)
        self.setAccessibleName(names)
        self.heads.update()

    def fit(self, width: int, height: int) -> None:
        """Make the small maps as large as the area allows; if it is too small, they scroll."""
        grid = self.heads
        grid.measure_names()
        columns, rows = grid.columns, max(1, len(grid.maps))
        across = (width - grid.left - SCROLL_BAR) // columns - SPACE
        down = (height - px(HEAD) - 4) // rows - SPACE
        grid.side = max(LEAST, min(across, down, MOST))
        wide = grid.left + columns * (grid.side + SPACE)
        self.used = wide + SCROLL_BAR
        grid.setMinimumSize(wide, px(HEAD) + rows * (grid.side + SPACE))
        grid.images = None
        grid.update()

    def _choose(self, row: int, head: int) -> None:
        self.set_current(row, head)
        rect = self.heads.rect_of(row, head).center()
        margin = self.heads.side // 2 + px(HEAD)
        self.ensureVisible(int(rect.x()), int(rect.y()), margin, margin)
        self.picked.emit(row, head)


class _Grid(QWidget):
    picked = Signal(int, int)
    _font, _strong, _metrics = Font("note"), Font("note", strong=True), Metrics("note", strong=True)

    def __init__(self) -> None:
        super().__init__()
        self.maps: Sequence[Numbers] = ()
        self.rows: Sequence[str] = ()
        self.scale = Scale(0.0, 1.0)
        self.current, self.side = (0, 0), LEAST
        self.left = 8  # pixels left of the maps, for the names of the layers
        self.images: tuple[str, list[list[QImage]]] | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    @property
    def columns(self) -> int:
        """The largest number of heads of a layer."""
        return max((len(one) for one in self.maps), default=1)

    def measure_names(self) -> None:
        """Leave room for the names of the layers at the left."""
        self.left = int(max((self._metrics.horizontalAdvance(row) for row in self.rows), default=0.0)) + 8

    def rect_of(self, row: int, head: int) -> QRectF:
        """Return the rectangle of a small map."""
        step = self.side + SPACE
        return QRectF(self.left + head * step, px(HEAD) + row * step, self.side, self.side)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Pick the head under the mouse."""
        for row, maps in enumerate(self.maps):
            for head in range(len(maps)):
                if self.rect_of(row, head).contains(event.position()):
                    self.picked.emit(row, head)
                    return

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Pick a neighbour."""
        keys = Qt.Key
        steps = {keys.Key_Left: (0, -1), keys.Key_Right: (0, 1), keys.Key_Up: (-1, 0), keys.Key_Down: (1, 0)}
        step = steps.get(keys(event.key()))
        row, head = (self.current[0] + step[0], self.current[1] + step[1]) if step else (-1, -1)
        if 0 <= row < len(self.maps) and 0 <= head < len(self.maps[row]):
            self.picked.emit(row, head)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the visible small maps."""
        theme = themes.now
        if self.images is None or self.images[0] != theme.name:
            pixels = int(self.side * self.devicePixelRatioF())
            drawn = [pictures(shrunk(maps, pixels, pixels), self.scale, theme) for maps in self.maps]
            self.images = (theme.name, drawn)
        with QPainter(self) as painter:
            for row, images in enumerate(self.images[1]):
                for head, image in enumerate(images):
                    rect = self.rect_of(row, head)
                    if rect.intersects(QRectF(event.rect())):
                        painter.drawImage(rect, image)
                        painter.setPen(QColor(theme.line))
                        painter.drawRect(rect.adjusted(0, 0, -1, -1))
            painter.setPen(QColor(theme.accent if self.hasFocus() else theme.text))
            painter.drawRect(self.rect_of(*self.current).adjusted(-1, -1, 0, 0))
            self._draw_names(painter)

    def _draw_names(self, painter: QPainter) -> None:
        theme, (current_row, current_head) = themes.now, self.current
        line = self._metrics.height()
        for head in range(self.columns):
            rect = self.rect_of(0, head)
            self._draw_name(painter, QRectF(rect.left(), 0, self.side, px(HEAD)), str(head + 1), head == current_head)
        for row, name in enumerate(self.rows):
            middle = self.rect_of(row, 0).center().y()
            self._draw_name(painter, QRectF(0, middle - line / 2, self.left - 8, line), name, row == current_row)
        painter.setFont(self._font)
        painter.setPen(QColor(theme.dim))
        painter.drawText(QPointF(0, px(HEAD) - 5), tr("head"))

    def _draw_name(self, painter: QPainter, room: QRectF, name: str, picked: bool) -> None:
        painter.setFont(self._strong if picked else self._font)
        painter.setPen(QColor(themes.now.text if picked else themes.now.dim))
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, name)
