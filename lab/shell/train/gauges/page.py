"""The page that Train shows instead of its charts: what happens in the layers of the selected run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from lab.runs.metrics.gauges import ACTIVATION_RMS, UPDATE_RATIO
from lab.shell.runtime.background import Background
from lab.shell.session.findings import KnownFindings
from lab.shell.session.runs.registry import RunRegistry
from lab.shell.train.gauges.findings_card import Apply, FindingsCard
from lab.shell.train.gauges.map_card import GaugeCard
from lab.shell.train.gauges.ridges_card import RidgesCard
from lab.shell.train.gauges.times_card import StepTimeCard
from lab.widgets.core.card import Card
from lab.widgets.core.controls import Button
from lab.widgets.core.drawing import Drawing
from lab.widgets.core.i18n import tr
from lab.widgets.core.splitter import Splitter

NARROWEST = 300
"""The smallest width of the times of a step in pixels, in which their names can be read."""


class GaugesPage(Splitter):
    """What the doctor found, two maps of gauges, and below them distributions and the time of a step.

    Args:
        registry: The runs.
        drawing: Schedules the drawing.
        background: Reads in threads.
        findings: The findings of the doctor.
        apply: Applies a remedy.
        parent: Its parent.

    Attributes:
        measure: The button that opens the gauges on demand.
    """

    closed = Signal()
    """The charts are to be shown again."""

    def __init__(
        self,
        registry: RunRegistry,
        drawing: Drawing,
        background: Background,
        findings: KnownFindings,
        apply: Apply,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self.findings = FindingsCard(registry, drawing, findings, apply)
        self.addWidget(self.findings)
        self.maps = (
            GaugeCard(registry, drawing, UPDATE_RATIO),
            GaugeCard(registry, drawing, ACTIVATION_RMS),
        )
        self.ridges = RidgesCard(registry, drawing, background)
        self.times = StepTimeCard(registry, drawing)
        close = Button(tr("charts"), hint=tr("Loss and other charts"))
        close.clicked.connect(self.closed)
        self.measure = Button(tr("measure…"), hint=tr("What is hard, agreement of gradients, sharpness, planes"))
        self.times.add_control(self.measure)
        self.maps[1].add_control(close)
        above = Splitter(Qt.Orientation.Horizontal, self)
        for card in self.maps:
            above.addWidget(card)
        below = Splitter(Qt.Orientation.Horizontal, self)
        below.addWidget(self.ridges)
        self.times.setMinimumWidth(NARROWEST)
        below.addWidget(self.times)
        above.setSizes([500, 500])
        below.setSizes([620, 380])
        self.setSizes([260, 380, 360])
        self._splitters = {"page": self, "above": above, "below": below}
        self._sizes: dict[str, Any] = {}  # to restore when it is shown first, as it has no size before
        self._was_shown = False

    def showEvent(self, event: QShowEvent) -> None:
        """Draw all cards at once, since the user waits for them."""
        super().showEvent(event)
        self._was_shown = True
        for name, sizes in self._sizes.items():
            splitter = self._splitters.get(name)
            if splitter is not None and isinstance(sizes, list) and all(type(size) is int for size in sizes):
                splitter.setSizes(sizes)
        self._sizes = {}
        for card in (self.findings, *self.maps, self.ridges, self.times):
            card.change_at_once()

    @property
    def cards(self) -> list[Card]:
        """The cards of this page."""
        return [self.findings, *self.maps, self.ridges, self.times]

    def state_dict(self) -> dict[str, Any]:
        """Return what its cards show, and their sizes."""
        sizes = {name: one.sizes() for name, one in self._splitters.items()} if self._was_shown else self._sizes
        return {"maps": [card.state_dict() for card in self.maps], "ridges": self.ridges.state_dict(), "sizes": sizes}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore what `state_dict` returned; other values are left out."""
        maps, ridges, sizes = (state.get(name) for name in ("maps", "ridges", "sizes"))
        self._sizes = dict(sizes) if isinstance(sizes, Mapping) else {}
        for card, stored in zip(self.maps, maps if isinstance(maps, list) else [], strict=False):
            card.load_state_dict(stored if isinstance(stored, Mapping) else {})
        self.ridges.load_state_dict(ridges if isinstance(ridges, Mapping) else {})
