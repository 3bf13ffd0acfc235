"""The docks of the window: runs on the left, the panel of the place on the right, and the log at the bottom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QMainWindow, QStackedWidget, QWidget

from lab.shell.runs.panel import RunsSide
from lab.shell.window.log_view import LogView
from lab.widgets.core.controls import Button
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import BETWEEN, CONTROL, control_height, themes

WIDE = 1500
"""Width of the window in pixels from which on the runs are shown as a list, and three cards below the chart."""
SIDE = 0.345
"""The largest share of the width for the side panel, whose width follows the size of the type."""

GAP = 4
"""Pixels between the button that folds the panel and the panel."""


class Docks:
    """The docks.

    Args:
        window: The window.
        runs_side: The list of runs.
        panels: The panels of the places.
        names: The names of the panels in their order, by which the folded ones are stored.
        log: The log.
    """

    def __init__(
        self, window: QMainWindow, runs_side: RunsSide, panels: QStackedWidget, names: Sequence[str], log: LogView
    ) -> None:
        self._window, self._runs_side, self._panels, self._names = window, runs_side, panels, tuple(names)
        self._crowded = themes.crowded
        self._opened: dict[str, bool] = {}  # by the user, by the name of the panel
        self._toggle = Button("")
        self._toggle.clicked.connect(self.toggle_panel)
        panels.setContentsMargins(0, 0, BETWEEN, 0)
        self._content, self._log_view = QWidget(), log

    def make(self) -> Iterator[None]:
        """Make the docks piece by piece, from the outside to the inside."""
        self.runs = self._add(tr("Runs"), "runs", self._runs_side, Qt.DockWidgetArea.LeftDockWidgetArea)
        yield
        self.side = self._add(tr("Settings"), "side", self._content, Qt.DockWidgetArea.RightDockWidgetArea)
        yield
        row = QHBoxLayout(self._content)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GAP)
        row.addWidget(self._toggle, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._panels)
        row.addStretch()
        yield
        self.log = self._add(tr("Log"), "log", self._log_view, Qt.DockWidgetArea.BottomDockWidgetArea)
        self._log_view.border.moved.connect(self._move_log)
        self._window.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.LeftDockWidgetArea)
        self._window.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)
        yield

    def _add(self, title: str, name: str, content: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(title, self._window)
        dock.setObjectName(name)
        dock.setTitleBarWidget(QWidget(dock))  # cards have titles of their own
        dock.setFeatures(QDockWidget.DockWidgetFeature.NoDockWidgetFeatures)
        dock.hide()  # until a place is opened
        self._window.addDockWidget(area, dock)
        dock.setWidget(content)
        return dock

    def _move_log(self, up: int) -> None:
        """Make the log higher by pixels, or lower by negative ones."""
        self._window.resizeDocks([self.log], [self.log.height() + up], Qt.Orientation.Vertical)

    def state_dict(self) -> dict[str, Any]:
        """Return which panels the user opened or folded, and whether the window was crowded then."""
        self._follow_mode()
        return {"crowded": self._crowded, "opened": dict(self._opened)}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore what `state_dict` returned, if the mode is the same; unknown panels are left out."""
        opened = state.get("opened")
        if state.get("crowded") is self._crowded and isinstance(opened, Mapping):
            self._opened = {name: is_open is True for name, is_open in opened.items() if name in self._names}

    def show_around(self, panel: QWidget | None, *, runs: bool) -> None:
        """Show what belongs to a place: its panel, None for no panel, and the list of runs."""
        self._runs_side.fold()
        if panel is not None:
            self._panels.setCurrentWidget(panel)
            self._fold_panel()
        self.side.setVisible(panel is not None)
        self.runs.setVisible(runs)

    def fit_width(self) -> bool:
        """Arrange runs and panel for the width of the window and the size of the type. Return True if it is wide."""
        scale, width = max(1.0, themes.scale), self._window.width()  # small type does not need less
        wide = width >= scale * WIDE
        self._runs_side.set_wide(wide)
        self._runs_side.setFixedWidth(round(scale * 250) if wide else self._runs_side.narrow_width)
        side = scale * (300 if wide else 272)
        self._panels.setFixedWidth(BETWEEN + round(min(side, max(SIDE * width, 272))))
        self._fold_panel()
        return wide

    @property
    def shows_panel(self) -> bool:
        """True unless the panel of the open place is folded; in a crowded window it is folded at first."""
        return self._opened.get(self._name, not self._crowded)

    @property
    def _name(self) -> str:
        """The name of the panel of the open place."""
        return self._names[self._panels.currentIndex()]

    def toggle_panel(self) -> None:
        """Fold the panel of the open place away, or show it again."""
        self._opened[self._name] = not self.shows_panel
        self._fold_panel()

    def open_panel(self) -> None:
        """Show the panel of the open place, as something in it is needed."""
        if not self.shows_panel:
            self.toggle_panel()

    def _fold_panel(self) -> None:
        """Show or hide the panel; a button beside it changes that in a crowded window and while it is folded."""
        self._follow_mode()
        shown = self.shows_panel
        self._toggle.set_face("", *(("right", tr("Fold the panel")) if shown else ("left", tr("Show the panel"))))
        has_button = self._crowded or not shown
        self._toggle.setVisible(has_button)
        self._toggle.setFixedSize(control_height(CONTROL), control_height(CONTROL))
        self._panels.setVisible(shown)
        button = (self._toggle.width() + GAP) * has_button
        self._content.setFixedWidth(button + (self._panels.minimumWidth() if shown else BETWEEN))

    def _follow_mode(self) -> None:
        """Show or fold all panels again by themselves once the mode has changed."""
        if self._crowded != themes.crowded:
            self._crowded = themes.crowded
            self._opened.clear()
