"""The card with the gallery of the shipped recipes, by topic."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from lab.shell.home.model import HomeModel
from lab.shell.home.tile import RecipeTile
from lab.shell.session.runs.durations import Durations
from lab.widgets.core.card import Card, VerticalScroll
from lab.widgets.core.controls import MenuButton, MenuChoices, label
from lab.widgets.core.i18n import time_text, tr, tr_registered
from lab.widgets.core.theme import BETWEEN

WIDTH = 236
"""The smallest width of a tile in pixels, unless the card is narrower."""


class RecipesCard(Card):
    """The gallery of the shipped recipes.

    Args:
        model: The state of Home.
        durations: The durations of the recipes.
    """

    recipe_clicked = Signal(str)
    """The name of a recipe."""

    def __init__(self, model: HomeModel, durations: Durations) -> None:
        super().__init__(tr("Experiments"))
        self._model, self._durations = model, durations
        topics = [("", tr("all topics")), *((key, tr_registered(title)) for key, title in model.gallery.topics.items())]
        self.topics = MenuButton(tr("Topic"), topics, self._choose)
        self.choices = MenuChoices(topic=self.topics)
        self.add_control(self.topics)
        colours = {topic: number for number, topic in enumerate(model.gallery.topics)}
        self._tiles: list[RecipeTile] = []
        inside = QWidget()
        self._grid = QGridLayout(inside)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(BETWEEN)
        for entry in model.gallery.entries:
            recording = model.gallery.recordings.get(entry.name)
            curve = () if recording is None else recording.train
            tile = RecipeTile(
                entry.name, tr_registered(entry.title), tr_registered(entry.shows), curve, colours[entry.topic]
            )
            tile.clicked.connect(self._open)
            self._tiles.append(tile)
        self._headings = {topic: label(tr_registered(title), "strong") for topic, title in model.gallery.topics.items()}
        self._columns = 0
        self._area = VerticalScroll(inside)
        self._area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.set_content(self._area)
        self._area.viewport().installEventFilter(self)
        self._arrange(3)

    @property
    def headings(self) -> list[str]:
        """The headings that are shown."""
        return [heading.text() for heading in self._headings.values() if not heading.isHidden()]

    @property
    def tiles(self) -> list[RecipeTile]:
        """The tiles that are shown."""
        return [tile for tile in self._tiles if not tile.isHidden()]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrange the tiles in as many columns as fit when the space for them changes."""
        if event.type() == QEvent.Type.Resize and watched is self._area.viewport():
            columns = max(1, (self._area.viewport().width() + BETWEEN) // (WIDTH + BETWEEN))
            if columns != self._columns:
                self._arrange(columns)
        return super().eventFilter(watched, event)

    def show_durations(self) -> None:
        """Show how long each recipe takes on this machine."""
        for tile in self._tiles:
            found = self._durations.seconds(tile.name)
            tile.show_duration("" if found is None else time_text(found[0], measured=found[1]))

    def _choose(self, topic: str) -> None:
        self._model.topic = topic
        self._arrange(self._columns)
        self._area.verticalScrollBar().setValue(0)

    def _arrange(self, columns: int) -> None:
        """Put the tiles of the topic into a grid, or those of all topics below a heading each."""
        for column in range(max(columns, self._columns)):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)
        for row in range(self._grid.rowCount()):
            self._grid.setRowStretch(row, 0)
        self._columns = columns
        for widget in (*self._headings.values(), *self._tiles):
            self._grid.removeWidget(widget)
        shown, row = {entry.name for entry in self._model.entries}, 0
        for topic, heading in self._headings.items():
            names = {entry.name for entry in self._model.entries if entry.topic == topic}
            tiles = [tile for tile in self._tiles if tile.name in names]
            is_headed = not self._model.topic
            if is_headed:
                self._grid.addWidget(heading, row, 0, 1, columns)
                row += 1
            heading.setVisible(is_headed)
            for number, tile in enumerate(tiles):
                self._grid.addWidget(tile, row + number // columns, number % columns)
            row += -(-len(tiles) // columns)
        for tile in self._tiles:
            tile.setVisible(tile.name in shown)
        self._grid.setRowStretch(row, 1)

    def _open(self) -> None:
        tile = self.sender()
        if isinstance(tile, RecipeTile):
            self.recipe_clicked.emit(tile.name)
