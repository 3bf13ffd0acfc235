"""The explorable of compute: the loss over parameters and tokens, and the line of a budget on it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPolygonF

from lab.shell.examples.explorables.card import ExplorableCard
from lab.studies.scaling.compute import PUBLISHED, TRAINING, compute_optimal
from lab.widgets.core.i18n import number_text, tr
from lab.widgets.core.theme import px, themes
from lab.widgets.explorables.slider import LabelledSlider
from lab.widgets.explorables.surface import Surface
from lab.widgets.formulas.explanation import Typeset
from lab.widgets.formulas.marks import SymbolMarks
from lab.widgets.maps.colours import picture, scale_of
from lab.worked.expressions.values import Array

N_RANGE, D_RANGE = (8.0, 12.0), (9.0, 14.0)
"""The powers of ten of the parameters and tokens that are drawn."""
GRID = 64
"""Cells of a side of the surface."""
LEVELS = (1.8, 1.9, 2.0, 2.2, 2.5, 3.0)
"""Losses whose lines are drawn."""
NAMED = ("GPT-3", "Gopher", "Chinchilla", "LLaMA 7B", "Llama 3 8B")
"""The published models that are drawn."""
LEFT = ("GPT-3",)
"""Those whose name stands on the left of their point, since another is on the right."""
A, B = 406.4, 410.7
"""As published by Hoffmann et al. 2022, equation 10."""


class LossSurface(Surface):
    """The loss over parameters and tokens, with lines of equal loss, a budget and published models."""

    def __init__(self) -> None:
        super().__init__(tr("Loss over parameters and tokens"), 300)
        self._law: Mapping[str, float] = {}
        self._budget, self._n, self._best = 1e21, 1e9, 1e9
        self._image: tuple[str, QImage] | None = None

    def show_law(self, law: Mapping[str, float], budget: float, n: float, best: float) -> None:
        """Show another law and budget.

        Args:
            law: E, A, B, alpha and beta.
            budget: The compute, in operations.
            n: The parameters of the point on its line.
            best: The parameters of the least loss on it.
        """
        if law != self._law:
            self._image = None
        self._law, self._budget, self._n, self._best = law, budget, n, best
        self.show_state(f"C {budget:.3g}, N {n:.3g}, D {budget / TRAINING / n:.3g}, N* {best:.3g}")

    def loss(self, n: Array, d: Array) -> Array:
        """Return the loss of models with n parameters after d tokens."""
        law = self._law
        return np.asarray(law["E"] + law["A"] * n ** -law["alpha"] + law["B"] * d ** -law["beta"])

    def draw(self, painter: QPainter, area: QRectF) -> None:
        """Paint the surface, the lines, the models and the budget."""
        theme = themes.now
        line = self.metrics_small.height()
        inner = area.adjusted(px(44), line + 4, -8, -2 * line - 6)
        if self._image is None or self._image[0] != theme.name:
            n = np.logspace(*N_RANGE, GRID)[None, :]
            d = np.logspace(*D_RANGE, GRID)[::-1, None]
            values = np.log(self.loss(n, d) - self._law["E"]).astype(np.float32)
            levels = (float(values.min()), float(values.max()))
            self._image = theme.name, picture(-values, scale_of(-values, levels=(-levels[1], -levels[0]), signed=False),
                                              theme)  # fmt: skip
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.setOpacity(0.55)
        painter.drawImage(inner, self._image[1])
        painter.setOpacity(1.0)
        self._draw_axes(painter, inner, line)
        painter.save()
        painter.setClipRect(inner)
        self._draw_levels(painter, inner)
        self._draw_budget(painter, inner)
        self._draw_models(painter, inner)
        painter.restore()

    def _at(self, inner: QRectF, n: float, d: float) -> QPointF:
        x = (np.log10(n) - N_RANGE[0]) / (N_RANGE[1] - N_RANGE[0])
        y = (np.log10(d) - D_RANGE[0]) / (D_RANGE[1] - D_RANGE[0])
        return QPointF(inner.x() + float(x) * inner.width(), inner.bottom() - float(y) * inner.height())

    def _draw_axes(self, painter: QPainter, inner: QRectF, line: float) -> None:
        theme, middle = themes.now, Qt.AlignmentFlag.AlignCenter
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.setFont(self.font_small)
        painter.setPen(QColor(theme.dim))
        for power in range(int(N_RANGE[0]), int(N_RANGE[1]) + 1):
            x = self._at(inner, 10.0**power, 1e9).x()
            left = min(max(x - 30, inner.left() - 30), inner.right() - 44)
            painter.drawText(QRectF(left, inner.bottom() + 2, 60, line), middle, f"1e{power}")
        for power in range(int(D_RANGE[0]), int(D_RANGE[1]) + 1):
            y = self._at(inner, 1e9, 10.0**power).y()
            top = min(max(y - line / 2, inner.top()), inner.bottom() - line)
            painter.drawText(QRectF(0, top, inner.left() - 6, line), right, f"1e{power}")
        painter.setPen(QColor(theme.text))
        self.draw_name(painter, QRectF(inner.left(), inner.bottom() + line + 3, inner.width(), line),
                       tr("N: parameters"), middle)  # fmt: skip
        self.draw_name_at(painter, QPointF(2, inner.top() - 5), tr("D: tokens"))

    def _draw_levels(self, painter: QPainter, inner: QRectF) -> None:
        """Paint lines of equal loss: the tokens that a model of each size needs."""
        theme, law = themes.now, self._law
        n = np.logspace(*N_RANGE, 80)
        for level in LEVELS:
            left = level - law["E"] - law["A"] * n ** -law["alpha"]
            inside = left > 1e-9
            d = (law["B"] / left[inside]) ** (1 / law["beta"])
            points = [self._at(inner, float(a), float(b)) for a, b in zip(n[inside], d, strict=True) if b < 1e20]
            if len(points) < 2:
                continue
            marked = self.is_marked("L")
            painter.setPen(QPen(QColor(theme.text), 2 if marked else 1, Qt.PenStyle.SolidLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPolyline(QPolygonF(points))
            end = next((one for one in reversed(points) if inner.contains(one)), None)
            if end is not None:
                place = QPointF(min(end.x(), inner.right() - px(52)), end.y() - 4)
                self.draw_name_at(painter, place, f"L {level:g}")

    def _draw_models(self, painter: QPainter, inner: QRectF) -> None:
        theme = themes.now
        for model in PUBLISHED:
            if model.name in NAMED:
                place = self._at(inner, model.parameters, model.tokens)
                painter.setPen(QPen(QColor(theme.panel), 1))
                painter.setBrush(QColor(theme.text))
                painter.drawEllipse(place, 4, 4)
                painter.setPen(QColor(theme.text))
                wide, line = self.metrics_small.horizontalAdvance(model.name), self.metrics_small.height()
                left = place.x() + (-9 - wide if model.name in LEFT else 9)
                ground = QColor(theme.panel)
                ground.setAlphaF(0.6)
                painter.fillRect(QRectF(left - 2, place.y() - line / 2, wide + 4, line), ground)
                painter.drawText(QPointF(left, place.y() + line / 2 - 4), model.name)

    def _draw_budget(self, painter: QPainter, inner: QRectF) -> None:
        """Paint the line C = 6 N D with the least loss on it and the selected point."""
        theme = themes.now
        ends = [self._at(inner, 10.0**power, self._budget / TRAINING / 10.0**power) for power in N_RANGE]
        painter.setPen(QPen(QColor(theme.accent), 4 if self.is_marked("C") else 2.5))
        painter.drawLine(*ends)
        best = self._at(inner, self._best, self._budget / TRAINING / self._best)
        here = self._at(inner, self._n, self._budget / TRAINING / self._n)
        painter.setBrush(QColor(theme.panel))
        painter.drawEllipse(best, 5, 5)
        painter.setBrush(QColor(theme.accent))
        painter.setPen(QPen(QColor(theme.on_accent), 1.5))
        painter.drawEllipse(here, 7, 7)


class BudgetCard(ExplorableCard):
    """Chinchilla's surface with the line of a budget."""

    def __init__(self, typeset: Typeset | None = None, marks: SymbolMarks | None = None) -> None:
        super().__init__(
            tr("Chinchilla's surface and a budget"),
            tr("On the line of a budget C, more parameters mean fewer tokens. The ring is where the loss is least."),
            [r"L = E + \frac{A}{N^\alpha} + \frac{B}{D^\beta}", r"C = 6\,N\,D"],
            typeset,
            marks,
        )
        self.compute = LabelledSlider(tr("C: operations"), 19, 26, 23.76, _power, symbol="C")
        self.size = LabelledSlider(tr("N: parameters"), *N_RANGE, 10.85, _power, symbol="N")
        self.alpha = LabelledSlider("α", 0.2, 0.5, 0.34, symbol="α")
        self.beta = LabelledSlider("β", 0.2, 0.5, 0.28, symbol="β")
        self.floor = LabelledSlider(tr("E: floor"), 1.0, 2.5, 1.69, symbol="E")
        self.surface = LossSurface()
        sliders = [self.compute, self.size, self.floor, self.alpha, self.beta]
        for slider in sliders:
            slider.changed.connect(self._draw)
        self.add_sliders(sliders, columns=3)
        self.add_drawings(self.surface)
        self._draw()

    def _draw(self, _: float = 0.0) -> None:
        law = {"E": self.floor.value, "A": A, "B": B, "alpha": self.alpha.value, "beta": self.beta.value}
        c, n = 10.0**self.compute.value, 10.0**self.size.value
        d = c / TRAINING / n
        arrays = {name: np.asarray(value) for name, value in law.items()}
        best = {name: float(value) for name, value in compute_optimal(arrays, c).items()}
        self.surface.show_law(law, c, n, best["parameters"])
        loss = float(self.surface.loss(np.array(n), np.array(d)))
        each, best_each = d / n, best["tokens"] / best["parameters"]
        self.result.setText(
            tr(
                "{n} parameters read {d} tokens, {each} for each: loss {loss}. The best for {c} operations are {best} "
                "parameters and {tokens} tokens, {best_each} for each: loss {least}.",
                n=number_text(n, ".3g"),
                d=number_text(d, ".3g"),
                each=number_text(each, ".3g"),
                loss=number_text(loss, ".4f"),
                c=number_text(c, ".3g"),
                best=number_text(best["parameters"], ".3g"),
                tokens=number_text(best["tokens"], ".3g"),
                best_each=number_text(best_each, ".3g"),
                least=number_text(best["loss"], ".4f"),
            )
        )


def _power(exponent: float) -> str:
    return f"{10**exponent:.3g}"
