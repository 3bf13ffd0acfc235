"""The explorable of the LSTM cell: gates as taps that are opened and closed, and the state over twelve steps."""

from __future__ import annotations

import numpy as np

from lab.shell.examples.explorables.card import ExplorableCard
from lab.widgets.core.controls import Button
from lab.widgets.core.i18n import tr
from lab.widgets.explorables.lines import Line, Lines
from lab.widgets.explorables.slider import LabelledSlider
from lab.widgets.formulas.explanation import Typeset
from lab.widgets.formulas.marks import SymbolMarks
from lab.worked.explorables import CellStep, cell_step

LONGEST = 40
"""Most steps that are drawn."""


class CellCard(ExplorableCard):
    """An LSTM cell whose gates are taps."""

    def __init__(self, typeset: Typeset | None = None, marks: SymbolMarks | None = None) -> None:
        super().__init__(
            tr("LSTM cell with taps"),
            tr("Open and close the taps, then do a step and see what the cell holds."),
            [r"c \leftarrow f\,c + i\,g", r"h = o\,\tanh(c)"],
            typeset,
            marks,
        )
        self.forget = LabelledSlider(tr("f: keep the state"), 0, 1, 0.95, symbol="f")
        self.admit = LabelledSlider(tr("i: let in"), 0, 1, 0.0, symbol="i")
        self.candidate = LabelledSlider(tr("g: what comes"), -1, 1, 1.0, symbol="g")
        self.output = LabelledSlider(tr("o: let out"), 0, 1, 1.0, symbol="o")
        self.steps: list[CellStep] = [CellStep(1.0, float(np.tanh(1.0)))]
        self.chart = Lines(tr("State over the steps"), 220, fewest=12)
        self.step = Button(tr("Step"), hint=tr("Compute the state after one more token"), icon_name="step")
        self.step.clicked.connect(self.do_step)
        self.many = Button(tr("Ten steps"), hint=tr("Compute the state after ten more tokens"))
        self.many.clicked.connect(self.do_ten)
        self.again = Button(hint=tr("Start again from c = 1"), icon_name="undo")
        self.again.clicked.connect(self.restart)
        for button in (self.again, self.step, self.many):
            self.add_control(button)
        sliders = [self.forget, self.admit, self.candidate, self.output]
        for slider in sliders:
            slider.changed.connect(self._draw)
        self.add_sliders(sliders)
        self.add_drawings(self.chart)
        self._draw()

    def do_step(self) -> None:
        """Compute the state after one more token with the taps as they are."""
        self._advance(1)

    def do_ten(self) -> None:
        """Compute the state after ten more tokens."""
        self._advance(10)

    def restart(self) -> None:
        """Start again from a state of 1."""
        self.steps = [CellStep(1.0, self.output.value * float(np.tanh(1.0)))]
        self._draw()

    def _advance(self, count: int) -> None:
        for _ in range(count):
            self.steps.append(
                cell_step(
                    self.steps[-1].c,
                    forget=self.forget.value,
                    admit=self.admit.value,
                    candidate=self.candidate.value,
                    emit=self.output.value,
                )
            )
        self.steps = self.steps[-LONGEST:]
        self._draw()

    def _draw(self, _: float = 0.0) -> None:
        c, h = zip(*self.steps, strict=True)
        self.chart.show_lines([Line("c", c, "accent", 2.0), Line("h", h)], most=2.0)
        forget = self.forget.value
        half = tr("never") if forget >= 1 else tr("at once") if forget <= 0 else f"{np.log(0.5) / np.log(forget):.1f}"
        limit = self.admit.value * self.candidate.value / (1 - forget) if forget < 1 else float("inf")
        self.result.setText(
            tr(
                "Along the state alone the gradient shrinks by f = {f} a step; it is halved after {half} steps. With "
                "these taps, c goes to {limit}.",
                f=f"{forget:.2f}",
                half=half,
                limit=f"{limit:.2f}" if np.isfinite(limit) else "∞",
            )
        )
