"""The explorable of float formats: where their numbers lie on the line around one number, and how far they reach."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from lab.shell.examples.explorables.card import ExplorableCard
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import mixed, px, themes
from lab.widgets.explorables.slider import LabelledSlider
from lab.widgets.explorables.surface import Surface
from lab.widgets.formulas.explanation import Typeset
from lab.widgets.formulas.marks import SymbolMarks
from lab.worked import FORMATS
from lab.worked.explorables import neighbours

NEAR = 0.0625
"""How far the line reaches to both sides of the number, in parts of it."""
DECADES = (-46.0, 40.0)
"""The powers of ten that are drawn; float64 reaches beyond."""


class NumberLine(Surface):
    """For each format its numbers around one number as ticks, and its range as a bar over powers of ten."""

    def __init__(self) -> None:
        super().__init__(tr("Numbers of each format"), 300)
        self.number = 1.0

    def show_number(self, x: float) -> None:
        """Show another number."""
        self.number = x
        self.show_state("; ".join(f"{each.name}: {float(each.rounding(np.array(x))):.10g}" for each in FORMATS))

    def draw(self, painter: QPainter, area: QRectF) -> None:
        """Paint the four lines and the four ranges."""
        theme = themes.now
        inner = area.adjusted(px(76), 4, -8, -4 - self.metrics_small.height())
        line = inner.height() / 8
        painter.setFont(self.font_small)
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        for at, each in enumerate(FORMATS):
            y = inner.y() + (at + 0.5) * line
            painter.setPen(QColor(theme.text))
            painter.drawText(QRectF(2, y - 10, px(74), 20), left, each.name)
            painter.setPen(QPen(QColor(theme.line), 1))
            painter.drawLine(QPointF(inner.left(), y), QPointF(inner.right(), y))
            found, _ = neighbours(each, self.number)
            high = float(each.rounding(np.array(self.number)))
            painter.setPen(QPen(QColor(theme.text), 1))
            if not len(found) and np.isfinite(high) and high > 0:  # too many to tell apart
                painter.fillRect(
                    QRectF(inner.left(), y - 5, inner.width(), 10), QColor(mixed(theme.text, theme.panel, 0.35))
                )
            for number in found:
                x = self._across(inner, float(number))
                painter.drawLine(QPointF(x, y - 6), QPointF(x, y + 6))
            if np.isfinite(high):
                x = self._across(inner, high)
                if inner.left() <= x <= inner.right():
                    painter.setPen(Qt.PenStyle.NoPen)
                    painter.setBrush(QColor(theme.accent))
                    painter.drawEllipse(QPointF(x, y), 4, 4)
        painter.setPen(QPen(QColor(theme.accent), 1, Qt.PenStyle.DashLine))
        middle = self._across(inner, self.number)
        painter.drawLine(QPointF(middle, inner.y()), QPointF(middle, inner.y() + 4 * line))
        self._draw_ranges(painter, inner, line)

    def _across(self, inner: QRectF, number: float) -> float:
        return inner.center().x() + (number / self.number - 1) / NEAR * inner.width() / 2

    def _draw_ranges(self, painter: QPainter, inner: QRectF, line: float) -> None:
        theme = themes.now
        low, high = DECADES
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter

        def across(power: float) -> float:
            return inner.left() + (min(max(power, low), high) - low) / (high - low) * inner.width()

        for at, each in enumerate(FORMATS):
            y = inner.y() + (at + 4.5) * line
            painter.setPen(QColor(theme.text))
            painter.drawText(QRectF(2, y - 10, px(74), 20), left, each.name)
            powers = [float(np.log10(number)) for number in (each.smallest, each.smallest_normal, each.largest)]
            thin, wide = (mixed(theme.accent, theme.panel, share) for share in (0.35, 0.75))
            painter.fillRect(QRectF(across(powers[0]), y - 4, across(powers[1]) - across(powers[0]), 8), QColor(thin))
            painter.fillRect(QRectF(across(powers[1]), y - 4, across(powers[2]) - across(powers[1]), 8), QColor(wide))
        painter.setPen(QColor(theme.dim))
        for power in range(-40, 41, 10):
            box = QRectF(across(power) - 30, inner.bottom(), 60, self.metrics_small.height())
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, f"1e{power}" if power else "1")
        painter.setPen(QPen(QColor(theme.text), 1, Qt.PenStyle.DashLine))
        here = across(float(np.log10(self.number)))
        painter.drawLine(QPointF(here, inner.y() + 4 * line), QPointF(here, inner.bottom()))


class FormatLineCard(ExplorableCard):
    """Float formats on the number line."""

    def __init__(self, typeset: Typeset | None = None, marks: SymbolMarks | None = None) -> None:
        super().__init__(
            tr("Float formats on the number line"),
            tr("Above: the numbers within a sixteenth of x. Below: from the least to the largest, over powers of ten."),
            [],
            typeset,
            marks,
        )
        self.power = LabelledSlider(tr("power of ten"), -12, 12, 0.5, "{:.3f}".format)
        self.line = NumberLine()
        self.power.changed.connect(self._draw)
        self.add_sliders([self.power], columns=1)
        self.add_drawings(self.line)
        self._draw()

    def _draw(self, _: float = 0.0) -> None:
        x = float(10**self.power.value)
        self.line.show_number(x)
        parts = []
        for each in FORMATS[:3]:
            near = float(each.rounding(np.array(x)))
            parts.append(f"{each.name} {near:.8g}" + (f" ({abs(near / x - 1):.1e})" if np.isfinite(near) else ""))
        self.result.setText(
            tr("x = {x} is stored as: {parts}; in brackets the relative error.", x=f"{x:.10g}", parts="; ".join(parts))
        )
