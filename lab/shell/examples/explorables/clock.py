"""The explorable of sinusoidal positions: a clock whose hands turn at different speeds."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from lab.shell.examples.explorables.card import ExplorableCard
from lab.widgets.core.i18n import number_text, tr
from lab.widgets.core.theme import themes
from lab.widgets.explorables.lines import Line, Lines
from lab.widgets.explorables.slider import LabelledSlider
from lab.widgets.explorables.surface import Surface
from lab.widgets.formulas.explanation import Typeset
from lab.widgets.formulas.marks import SymbolMarks
from lab.worked.explorables import clock_hands, clock_product
from lab.worked.expressions.values import Array

REACH = 48
"""Most offsets whose product is drawn."""


class Clock(Surface):
    """A face for each pair of channels, with the hands of two positions."""

    def __init__(self) -> None:
        super().__init__(tr("The hands of both positions"), 220)
        self._hands: Array = np.zeros((2, 1))

    def show_hands(self, hands: Array) -> None:
        """Show other hands (2, d / 2), in radians: those of a position, and of another one."""
        self._hands = hands
        self.show_state("; ".join(f"ω{at}: {a:.2f}, {b:.2f}" for at, (a, b) in enumerate(hands.T, start=1)))

    def draw(self, painter: QPainter, area: QRectF) -> None:
        """Paint the faces; a hand points up at angle 0 and turns with the clock."""
        theme, count = themes.now, self._hands.shape[1]
        line = self.metrics_small.height()
        columns = max(range(1, count + 1), key=lambda n: min(area.width() / n, area.height() / math.ceil(count / n)))
        wide, high = area.width() / columns, area.height() / math.ceil(count / columns)
        radius = max(8.0, min(wide, high - line) / 2 - 6)
        painter.setFont(self.font_small)
        for at in range(count):
            middle = QPointF(area.x() + (at % columns + 0.5) * wide, area.y() + (at // columns) * high + radius + 4)
            painter.setPen(QPen(QColor(theme.line), 1.5))
            painter.setBrush(QColor(theme.card))
            painter.drawEllipse(middle, radius, radius)
            for hand, colour, width in ((1, theme.dim, 1.5), (0, theme.accent, 2.5)):
                angle = float(self._hands[hand, at])
                painter.setPen(QPen(QColor(colour), width))
                painter.drawLine(middle, middle + QPointF(math.sin(angle), -math.cos(angle)) * (radius - 3))
            painter.setPen(QColor(theme.text))
            below = QRectF(middle.x() - wide / 2, middle.y() + radius + 1, wide, line)
            self.draw_name(painter, below, f"ω{at + 1}", Qt.AlignmentFlag.AlignCenter)


class ClockCard(ExplorableCard):
    """Sinusoidal positions as a clock."""

    def __init__(self, typeset: Typeset | None = None, marks: SymbolMarks | None = None) -> None:
        super().__init__(
            tr("Sinusoids as a clock"),
            tr("A position is the time on a clock with d/2 hands, each slower than the one before. The offset is all "
               "that the product of two positions depends on."),
            [r"p_{2i} = \sin(t\,\omega_i),\ p_{2i+1} = \cos(t\,\omega_i)", r"\omega_i = 10000^{-2i/d}",
             r"p(t) \cdot p(t + k) = \sum_i \cos(k\,\omega_i)"],
            typeset,
            marks,
        )  # fmt: skip
        whole = "{:.0f}".format
        self.position = LabelledSlider(tr("t: position"), 0, 200, 12, whole, whole=True, symbol="t")
        self.offset = LabelledSlider(tr("k: offset"), 0, REACH, 5, whole, whole=True, symbol="k")
        self.channels = LabelledSlider(tr("d/2: pairs"), 1, 16, 6, whole, whole=True, symbol="d")
        self.clock = Clock()
        self.products = Lines(tr("Product of two positions by their offset"), 220)
        for slider in (self.position, self.offset, self.channels):
            slider.changed.connect(self._draw)
        self.add_sliders([self.position, self.offset, self.channels], columns=3)
        self.add_drawings(self.clock, self.products)
        self._draw()

    def _draw(self, _: float = 0.0) -> None:
        d, t, k = 2 * round(self.channels.value), self.position.value, self.offset.value
        hands = clock_hands(np.array([t, t + k]), d)
        self.clock.show_hands(hands)
        products = clock_product(np.arange(REACH + 1.0), d)
        self.products.show_lines([Line("p·p", products, "accent", 2.0)], most=d / 2, step=(round(k), f"k {k:.0f}"))
        slowest = 2 * math.pi * 10_000 ** ((d - 2) / d)
        self.result.setText(
            tr(
                "Bright: position {t}; dim: {other}. Their product is {product}, with {most} for equal ones. The first "
                "hand turns once in 6.28 positions, the last one in {slowest}.",
                t=number_text(t, ".0f"),
                other=number_text(t + k, ".0f"),
                product=number_text(products[round(k)], ".3f"),
                most=number_text(d / 2, ".0f"),
                slowest=number_text(slowest, ",.1f"),
            )
        )
