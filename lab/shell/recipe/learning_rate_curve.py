"""A small drawing of the learning rate over the steps of a run."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy

from lab.base.charts.ticks import format_ticks, value_ticks
from lab.base.charts.transform import Frame
from lab.base.problems import LabError
from lab.shell.session.draft import Draft
from lab.widgets.core.i18n import localized, tr, tr_n
from lab.widgets.core.theme import INSIDE, interface_font, themes
from lab.widgets.figures.chart import Axis, ChartFigure, FigureLine
from lab.widgets.figures.export import Export
from lab.widgets.figures.view import FigureView
from lab.widgets.forms.values import number

POINTS = 120
"""Most steps at which the schedule is asked for its factor."""
HEIGHT, TEXT = 64, 16
"""Heights in pixels: of the drawing, and of the line of text below the curve."""


class LearningRateCurve(FigureView):
    """The curve, with the largest learning rate and the number of steps in words below it."""

    def __init__(self) -> None:
        super().__init__()
        self.caption = tr("Learning rate")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFixedHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.rates: list[float] = []
        self._steps = 0

    def show_rates(self, rates: Sequence[float], steps: int) -> None:
        """Show the learning rates of evenly spaced steps, from the first to the last of `steps`."""
        self.rates, self._steps = list(rates), steps
        description = self._describe()
        self.setAccessibleName(description)
        self.setToolTip(description)
        self.setVisible(bool(rates))
        self.note_change()
        self.update()

    def export(self, title: str) -> Export | None:
        """Return an export of the curve with a title; None if there is none."""
        if not self.rates:
            return None
        steps = np.array(steps_at(len(self.rates), self._steps)) + 1
        name = tr("learning rate")
        line = FigureLine(name, "", themes.now.accent, 1.5, (), np.column_stack([steps, self.rates]))
        x, y = _axis(tr("step"), 1.0, max(2.0, self._steps)), _axis(name, 0.0, max(self.rates) or 1.0)
        return Export(ChartFigure(title, x, y, [line]), self.size(), self._paint, INSIDE)

    def _describe(self) -> str:
        if not self.rates:
            return ""
        first, most, last = (
            localized(number(float(f"{rate:.3g}"))) for rate in (self.rates[0], max(self.rates), self.rates[-1])
        )
        steps = tr_n("1 step", "{n} steps", self._steps)
        ends = tr("{first} at first, {last} at last", first=first, last=last)
        return tr("Learning rate over {steps}: {ends}, {most} at most", steps=steps, ends=ends, most=most)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the curve above a line of text, and the focus."""
        del event
        with QPainter(self) as painter:
            self._paint(painter)
            if self.hasFocus():
                painter.setPen(QPen(QColor(themes.now.accent), 1))
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)

    def _paint(self, painter: QPainter) -> None:
        if not self.rates:
            return
        theme, most = themes.now, max(self.rates) or 1.0
        area = QRectF(0, 4, self.width() - 8, HEIGHT - TEXT - 8)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme.line), 1))
        painter.drawLine(area.bottomLeft(), area.bottomRight())
        last = max(1, len(self.rates) - 1)
        frame = Frame(0, last, 0, most, area.left(), area.top() + 2, area.width(), area.height() - 2)
        points = [QPointF(frame.across(index), frame.down(rate)) for index, rate in enumerate(self.rates)]
        painter.setPen(QPen(QColor(theme.accent), 1.5))
        painter.drawPolyline(QPolygonF(points))
        painter.setPen(QColor(theme.dim))
        painter.setFont(interface_font("note"))
        below = QRectF(0, HEIGHT - TEXT - 2, self.width() - 8, TEXT)
        painter.drawText(
            below, Qt.AlignmentFlag.AlignLeft, tr("peak {rate}", rate=localized(number(float(f"{most:.3g}"))))
        )
        painter.drawText(below, Qt.AlignmentFlag.AlignRight, tr_n("1 step", "{n} steps", self._steps))


def _axis(name: str, low: float, high: float) -> Axis:
    """Return an axis with its ticks."""
    values = [value for value in value_ticks(low, high) if low <= value <= high]
    labels = [localized(text) for text in format_ticks(values)]
    return Axis(name, low, high, False, list(zip(values, labels, strict=True)))


def steps_at(count: int, steps: int) -> list[int]:
    """Return evenly spaced steps, from 0, with the first and the last one of a run.

    Args:
        count: How many.
        steps: The steps of the run.
    """
    return [round(index * (steps - 1) / max(1, count - 1)) for index in range(count)]


def learning_rates(draft: Draft) -> tuple[list[float], int]:
    """Return the learning rate at evenly spaced steps of a run of the draft, and how many steps the run has.

    The first and the last step are included. Without a rate or steps the result is ([], 0).
    """
    try:
        schedule, optimizer = draft.card("training.schedule"), draft.card("training.optimizer")
        steps, rate = draft.recipe.training.steps, float(optimizer.config.learning_rate)
        factor, count = schedule.make(max(1, steps)), min(POINTS, steps)
        return [rate * float(factor(step)) for step in steps_at(count, steps)], steps
    except (LabError, AttributeError, TypeError, ValueError):  # a plugin's code; a start reports it
        return [], 0
