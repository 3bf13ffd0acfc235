"""Base classes of cards about the shown runs, which are redrawn within the drawing budget when runs change."""

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
    """A card about the shown runs; `draw` reads new data and paints it.

    Args:
        title: Its title.
        registry: The runs.
        drawing: Schedules the drawing.
    """

    def __init__(self, title: str, registry: RunRegistry, drawing: Drawing) -> None:
        super().__init__(title)
        self._registry, self._drawing = registry, drawing
        registry.data_changed.connect(self._on_data)
        registry.selection_changed.connect(self.changed)
        themes.changed.connect(self.changed)

    def showEvent(self, event: QShowEvent) -> None:
        """Draw the data recorded while the card was hidden."""
        super().showEvent(event)
        self.changed()

    def changed(self) -> None:
        """Request a redraw."""
        self._drawing.changed(self)

    def draw(self) -> None:
        """Read new data and paint it."""
        raise NotImplementedError

    def _on_data(self, view: RunModel) -> None:
        if view.shown or view is self._registry.selected:
            self.changed()


class ChartCard(RunCard):
    """A chart of the shown runs.

    Args:
        title: Its title.
        registry: The runs.
        drawing: Schedules the drawing.
        crosshair: The crosshair, shared with the other charts of the place.

    Attributes:
        by: The quantity of its x axis.
    """

    def __init__(self, title: str, registry: RunRegistry, drawing: Drawing, crosshair: Crosshair) -> None:
        super().__init__(title, registry, drawing)
        self.by: Unit = "steps"
        self.chart = Chart(crosshair=crosshair)
        self.chart.set_position_format(self._position_label)

    def _position_label(self, x: float) -> str:
        """Return a position on the x axis in all units of the selected run, or of the last shown one."""
        view = self._registry.selected or next(reversed(self._registry.shown), None)
        return "" if view is None else position_label(view.curves, x, self.by)
