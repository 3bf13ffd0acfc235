"""Base classes of cards about the shown runs, which are redrawn within the drawing budget when runs change."""

from __future__ import annotations

from PySide6.QtGui import QShowEvent

from lab.runs.metrics.clocks import Unit
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.shell.session.scales import other_units_label, position_label
from lab.widgets.charts.chart import Chart
from lab.widgets.charts.crosshair import Crosshair
from lab.widgets.core.card import Card
from lab.widgets.core.drawing import Drawing
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import themes


class RunCard(Card):
    """A card about the shown runs; `draw` reads new data and paints it.

    Args:
        title: Its title.
        registry: The runs.
        drawing: Schedules the drawing.
    """

    shows_selected_only = False
    """True if other shown runs are not seen in it."""

    def __init__(self, title: str, registry: RunRegistry, drawing: Drawing) -> None:
        super().__init__(title)
        self._registry, self._drawing = registry, drawing
        self._shows_reading = False
        registry.data_changed.connect(self._on_data)
        registry.selection_changed.connect(self._on_selection)
        themes.changed.connect(self.changed)

    def showEvent(self, event: QShowEvent) -> None:
        """Draw the data recorded while the card was hidden."""
        super().showEvent(event)
        self.changed()

    def changed(self) -> None:
        """Request a redraw."""
        self._drawing.changed(self)

    def change_at_once(self) -> None:
        """Request a redraw for which the user waits."""
        self._drawing.changed(self, at_once=True)

    def draw(self) -> None:
        """Read new data and paint it."""
        raise NotImplementedError

    def _on_selection(self) -> None:
        """Request a redraw; content of the run that was selected before is not shown while another one is read."""
        run = self._registry.selected
        others = () if self.shows_selected_only else self._registry.shown
        is_alone = not any(other.curves.names() for other in others if other is not run)
        if run is not None and is_alone and self._registry.is_reading(run):
            self.show_reading(run)
        self.change_at_once()

    def show_reading(self, run: RunModel) -> None:
        """Show that a run is being read; what was read is drawn at once."""
        self._shows_reading = True
        self.set_title(self.title)
        self.show_empty(tr("{run} is being read.", run=run.name))

    def _on_data(self, run: RunModel) -> None:
        if not run.shown and run is not self._registry.selected:
            return
        if self._shows_reading and not self._registry.is_reading(run):
            self._shows_reading = False
            self.change_at_once()
        else:
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
        crosshair: The crosshair.
    """

    def __init__(self, title: str, registry: RunRegistry, drawing: Drawing, crosshair: Crosshair) -> None:
        super().__init__(title, registry, drawing)
        self.by: Unit = "steps"
        self.crosshair = crosshair
        self.chart = Chart(crosshair=crosshair)
        self.chart.set_position_format(self._position_label)
        self.chart.set_row_format(self._row_label)

    def _position_label(self, x: float) -> str:
        """Return a position on the x axis, in all units if one run is drawn; those of several differ."""
        drawn = self._drawn
        return position_label(drawn[0].curves if len(drawn) == 1 else None, x, self.by)

    def _row_label(self, key: str, x: float) -> str:
        """Return a position in the other units of the run of a line; "" if one run is drawn."""
        drawn = self._drawn
        run = next((run for run in drawn if key.startswith(f"{run.key}/")), None)
        return "" if run is None or len(drawn) == 1 else other_units_label(run.curves, x, self.by)

    @property
    def _drawn(self) -> list[RunModel]:
        return [run for run in self._registry.shown if run.curves.names()]
