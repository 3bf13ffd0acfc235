"""The explorable of the LSTM cell: gates as taps that are opened and closed, and the state over twelve steps."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QGridLayout

from lab.shell.examples.explorables.common import Knob, Surface
from lab.shell.examples.explorables.sequences import wrapped
from lab.widgets.core.card import Card
from lab.widgets.core.controls import Button, label
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import px, themes
from lab.worked.explorables import CellStep, cell_step

LONGEST = 40
"""Most steps that are drawn."""


class StateChart(Surface):
    """The cell state and the output over the steps, from −2 to 2."""

    def __init__(self) -> None:
        super().__init__(tr("State over the steps"), 220)
        self._steps: list[CellStep] = []

    def show_steps(self, steps: list[CellStep]) -> None:
        """Show other steps."""
        self._steps = steps
        self.show_state("; ".join(f"c {each.c:.2f}, h {each.h:.2f}" for each in steps[-12:]))

    def draw(self, painter: QPainter, area: QRectF) -> None:
        """Paint both lines with their names and last values at the right end."""
        theme = themes.now
        inner = area.adjusted(30, 8, -px(90), -8)
        most = max(2.0, *(abs(each.c) for each in self._steps)) if self._steps else 2.0
        painter.setFont(self.font_small)
        for value in (-most, 0.0, most):
            y = inner.center().y() - value / most * inner.height() / 2
            painter.setPen(QPen(QColor(theme.line), 1))
            painter.drawLine(QPointF(inner.left(), y), QPointF(inner.right(), y))
            painter.setPen(QColor(theme.dim))
            box = QRectF(0, y - 10, 26, 20)
            painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, f"{value:.2g}")
        pitch = inner.width() / max(1, max(12, len(self._steps)) - 1)
        for name, values, colour, wide in (
            ("c", [each.c for each in self._steps], theme.accent, 2.0),
            ("h", [each.h for each in self._steps], theme.text, 1.0),
        ):
            points = [
                QPointF(inner.x() + at * pitch, inner.center().y() - value / most * inner.height() / 2)
                for at, value in enumerate(values)
            ]
            painter.setPen(QPen(QColor(colour), wide))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPolyline(QPolygonF(points))
            painter.setBrush(QColor(colour))
            for point in points:
                painter.drawEllipse(point, 2.5, 2.5)
            if points:
                end = points[-1] + QPointF(8, 4 + (8 if name == "h" else -4))
                painter.drawText(end, f"{name} {values[-1]:.3f}")


class CellCard(Card):
    """An LSTM cell whose gates are taps."""

    def __init__(self) -> None:
        super().__init__(tr("LSTM cell with taps"))
        self.set_caption(
            tr("c = f·c + i·g, h = o·tanh(c). Open and close the taps, then do a step and see what the cell holds.")
        )
        self.forget = Knob(tr("f: keep the state"), 0, 1, 0.95)
        self.admit = Knob(tr("i: let in"), 0, 1, 0.0)
        self.candidate = Knob(tr("g: what comes"), -1, 1, 1.0)
        self.output = Knob(tr("o: let out"), 0, 1, 1.0)
        self.steps: list[CellStep] = [CellStep(1.0, float(np.tanh(1.0)))]
        self.chart = StateChart()
        self.result = label("", "")
        self.result.setWordWrap(True)
        self.step = Button(tr("Step"), hint=tr("Compute the state after one more token"), icon_name="step")
        self.step.clicked.connect(self.do_step)
        self.many = Button(tr("Ten steps"), hint=tr("Compute the state after ten more tokens"))
        self.many.clicked.connect(self.do_ten)
        self.again = Button(hint=tr("Start again from c = 1"), icon_name="undo")
        self.again.clicked.connect(self.restart)
        for button in (self.again, self.step, self.many):
            self.add_control(button)
        inside, rows = wrapped()
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        for at, knob in enumerate((self.forget, self.admit, self.candidate, self.output)):
            knob.changed.connect(self._draw)
            grid.addWidget(knob, at // 2, at % 2)
        rows.addLayout(grid)
        rows.addWidget(self.chart, 1)
        rows.addWidget(self.result)
        self.set_content(inside)
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
        self.chart.show_steps(self.steps)
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
