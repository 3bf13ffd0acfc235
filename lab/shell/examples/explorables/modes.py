"""The explorable of state spaces: what a state remembers of one input is a sum of decaying, turning modes."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from lab.shell.examples.explorables.card import ExplorableCard
from lab.widgets.core.i18n import number_text, tr
from lab.widgets.core.theme import themes
from lab.widgets.explorables.lines import Line, Lines
from lab.widgets.explorables.slider import LabelledSlider
from lab.widgets.explorables.vectors import VectorPlane
from lab.widgets.formulas.explanation import Typeset
from lab.widgets.formulas.marks import SymbolMarks
from lab.worked.explorables import modes_response

STEPS = 49
"""Steps that are drawn."""
FIRST = ((0.95, 0.0, 1.0), (0.9, 0.6, 0.6), (0.5, 2.2, 0.5))
"""Decay, angle and weight of the modes at first."""


class UnitCircle(VectorPlane):
    """The complex plane with the unit circle, outside which a mode grows."""

    def draw(self, painter: QPainter, area: QRectF) -> None:
        """Paint the circle below the modes."""
        painter.setPen(QPen(QColor(themes.now.dim), 1, Qt.PenStyle.DashLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        edge = self.to_pixels(np.array([1.0, 0.0])) - self.to_pixels(np.zeros(2))
        painter.drawEllipse(QPointF(area.center()), edge.x(), edge.x())
        super().draw(painter, area)


class ModesCard(ExplorableCard):
    """A state space as a sum of decaying modes."""

    def __init__(self, typeset: Typeset | None = None, marks: SymbolMarks | None = None) -> None:
        super().__init__(
            tr("A state space as a sum of decaying modes"),
            tr("Drag a mode: its length is what a step leaves of it, its angle how fast it swings. Beyond the circle "
               "it grows."),
            [r"h_n \leftarrow a_n h_n + x", r"y_t = \sum_n c_n\,\mathrm{Re}\,a_n^t"],
            typeset,
            marks,
        )  # fmt: skip
        self.plane = UnitCircle(tr("Modes in the complex plane"), reach=1.15)
        self.plane.vectors = {
            f"a{at}": size * np.array([np.cos(angle), np.sin(angle)])
            for at, (size, angle, _) in enumerate(FIRST, start=1)
        }
        self.plane.movable = list(self.plane.vectors)
        self.plane.moved.connect(self._draw)
        self.weights = [
            LabelledSlider(tr("c{n}: weight", n=at), -1, 1, weight, symbol="c")
            for at, (_, _, weight) in enumerate(FIRST, start=1)
        ]
        self.lines = Lines(tr("Output after one input"), 260)
        for slider in self.weights:
            slider.changed.connect(self._draw)
        self.add_sliders(self.weights, columns=3)
        self.add_drawings(self.plane, self.lines)
        self._draw()

    def _draw(self, _: object = None) -> None:
        vectors = np.array(list(self.plane.vectors.values()))
        decays, angles = np.hypot(*vectors.T), np.arctan2(vectors[:, 1], vectors[:, 0])
        weights = np.array([slider.value for slider in self.weights])
        modes = modes_response(decays, angles, weights, STEPS)
        lines = [Line(f"a{at}", mode, "dim") for at, mode in enumerate(modes, start=1)]
        total = modes.sum(axis=0)
        self.lines.show_lines([*lines, Line("y", total, "accent", 2.5)], most=1.0)
        self.plane.show_state(", ".join(f"{name} |{size:.2f}| ∠{angle:.2f}" for name, size, angle in
                                        zip(self.plane.vectors, decays, angles, strict=True)))  # fmt: skip
        halves = [_half_life(float(size)) for size in decays]
        self.result.setText(
            tr(
                "|a| = {sizes}. A mode is halved after {halves} steps. After {steps} steps y = {last}.",
                sizes=", ".join(number_text(float(size), ".2f") for size in decays),
                halves=", ".join(halves),
                steps=STEPS - 1,
                last=number_text(float(total[-1]), ".4f"),
            )
        )


def _half_life(size: float) -> str:
    """Return the steps until a mode is halved: "13.5", or "∞" if it never is."""
    return "∞" if size >= 1 else "0" if size == 0 else number_text(float(np.log(0.5) / np.log(size)), ".1f")
