"""Runs as points: their loss against a quantity, with the front of those that no other run beats."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import INSIDE, Theme
from lab.widgets.figures.export import Export
from lab.widgets.figures.points import PointsFigure
from lab.widgets.maps.colours import Numbers, figure
from lab.widgets.maps.map import SLIDE
from lab.widgets.maps.points import Points


class RunScatter(Points):
    """Runs as points; the line connects the Pareto front."""

    def __init__(self) -> None:
        super().__init__()
        self._front: list[int] = []
        self._is_log = False
        self.setAccessibleName(tr("Runs as points"))

    def show_runs(
        self, points: Numbers, names: Sequence[str], x_name: str, y_name: str, front: Sequence[int], *, log: bool
    ) -> None:
        """Show runs.

        Args:
            points: (N, 2) a quantity and the loss of each run.
            names: Their names.
            x_name: Name of the quantity.
            y_name: Name of the loss.
            front: The indices of the runs on the Pareto front, by ascending quantity.
            log: True to draw the quantity by its decimal logarithm.
        """
        self._front, self._is_log = list(front), log
        drawn = np.array(points, float).reshape(-1, 2)
        if log:
            with np.errstate(all="ignore"):
                drawn[:, 0] = np.log10(drawn[:, 0])
        self.set_points(drawn, names, tr("{quantity}, log₁₀", quantity=x_name) if log else x_name, y_name)
        self.note_change()

    def text_at(self, number: int) -> str:
        """Return the text of a point: its run and its coordinates."""
        x, y = self._points[number].tolist()
        return f"{self._labels[number]} · {figure(10**x if self._is_log else x)}, {figure(y)}"

    def export(self, title: str) -> Export | None:
        """Return an export of the points with a title; None if there are none."""
        if not self._known():
            return None
        copy = RunScatter()
        copy._front, copy._is_log = self._front, self._is_log
        copy.set_points(self._points, self._labels, *self._names)
        copy.resize(self.size().expandedTo(SLIDE))
        labels = [""] * len(self._points)
        drawn = PointsFigure(title, *self._names, "", labels, self._points, classes=[])
        return Export(drawn, copy.size(), copy._paint, INSIDE)

    def _draw_path(self, painter: QPainter, positions: dict[int, QPointF], theme: Theme) -> None:
        """Connect the points of the front."""
        painter.setPen(QPen(QColor(theme.accent), 1))
        painter.drawPolyline(QPolygonF([positions[number] for number in self._front if number in positions]))

    def _draw_bar(self, painter: QPainter, room: QRectF, theme: Theme) -> None:
        """Draw no colour bar: the points have no order."""
