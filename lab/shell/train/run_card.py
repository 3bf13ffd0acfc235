"""What cards of the shown runs share: they hear of news, wait for their turn to be drawn, and draw what they missed."""

from __future__ import annotations

from PySide6.QtGui import QShowEvent

from lab.runs.metrics.clocks import Unit
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.shell.session.scales import place_told
from lab.widgets.charts.chart import Chart
from lab.widgets.charts.crosshair import Crosshair
from lab.widgets.core.card import Card
from lab.widgets.core.drawing import Drawing
from lab.widgets.core.theme import themes


class RunCard(Card):
    """A view of the shown runs; `draw` takes over what is new and paints it.

    Args:
        title: Its title.
        book: The runs.
        drawing: When it is drawn.
    """

    def __init__(self, title: str, book: RunRegistry, drawing: Drawing) -> None:
        super().__init__(title)
        self._book, self._drawing = book, drawing
        book.grown.connect(self._grown)
        book.chosen.connect(self.changed)
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
        if view.shown or view is self._book.selected:
            self.changed()


class ChartCard(RunCard):
    """A chart of the shown runs.

    Args:
        title: Its title.
        book: The runs.
        drawing: When it is drawn.
        crosshair: Shared with the other charts of the place.

    Attributes:
        by: What its x axis is.
    """

    def __init__(self, title: str, book: RunRegistry, drawing: Drawing, crosshair: Crosshair) -> None:
        super().__init__(title, book, drawing)
        self.by: Unit = "steps"
        self.chart = Chart(crosshair=crosshair)
        self.chart.set_position_format(self._place)

    def _place(self, x: float) -> str:
        """A place on the x axis in all its units, as the selected run knows them, else the last that is drawn."""
        view = self._book.selected or next(reversed(self._book.shown), None)
        return "" if view is None else place_told(view.curves, x, self.by)
