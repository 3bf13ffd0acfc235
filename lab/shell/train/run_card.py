"""What cards of the shown runs share: they hear of news, wait for their turn to be drawn, and draw what they missed."""

from __future__ import annotations

from PySide6.QtGui import QShowEvent

from lab.runs.metrics.clocks import Unit
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.shell.session.scales import position_label
from lab.widgets.charts.chart import Chart
from lab.widgets.charts.crosshair import Crosshair
from lab.widgets.core.card import Card
from lab.widgets.core.drawing import Drawing
from lab.widgets.core.theme import themes


class RunCard(Card):
    """A view of the shown runs; `draw` takes over what is new and paints it.

    Args:
        title: Its title.
        registry: The runs.
        drawing: When it is drawn.
    """

    def __init__(self, title: str, registry: RunRegistry, drawing: Drawing) -> None:
        super().__init__(title)
        self._registry, self._drawing = registry, drawing
        registry.data_changed.connect(self._grown)
        registry.selection_changed.connect(self.changed)
        themes.changed.connect(self.changed)

    def showEvent(self, event: QShowEvent) -> None:
        """Draws what it missed."""
        super().showEvent(event)
        self.changed()

    def changed(self) -> None:
        """Something else is to be drawn."""
        self._drawing.changed(self)

    def draw(self) -> None:
        """Takes over what is new and paints it."""
        raise NotImplementedError

    def _grown(self, view: RunModel) -> None:
        if view.shown or view is self._registry.selected:
            self.changed()


class ChartCard(RunCard):
    """A chart of the shown runs.

    Args:
        title: Its title.
        registry: The runs.
        drawing: When it is drawn.
        crosshair: Shared with the other charts of the place.

    Attributes:
        by: What its x axis is.
    """

    def __init__(self, title: str, registry: RunRegistry, drawing: Drawing, crosshair: Crosshair) -> None:
        super().__init__(title, registry, drawing)
        self.by: Unit = "steps"
        self.chart = Chart(crosshair=crosshair)
        self.chart.set_position_format(self._place)

    def _place(self, x: float) -> str:
        """A place on the x axis in all its units, as the selected run knows them, else the last that is drawn."""
        view = self._registry.selected or next(reversed(self._registry.shown), None)
        return "" if view is None else position_label(view.curves, x, self.by)
