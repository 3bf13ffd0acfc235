"""The pages in the middle of the window, of which only the shown one needs space, and which opens by itself."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, QSize, QTimer
from PySide6.QtWidgets import QStackedWidget

from lab.runs.records import BUNDLE
from lab.shell.session.session import Session
from lab.shell.window.restorer import Restorer

OF_RUNS = ("train", "inspect", "play", "compare")
"""The places that show runs, with the list of runs beside them."""
OF_SELECTED = ("train", "inspect", "play")
"""The places that show the selected run."""


class Pages(QStackedWidget):
    """Pages of which one is shown. Those that are not shown may be wider than the window."""

    def __init__(self) -> None:
        super().__init__()
        self.currentChanged.connect(self.updateGeometry)

    def minimumSizeHint(self) -> QSize:
        """Return the least size of the shown page with the margins, in which notices are shown."""
        if self.count() == 0:
            return super().minimumSizeHint()
        page = self.currentWidget()
        return page.minimumSizeHint().expandedTo(page.minimumSize()).grownBy(self.contentsMargins())


class Places(Protocol):
    """A window that shows places."""

    place: str

    def show_place(self, key: str) -> None:
        """Open a place."""

    def show_place_of_runs(self) -> None:
        """Open Train if the open place shows no run."""

    def show_text(self) -> None:
        """Show the corpus of the draft in Data."""


class PlaceFollower(QObject):
    """Opens the place that suits what happens: Train when a run gets selected, Home when there is none to show.

    Args:
        parent: Its parent.
        places: The window.
        session: The session.
        restorer: Selects the run of the last session, which opens no place.
        awaits_run: Whether the open place shows the run of the last session, which is not selected yet.
    """

    def __init__(
        self, parent: QObject, places: Places, session: Session, restorer: Restorer, *, awaits_run: bool
    ) -> None:
        super().__init__(parent)
        self._places, self._session, self._restorer = places, session, restorer
        self._awaits_run = awaits_run
        self._selected = session.selected  # the run that was selected last
        self._emptied = QTimer(self, singleShot=True, interval=0)
        self._emptied.timeout.connect(self._leave_empty_place)

    def follow(self) -> None:
        """Start to open places."""
        self._session.opener.opened.connect(self._show_opened)
        self._session.registry.selection_changed.connect(self._show_selected)
        self._session.registry.listed.connect(self._leave_place_of_missing_run)  # after the restorer has selected it

    def open(self, key: str) -> None:
        """Note that a place opens; another one than before does not await the run of the last session."""
        self._awaits_run &= key == self._places.place

    def _show_selected(self) -> None:
        """Open Train when a run gets selected in a place that shows no run, and Home when it is removed."""
        before, selected = self._selected, self._session.selected
        if selected is before:
            return
        self._selected = selected
        if selected is not None and not self._restorer.is_restoring:
            self._places.show_place_of_runs()
        is_refused = before is not None and before.active is not None and before.active.problem is not None
        if selected is None and not is_refused:  # after a refused start, the form shows why
            self._emptied.start()  # another run may be selected next

    def _leave_empty_place(self) -> None:
        """Open Home instead of a place of runs that has none to show."""
        if self._session.selected is None and self._places.place in OF_SELECTED:
            self._places.show_place("home")

    def _leave_place_of_missing_run(self) -> None:
        """Open Home instead of the place of the last session if the run that was selected there is gone."""
        if self._awaits_run and self._session.selected is None:
            self._places.show_place("home")
        self._awaits_run = False

    def _show_opened(self, path: Path) -> None:
        """Show what was opened from Home: a text in Data, a recipe in Train; a run is shown once it is selected."""
        if self._places.place == "home" and path.suffix.lower() != BUNDLE:
            is_text = path.suffix.lower() != ".toml" and not (path / "run.json").is_file()
            if is_text:
                self._places.show_text()
            else:
                self._places.show_place("train")
