"""The card of the recent runs: continue the last one, or open another one."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from lab.shell.home.tile import RecentRow, RunTile
from lab.widgets.core.card import Card, VerticalScroll
from lab.widgets.core.controls import Button, ElidedButton
from lab.widgets.core.i18n import tr, tr_n

SHOWN = 8
"""Most runs in the card."""


class RecentRuns(Card):
    """The card of the recent runs."""

    run_clicked = Signal(str)
    """The key of a run that is to be opened."""
    continued = Signal(str)
    """The key of the run that the button names, which is to be continued."""
    all_clicked = Signal()
    """All runs are to be shown."""
    open_clicked = Signal()
    """A run is to be opened from a file or a folder."""

    def __init__(self) -> None:
        super().__init__(tr("Recent runs"))
        self._all = Button(tr("All"), hint=tr("Show all runs in Train"))
        self._all.clicked.connect(self.all_clicked)
        self.add_control(self._all)
        self.resume = ElidedButton(role="", icon_name="start")
        self.resume.clicked.connect(self._continue)
        self._named = ""  # the key of the run that the button names
        self._tiles: list[RunTile] = []
        inside = QWidget()
        self._rows = QVBoxLayout(inside)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(0)
        self._rows.addStretch()
        area = VerticalScroll(inside)
        content = QWidget()
        rows = QVBoxLayout(content)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(6)
        rows.addWidget(self.resume)
        rows.addWidget(area, 1)
        self.set_content(content, margin=8)
        self.show_reading()

    def show_reading(self) -> None:
        """Show that the list of runs is being read."""
        self._all.hide()
        self.show_empty(tr("The list of runs is being read."))

    def show_runs(self, rows: Sequence[RecentRow], count: int, resume: str, named: str) -> None:
        """Show runs.

        Args:
            rows: The newest runs.
            count: The number of all runs.
            resume: The label of the button that continues a run.
            named: The key of that run.
        """
        self._all.setVisible(count > 0)
        self._all.setText(tr_n("1 run", "All {n} runs", count))
        if not rows:
            self.show_empty(
                tr("Every run you start is listed here with its curve. It can be opened and continued at any time."),
                tr("Open a run…"),
                self.open_clicked.emit,
            )
            return
        self.show_content()
        self._named = named
        self.resume.set_full_text(resume)
        while len(self._tiles) < len(rows):
            tile = RunTile()
            tile.clicked.connect(self._open)
            self._rows.insertWidget(len(self._tiles), tile)
            self._tiles.append(tile)
        for number, tile in enumerate(self._tiles):
            tile.setVisible(number < len(rows))
            if number < len(rows):
                tile.show_row(rows[number])

    @property
    def tiles(self) -> list[RunTile]:
        """The rows that are shown."""
        return [tile for tile in self._tiles if not tile.isHidden()]

    def _continue(self) -> None:
        self.continued.emit(self._named)

    def _open(self) -> None:
        tile = self.sender()
        if isinstance(tile, RunTile) and tile.row is not None:
            self.run_clicked.emit(tile.row.key)
