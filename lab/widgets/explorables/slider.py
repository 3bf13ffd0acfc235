"""A number that is set by a slider, with its name and value."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QEnterEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from lab.widgets.core.controls import Slider, label
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import localized
from lab.widgets.core.theme import px
from lab.widgets.formulas.marks import SymbolMarks
from lab.widgets.formulas.picture import mark_colour

STEPS = 1000
"""Positions of a slider, unless it takes whole numbers."""


class LabelledSlider(QWidget):
    """A number that is set by a slider, with its name and value.

    Args:
        name: Its name.
        low: Its least value.
        high: Its greatest value.
        value: Its first value.
        form: Writes the value.
        whole: Whether it takes whole numbers only.
        symbol: The letter for which it stands in formulas; "" for none.
    """

    changed = Signal(float)
    """Its new value."""

    def __init__(
        self,
        name: str,
        low: float,
        high: float,
        value: float,
        form: Callable[[float], str] = "{:.2f}".format,
        *,
        whole: bool = False,
        symbol: str = "",
    ) -> None:
        super().__init__()
        self.symbol = symbol
        self._marks: SymbolMarks | None = None
        self._low, self._high, self._form = low, high, form
        self._count = round(high - low) if whole else STEPS
        self.slider = Slider()
        self.slider.setRange(0, self._count)
        self.slider.setPageStep(max(1, self._count // 20))
        self.slider.setSingleStep(max(1, self._count // 100))
        self.slider.setAccessibleName(name)
        self.slider.valueChanged.connect(self._moved)
        self._shown = label("", "")
        self._shown.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        follow_type(self._shown, lambda each: each.setMinimumWidth(px(64)))
        self._title = title = label(name, "")
        follow_type(title, lambda each: each.setMinimumWidth(px(110)))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(title)
        row.addWidget(self.slider, 1)
        row.addWidget(self._shown)
        self.set_value(value)
        self._show()

    @property
    def value(self) -> float:
        """Its value."""
        return self._low + (self._high - self._low) * self.slider.value() / self._count

    def set_value(self, value: float) -> None:
        """Set its value; the nearest position of the slider is taken."""
        self.slider.setValue(round((value - self._low) / (self._high - self._low) * self._count))

    def follow(self, marks: SymbolMarks) -> None:
        """Mark its name while its symbol is pointed at, and point at it while the mouse is over it."""
        self._marks = marks
        marks.changed.connect(self.update)

    @property
    def is_marked(self) -> bool:
        """True while its symbol is pointed at."""
        return self._marks is not None and bool(self.symbol) and self._marks.symbol == self.symbol

    def enterEvent(self, event: QEnterEvent) -> None:
        """Point at its symbol."""
        super().enterEvent(event)
        if self._marks is not None:
            self._marks.point(self.symbol)

    def leaveEvent(self, event: QEvent) -> None:
        """Point at nothing."""
        super().leaveEvent(event)
        if self._marks is not None:
            self._marks.point("")

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the mark behind its name."""
        super().paintEvent(event)
        if self.is_marked:
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(mark_colour())
            painter.drawRoundedRect(QRectF(self._title.geometry()).adjusted(-2, 0, 2, 0), 3, 3)
            painter.end()

    def _moved(self, _: int) -> None:
        self._show()
        self.changed.emit(self.value)

    def _show(self) -> None:
        self._shown.setText(localized(self._form(self.value)))
