"""The card of routing in Inspect: the view of a router, and at its foot what a person can do to the experts."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any

import numpy as np
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from lab.host import Plugins
from lab.shell.inspect.balance_knob import BalanceKnob
from lab.shell.inspect.expert_switches import ExpertSwitches
from lab.shell.inspect.history import with_now
from lab.shell.inspect.inspection_view import InspectionView
from lab.shell.inspect.model import Key
from lab.shell.inspect.reading_card import ReadingCard
from lab.shell.runtime.background import Background
from lab.shell.session.model_provider import ModelProvider
from lab.shell.session.runs.model import RunModel
from lab.widgets.core.controls import follow_in_tab_order, tab_stops
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import INSIDE
from lab.widgets.readings.base import Line
from lab.widgets.readings.routing import Moments, RoutingView
from lab.workbench.access.inspection import Inspection
from lab.workbench.analysis.moments import Limits

WIDE = 560
"""Width of the card from which on the parts of its foot stand beside each other."""
LOW = 210
"""Height of the card from which on there is room for the knob."""
KNOB = 264
"""Pixels of the knob there."""
DROPPED = "auxiliary dropped"
"""The series of the share of assignments that a capacity drops in training, and how those of blocks begin."""


class RoutingCard(ReadingCard):
    """The routing of a model on the probe text.

    Args:
        key: Its title and axes.
        plugins: Where views and the settings of models are found.
        model_provider: Provides the model.
        background: Brings evaluations off the main thread.
    """

    def __init__(self, key: Key, plugins: Plugins, model_provider: ModelProvider, background: Background) -> None:
        super().__init__(key, plugins)
        self._model_provider = model_provider
        self._who: weakref.ref[object] | None = None
        self._run: RunModel | None = None
        self.balance = BalanceKnob(plugins)
        self.switches = ExpertSwitches(model_provider, background, self)
        self._reason = Line()
        self.foot = QWidget()
        self._grid = QGridLayout(self.foot)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(INSIDE)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(1, 1)
        self._wide: bool | None = None
        self._place_foot()
        layout = self.body.layout()
        assert layout is not None
        layout.addWidget(self.foot)
        if isinstance(self._view, RoutingView):
            self._view.switched.connect(self._switch)
        self.switches.changed.connect(self._mark)
        self.balance.came.connect(self._order_stops)
        self._mark()

    def show_inspection(
        self,
        shown: InspectionView,
        pinned: InspectionView | None,
        block: int | None,
        limits: Limits,
        snapshots: Sequence[Inspection] = (),
    ) -> None:
        """Shows its readings of one moment, those of a pinned one beside them, and the load over the training."""
        subject, view = self._model_provider.current("inspect")
        who: object = subject if view is None else view
        if self._who is None or self._who() is not who:
            self._who = weakref.ref(who)
            self.switches.forget()
        recipe = self._model_provider.draft.recipe if view is None else view.recipe
        self.balance.follow(view, recipe)
        self._reason.set_full_text(self.balance.reason)
        if [one.step for one in snapshots] != [one.step for one in self._snapshots]:
            self._compared = None  # a pinned moment is drawn anew, for its run has others now
        self._run, self._snapshots = view, snapshots
        super().show_inspection(shown, pinned, block, limits, snapshots)

    def _show_in(self, view: Any, shown: InspectionView, block: int | None, limits: Limits) -> None:
        """Show an inspection with the load over the training of its own run, and with what that one dropped."""
        if isinstance(view, RoutingView):
            if shown.of_other_run:
                view.set_snapshots(_moments(shown.snapshots, shown.inspection))
            else:
                view.set_snapshots(_moments(self._snapshots, shown.inspection if view is self._view else None))
            view.set_dropped(_dropped(None if shown.of_other_run else self._run, shown.inspection.step))
        super()._show_in(view, shown, block, limits)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fits its foot to the width."""
        super().resizeEvent(event)
        self._place_foot()

    def _place_foot(self) -> None:
        """Puts the words beside the knob, or below it where there is no width; without height there is no knob."""
        wide = self.width() >= WIDE
        self.balance.setVisible(self.balance.knob is not None and self.height() >= LOW)
        if wide == self._wide:
            return
        self._wide = wide
        told, buttons = self.switches.told, self.switches.buttons
        for part in (self.balance, buttons, told, self._reason):
            self._grid.removeWidget(part)
        if wide:
            self._grid.addWidget(self.balance, 0, 0, 2, 1)
            self._grid.addWidget(told, 0, 1)
            self._grid.addWidget(buttons, 0, 2)
            self._grid.addWidget(self._reason, 1, 1)
        else:
            self._grid.addWidget(self.balance, 0, 0, 1, 2)
            self._grid.addWidget(buttons, 0, 2)
            self._grid.addWidget(told, 1, 0, 1, 3)
            self._grid.addWidget(self._reason, 2, 0, 1, 3)
        self.balance.setMinimumWidth(KNOB if wide else 0)
        self.balance.setMaximumWidth(KNOB if wide else self.maximumWidth())
        self.switches.set_wide(wide)
        self._reason.setVisible(wide)  # else it is in the tool tip of the knob

    def _order_stops(self) -> None:
        """Has the tab key come to the knob, which is made late, before what stands behind it."""
        self._place_foot()
        follow_in_tab_order(tab_stops(self._faces)[-1], self.foot)

    def _switch(self, block: int | None, expert: int) -> None:
        reading = self._view.shown
        if reading is not None:
            self.switches.switch(block, expert, np.shape(reading.values)[reading.axes.index("expert")])

    def _mark(self) -> None:
        if isinstance(self._view, RoutingView):
            self._view.set_off(self.switches.off)


def _moments(snapshots: Sequence[Inspection], now: Inspection | None) -> Moments:
    """What was recorded over the training, and at the end what is seen now, where that came after it."""
    found = [(f"{look.step:,}", look.readings) for look in snapshots]
    if now is not None and len(with_now(snapshots, now)) > len(snapshots):
        found.append((tr("now"), now.readings))
    return found


def _dropped(view: RunModel | None, step: int) -> dict[str, float]:
    """The share that was dropped in training at a step, by block as a path ("blocks.0"), or by "" for all."""
    if view is None:
        return {}
    found = {}
    for name in (one for one in view.curves.names() if one.startswith(DROPPED)):
        steps, values = view.curves.steps(name), view.curves.values(name)
        place = int(np.searchsorted(steps, step, side="right")) - 1
        if place >= 0 and np.isfinite(values[place]):
            found[name.removeprefix(DROPPED).strip()] = float(values[place])
    return found
