"""The explorable of routing: points of the plane are sent to experts, which have room for only so many."""

from __future__ import annotations

import numpy as np

from lab.shell.examples.explorables.card import ExplorableCard
from lab.widgets.core.i18n import number_text, tr
from lab.widgets.explorables.bars import Bars
from lab.widgets.explorables.slider import LabelledSlider
from lab.widgets.formulas.explanation import Typeset
from lab.widgets.formulas.marks import SymbolMarks
from lab.widgets.planes.plane import Extent, PlaneMap
from lab.worked.explorables import routed
from lab.worked.expressions.values import Array

REACH = 2.0
"""The coordinate at the edges of the plane."""
GRID = 96
"""Cells of a side of the surface."""
POINTS = 36
"""Points at first."""
MOST = 200
"""Most points."""


class RoutingCard(ExplorableCard):
    """Points in the plane, routed to experts."""

    def __init__(self, typeset: Typeset | None = None, marks: SymbolMarks | None = None) -> None:
        super().__init__(
            tr("Routing of points to experts"),
            tr("Drag a point, click to add one, click with the right button to remove one. An expert that is full "
               "drops what comes later."),
            [r"p = \mathrm{softmax}(\beta\,W x)", r"y = \sum_{e \in \mathrm{top}\,k} p_e\,u_e(x)",
             r"\mathrm{loss} = E \sum_e f_e\,P_e"],
            typeset,
            marks,
        )  # fmt: skip
        whole = "{:.0f}".format
        self.experts = LabelledSlider(tr("E: experts"), 2, 8, 4, whole, whole=True, symbol="E")
        self.count = LabelledSlider(tr("k: experts of a point"), 1, 2, 1, whole, whole=True, symbol="k")
        self.sharpness = LabelledSlider(tr("β: sharpness"), 0.2, 8, 2.0, symbol="β")
        self.capacity = LabelledSlider(tr("capacity"), 0.5, 3, 1.25)
        self.turn = LabelledSlider(tr("W: turn of the router"), 0, 2 * np.pi, 0.4, symbol="W")
        random = np.random.default_rng(5)
        centres = np.array([[1.1, 0.5], [-0.2, 1.1], [-0.8, -0.9]])
        drawn = centres[random.integers(0, 3, POINTS)] + random.normal(0, 0.45, (POINTS, 2))
        self.points: Array = np.clip(drawn, -REACH, REACH)
        self.plane = PlaneMap(editable=True)
        self.plane.moved.connect(self._move)
        self.plane.added.connect(self._add)
        self.plane.removed.connect(self._remove)
        self.load = Bars(tr("Share of the points that each expert takes"), 240)
        sliders = [self.experts, self.count, self.sharpness, self.capacity, self.turn]
        for slider in sliders:
            slider.changed.connect(self._draw)
        self.add_sliders(sliders, columns=3)
        self.add_drawings(self.plane, self.load)
        self._draw()

    def _move(self, number: int, x: float, y: float) -> None:
        self.points[number] = np.clip([x, y], -REACH, REACH)
        self._draw()

    def _add(self, x: float, y: float) -> None:
        if len(self.points) < MOST:
            self.points = np.append(self.points, [[x, y]], axis=0)
            self._draw()

    def _remove(self, number: int) -> None:
        self.points = np.delete(self.points, number, axis=0)
        self._draw()

    def _draw(self, _: float = 0.0) -> None:
        e, k = round(self.experts.value), round(self.count.value)
        angles = self.turn.value + 2 * np.pi * np.arange(e) / e
        directions = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        sharpness, capacity = self.sharpness.value, self.capacity.value
        found = routed(self.points, directions, sharpness=sharpness, count=k, capacity=capacity)
        across = np.linspace(-REACH, REACH, GRID)
        grid = np.stack(np.meshgrid(across, -across), axis=-1).reshape(-1, 2)
        surface = routed(grid, directions, sharpness=sharpness, count=1, capacity=float(e)).probabilities
        shares = np.concatenate([surface.T, np.zeros((1, len(grid)))])  # the last kind: points that no expert took
        names = (*(tr("expert {n}", n=at + 1) for at in range(e)), tr("dropped"))
        self.plane.set_surface(shares.reshape(e + 1, GRID, GRID).astype(np.float32),
                               Extent(-REACH, REACH, -REACH, REACH), names)  # fmt: skip
        first = np.where(found.taken.any(axis=1), (found.probabilities * found.taken).argmax(axis=1), e)
        self.plane.set_points(self.points.astype(np.float32), first.astype(np.float32))
        self.load.show_bars([f"f{at + 1}" for at in range(e)], found.load, most=max(0.5, float(found.load.max())))
        self.result.setText(
            tr(
                "{n} points ask {k} of {e} experts each; {dropped} of {asked} places were full. Balance loss "
                "{balance}: 1 if all experts are asked equally, {e} if one is asked alone.",
                n=len(self.points), k=k, e=e, dropped=int(found.dropped.sum()), asked=k * len(self.points),
                balance=number_text(found.balance, ".3f"),
            )
        )  # fmt: skip
