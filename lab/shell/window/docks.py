"""The docks of the window: runs on the left, the panel of the place on the right, and the log at the bottom."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QStackedWidget, QWidget

from lab.shell.runs.panel import RunsSide
from lab.shell.window.log_view import LogView
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import BETWEEN, themes

WIDE = 1500
"""Width of the window in pixels from which on the runs are shown as a list, and three cards below the chart."""
SIDE = 0.345
"""The largest share of the width for the side panel, whose width follows the size of the type."""


class Docks:
    """The docks.

    Args:
        window: The window.
        runs_side: The list of runs.
        panels: The panels of the places.
        log: The log.
    """

    def __init__(self, window: QMainWindow, runs_side: RunsSide, panels: QStackedWidget, log: LogView) -> None:
        self._window, self._runs_side, self._panels = window, runs_side, panels
        panels.setContentsMargins(0, 0, BETWEEN, 0)
        self.runs = self._add(tr("Runs"), "runs", runs_side, Qt.DockWidgetArea.LeftDockWidgetArea)
        self.side = self._add(tr("Settings"), "side", panels, Qt.DockWidgetArea.RightDockWidgetArea)
        self.log = self._add(tr("Log"), "log", log, Qt.DockWidgetArea.BottomDockWidgetArea)
        window.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.LeftDockWidgetArea)
        window.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)

    def _add(self, title: str, name: str, content: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(title, self._window)
        dock.setObjectName(name)
        dock.setTitleBarWidget(QWidget(dock))  # cards have titles of their own
        dock.setFeatures(QDockWidget.DockWidgetFeature.NoDockWidgetFeatures)
        dock.setWidget(content)
        dock.hide()  # until a place is opened
        self._window.addDockWidget(area, dock)
        return dock

    def show_panel(self, panel: QWidget | None) -> None:
        """Show the panel of a place with the list of runs beside it; None hides both."""
        self._runs_side.fold()
        if panel is not None:
            self._panels.setCurrentWidget(panel)
        self.side.setVisible(panel is not None)
        self.runs.setVisible(panel is not None)

    def fit_width(self) -> bool:
        """Arrange runs and panel for the width of the window and the size of the type. Return True if it is wide."""
        scale, width = max(1.0, themes.scale), self._window.width()  # small type does not need less
        wide = width >= scale * WIDE
        self._runs_side.set_wide(wide)
        self._runs_side.setFixedWidth(round(scale * 250) if wide else 60)
        side = scale * (300 if wide else 272)
        self._panels.setFixedWidth(BETWEEN + round(min(side, max(SIDE * width, 272))))
        return wide
