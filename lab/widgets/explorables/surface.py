"""A widget that is painted in the colours of the theme, with a description for screen readers."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from lab.widgets.core.fonts import Font, Metrics, follow_type
from lab.widgets.core.theme import px, themes
from lab.widgets.formulas.marks import SymbolMarks
from lab.widgets.formulas.picture import mark_colour


class Surface(QWidget):
    """A widget that is painted in the colours of the theme.

    Args:
        name: Its name for screen readers.
        height: Its least height in pixels.
    """

    font_text, font_small, font_strong = Font(), Font("note"), Font("note", strong=True)
    metrics_small = Metrics("note")

    def __init__(self, name: str, height: int = 220) -> None:
        super().__init__()
        self._height = height
        self._marks: SymbolMarks | None = None
        self.setAccessibleName(name)
        follow_type(self, lambda each: each.setMinimumHeight(px(height)))
        themes.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Return a size for layouts that do not set one."""
        return QSize(px(360), px(self._height))

    def follow(self, marks: SymbolMarks) -> None:
        """Mark the names in the drawing that begin with the symbol that is pointed at."""
        self._marks = marks
        marks.changed.connect(self.update)

    def is_marked(self, name: str) -> bool:
        """Return True if a name begins with the symbol that is pointed at."""
        return self._marks is not None and bool(self._marks.symbol) and name.startswith(self._marks.symbol)

    def draw_name(self, painter: QPainter, area: QRectF, name: str, flags: Qt.AlignmentFlag) -> None:
        """Write a name with the pen and font of the painter, marked if its symbol is pointed at."""
        if self.is_marked(name):
            ground = painter.boundingRect(area, flags, name).adjusted(-3, 0, 3, 0)  # empty without a pen
            painter.save()
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(mark_colour())
            painter.drawRoundedRect(ground, 3, 3)
            painter.restore()
        painter.drawText(area, flags, name)

    def draw_name_at(self, painter: QPainter, left: QPointF, name: str) -> None:
        """Write a name from a point of its baseline on, marked if its symbol is pointed at."""
        line = painter.fontMetrics()
        area = QRectF(left.x(), left.y() - line.ascent(), line.horizontalAdvance(name) + 2, line.height())
        self.draw_name(painter, area, name, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)

    def show_state(self, description: str) -> None:
        """Paint it again, and say what it shows."""
        self.setAccessibleDescription(description)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint it."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.draw(painter, QRectF(self.rect()))
        if self.hasFocus():
            painter.setPen(QPen(QColor(themes.now.accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.end()

    def draw(self, painter: QPainter, area: QRectF) -> None:
        """Paint into an area."""
        raise NotImplementedError
