"""What the colours of a text measure: surprisal, probability, entropy, rank, a difference, or who wrote it."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from lab.widgets.core.fonts import Font, Metrics
from lab.widgets.core.i18n import number_text, tr
from lab.widgets.core.theme import Theme, control_height, mixed, themes

BITS = 8
"""The end of the scales of surprisal and entropy; larger values have the last colour, too."""
RANKS = 1000
"""The end of the scale of ranks, which is logarithmic."""
STRONGEST = {"dark": 0.55, "light": 0.5}
"""Share of the colour over a panel at the end of the scale, such that text on it is legible."""
LEVELS = 32
"""The number of colours of the scale."""
SURPRISAL, PROBABILITY, ENTROPY, RANK = "surprisal", "probability", "entropy", "rank"
DIFFERENCE = "difference"
"""The quantities."""
WRITER = "writer"
"""What has no scale: a colour for each writer."""
OF_WRITERS = 0.6
"""Share of the strongest colour of a scale that the colour of a writer has."""


def surprisal(probability: float) -> float:
    """Return −log₂ p in bits, at most 100."""
    return max(0.0, -math.log2(max(probability, 2.0**-100)))


@dataclass(frozen=True)
class Quantity:
    """A quantity of the tokens of a text, with its scale.

    Args:
        name: Its name.
        ticks: The places of the ticks of the scale, between 0 and 1.
        ends: The texts at both ends of the scale.
        spoken: The name of the scale for screen readers.
        tip: What it means.
        least: The number at the start of the scale.
        is_signed: Whether the scale goes from −1 to 1; a token then has a shade, and no place of its own.
    """

    name: str
    ticks: tuple[float, ...]
    ends: tuple[str, str]
    spoken: str
    tip: str
    least: str = "0"
    is_signed: bool = False

    def place(self, probability: float, entropy: float, rank: int) -> float:
        """Return the place of a token on the scale, from 0 to 1 without bounds.

        Args:
            probability: Of the token under the model.
            entropy: Of the model's distribution, in bits.
            rank: Of the token, 1 for the likeliest.
        """
        places = {
            PROBABILITY: probability,
            ENTROPY: entropy / BITS,
            RANK: math.log(max(1, rank)) / math.log(RANKS),
            SURPRISAL: surprisal(probability) / BITS,
            DIFFERENCE: 0.0,
            WRITER: 0.0,
        }
        return places[self.name]


def quantity(name: str) -> Quantity:
    """Return a quantity by its name, labelled in the language of the window."""
    quarters = (0.0, 0.25, 0.5, 0.75, 1.0)
    bits = tr("{bits} bits", bits=BITS)
    if name == PROBABILITY:
        tip = tr("Probability of the token under the model, before all filters")
        return Quantity(name, quarters, (tr("probability 0"), "1"), tr("Probability, 0 to 1"), tip)
    if name == ENTROPY:
        tip = tr("Entropy of the model's distribution: how uncertain it was before the token")
        return Quantity(name, quarters, (tr("entropy 0"), bits), tr("Entropy, 0 to {bits} bits", bits=BITS), tip)
    if name == RANK:
        last = number_text(RANKS)
        tip = tr("Rank of the token by its probability: 1 is the likeliest. The scale is logarithmic")
        ends, spoken = (tr("rank 1"), last), tr("Rank, 1 to {last}", last=last)
        return Quantity(name, (0.0, 1 / 3, 2 / 3, 1.0), ends, spoken, tip, "1")
    if name == DIFFERENCE:
        tip = tr("Surprisal of the token under the run that wrote it, less that under another run")
        spoken = tr("Difference, −{bits} to {bits} bits", bits=BITS)
        return Quantity(name, quarters, (tr("difference −{bits}", bits=BITS), bits), spoken, tip, f"−{BITS}", True)
    if name == WRITER:
        return Quantity(name, (), ("", ""), tr("Who wrote it"), tr("The run, and its step, that wrote each token"))
    tip = tr("Surprisal, −log₂ p: how unexpected a token was to the model")
    return Quantity(SURPRISAL, quarters, (tr("surprisal 0"), bits), tr("Surprisal, 0 to {bits} bits", bits=BITS), tip)


def surprisal_colour(bits: float) -> str:
    """Return the background of a token with this surprisal, on a panel of the theme."""
    return place_colour(bits / BITS)


def place_colour(place: float, theme: Theme | None = None) -> str:
    """Return the background of a token at a place on a scale, on a panel of the theme in use or of another one.

    A negative place, as of a difference of surprisals, has another colour.
    """
    return _scale(theme or themes.now, int(place < 0))[round(LEVELS * min(abs(place), 1.0))]


def writer_colour(number: int, theme: Theme | None = None) -> str:
    """Return the background of the tokens of a writer, on a panel of the theme in use or of another one."""
    theme = theme or themes.now
    return mixed(theme.runs[number % len(theme.runs)], theme.panel, OF_WRITERS * STRONGEST[theme.scheme])


@functools.cache
def _scale(theme: Theme, colour: int) -> list[str]:
    levels = range(LEVELS + 1)
    return [mixed(theme.runs[colour], theme.panel, STRONGEST[theme.scheme] * level / LEVELS) for level in levels]


class SurprisalLegend(QWidget):
    """The scale of a quantity, at first of surprisal from 0 to 8 bits.

    Args:
        named: Whether the name of the quantity stands before the scale.
        parent: Its parent.
    """

    _font, _metrics = Font("note"), Metrics("note")

    def __init__(self, parent: QWidget | None = None, *, named: bool = True) -> None:
        super().__init__(parent)
        self._is_named = named
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.show_quantity(SURPRISAL)
        themes.changed.connect(self.update)
        themes.changed.connect(self.updateGeometry)

    def show_quantity(self, name: str) -> None:
        """Show the scale of another quantity."""
        self._shown = quantity(name)
        self.setAccessibleName(self._shown.spoken)
        self.setToolTip(self._shown.tip)
        self.updateGeometry()
        self.update()

    @property
    def _widths(self) -> list[int]:
        return [int(self._metrics.horizontalAdvance(end)) + 2 for end in self._ends]

    @property
    def _ends(self) -> tuple[str, str]:
        """The texts at both ends."""
        first, last = self._shown.ends
        return (first if self._is_named else self._shown.least), last

    def sizeHint(self) -> QSize:
        """Return the size of both ends and the scale between them."""
        return QSize(sum(self._widths) + 12 + 96, control_height(24))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the colours of the scale with its ticks."""
        painter, (first, last) = QPainter(self), self._widths
        scale = QRect(first + 6, self.height() // 2 - 6, self.width() - first - last - 12, 9)
        painter.setFont(self._font)
        painter.setPen(QColor(themes.now.dim))
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(self.rect(), middle | Qt.AlignmentFlag.AlignLeft, self._ends[0])
        painter.drawText(self.rect(), middle | Qt.AlignmentFlag.AlignRight, self._ends[1])
        colours = QLinearGradient(scale.topLeft(), scale.topRight())
        for step in range(2 * BITS + 1):
            at = step / (2 * BITS)
            colours.setColorAt(at, QColor(place_colour(2 * at - 1 if self._shown.is_signed else at)))
        painter.fillRect(scale, colours)
        painter.drawRect(scale)
        for tick in self._shown.ticks:
            x = scale.left() + round(scale.width() * tick)
            painter.drawLine(x, scale.bottom() + 1, x, scale.bottom() + 5)
        painter.end()
