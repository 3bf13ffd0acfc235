"""The main window: toolbar, places, docks and panels over them, its size and its closing."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QDockWidget,
    QMainWindow,
    QSplitter,
    QStackedWidget,
    QToolBar,
    QWidget,
)

from lab.base.notices import Notice
from lab.base.problems import Problem
from lab.shell.actions.palette import CommandPalette
from lab.shell.actions.registry import Actions
from lab.shell.actions.shortcuts_page import ShortcutsPage
from lab.shell.corpus.page import TextPage
from lab.shell.help.page import HelpPage
from lab.shell.inspect.place import InspectPlace
from lab.shell.play.panel import PlayPanel
from lab.shell.play.place import PlayPlace
from lab.shell.recipe.panel import DraftPanel
from lab.shell.runs.controller import RunsController
from lab.shell.runtime.export_files import ExportFiles
from lab.shell.runtime.watchdog import Watchdog
from lab.shell.runtime.window_state import SMALLEST, WindowState
from lab.shell.session.session import Session
from lab.shell.train.place import TrainPlace
from lab.shell.window.commands import register_commands
from lab.shell.window.files import Files
from lab.shell.window.log_view import LogView
from lab.shell.window.notices_view import Toasts
from lab.shell.window.palette_entries import PaletteEntries
from lab.shell.window.shutdown import Shutdown
from lab.shell.window.status_line import StatusLine
from lab.shell.window.top_bar import TopBar
from lab.widgets.core.card import Card
from lab.widgets.core.controls import follow_in_tab_order
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import BETWEEN, Mode, themes
from lab.workbench.settings_pages import settings_pages

WIDE = 1500
"""Pixels of width from which on runs are a list and three cards stand under the chart."""
PLACES = (("train", "Train"), ("inspect", "Inspect"), ("play", "Play"))
LATE = 300
"""Milliseconds after which figures that are still computed are shown so."""
PAINTED = 50
"""Milliseconds in which the window is painted for the first time."""
REFRESH = 500
"""Milliseconds between two refreshments of numbers and buttons."""


class Window(QMainWindow):
    """The window of a session.

    Args:
        session: What it works on.
        memory: What it looked like the last time.
    """

    closed = Signal()

    def __init__(self, session: Session, memory: WindowState) -> None:
        super().__init__()
        self.session, self._memory = session, memory
        self.setWindowTitle(tr("LM Lab"))
        self.setMinimumSize(SMALLEST)
        self.setAcceptDrops(True)
        self.setDockNestingEnabled(False)
        self._begun = False
        self._devices: list[str] = []
        self.is_remembered = True
        self.watchdog = Watchdog(session.plugins, self)
        self._make_places()
        self._make_docks()
        self._make_overlays()
        self._make_bars()
        self._connect()
        self._order_tabs()
        memory.restore(self)
        for name, splitter in self.splitters.items():
            sizes = memory.splitter(name)
            if sizes is not None:
                splitter.setSizes(sizes)
        self.show_place(memory.place if memory.place in dict(PLACES) else "train")
        self._refresh()

    # ------------------------------------------------------------------------------------------------------- its parts

    def _make_places(self) -> None:
        session = self.session
        self.play_panel = PlayPanel(session.plugins)
        self.inspect = InspectPlace(session.registry, session.model_provider, session.background, session.plugins)
        self.train = TrainPlace(session.registry, session.drawing, self.start_new, self.inspect.snapshots)
        self.play = PlayPlace(session.registry, session.model_provider, session.background, self.play_panel)
        self.draft_panel = DraftPanel(session.draft, session.plugins, self.start_new)
        self._centre, self._side = QStackedWidget(), QStackedWidget()
        for place, panel in (
            (self.train, self.draft_panel),
            (self.inspect, self.inspect.panel),
            (self.play, self.play_panel),
        ):
            self._centre.addWidget(place)
            self._side.addWidget(panel)
        self._centre.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # where no button takes the space bar
        self.setCentralWidget(self._centre)
        self.place = ""

    def _make_docks(self) -> None:
        self.desk = RunsController(self, self.session, self.start_new)
        self.runs, self.runs_side = self.desk.panel, self.desk.side
        self.log = LogView()
        self._side.setContentsMargins(0, 0, BETWEEN, 0)
        self.docks = {
            "runs": self._dock(tr("Runs"), "runs", self.runs_side, Qt.DockWidgetArea.LeftDockWidgetArea),
            "side": self._dock(tr("Settings"), "side", self._side, Qt.DockWidgetArea.RightDockWidgetArea),
            "log": self._dock(tr("Log"), "log", self.log, Qt.DockWidgetArea.BottomDockWidgetArea),
        }
        self.docks["log"].hide()
        for corner, area in (
            (Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.LeftDockWidgetArea),
            (Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea),
        ):
            self.setCorner(corner, area)

    def _dock(self, title: str, name: str, content: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(title, self)
        dock.setObjectName(name)
        dock.setTitleBarWidget(QWidget(dock))  # cards have titles of their own
        dock.setFeatures(QDockWidget.DockWidgetFeature.NoDockWidgetFeatures)
        dock.setWidget(content)
        self.addDockWidget(area, dock)
        return dock

    def _make_overlays(self) -> None:
        self.actions_ = Actions(self)
        self.toasts = Toasts(self, self.draft_panel.has_field, self.docks["side"])
        self.palette_ = CommandPalette(self.actions_, self)
        self.shortcuts = ShortcutsPage(self.actions_, self)
        self.help = HelpPage(self, partial(settings_pages, self.session.plugins))
        self.text_page = TextPage(self, self.session, self.reveal)
        self.draft_panel.look.clicked.connect(self.text_page.toggle)
        self.leaving = Shutdown(self)
        self.leaving.left.connect(self.closed)
        self.palette_.add_provider(PaletteEntries(self).all)
        self.palette_.add_provider(self.desk.entries)

    def _make_bars(self) -> None:
        self.files = Files(self)
        self.exports = ExportFiles(self, self.session.background, lambda: self.cards)
        register_commands(self.actions_, self)
        session = self.session
        self.top = TopBar(
            [(key, tr(title)) for key, title in PLACES],
            self.actions_.menu(self),
            self.start_or_pause,
            session.step,
            session.stop,
            self.desk.resume,
            session.set_device,
        )
        bar = QToolBar(tr("Main"), self)
        bar.setObjectName("top")
        bar.setMovable(False)
        bar.setFloatable(False)
        bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        bar.addWidget(self.top)
        self.addToolBar(bar)
        self.status = StatusLine()
        self.statusBar().addWidget(self.status, 1)
        self.statusBar().setSizeGripEnabled(False)
        self.statusBar().setContentsMargins(0, 0, 0, 0)

    def _connect(self) -> None:
        session = self.session
        self.top.place_chosen.connect(self.show_place)
        self.status.log.toggled.connect(self.show_log)
        self.inspect.arranged.connect(self._order_tabs)
        self.runs.asked.connect(self._ask_about_run)
        self.desk.table.asked.connect(self._ask_about_runs)
        session.run_commands.offered.connect(self.toasts.offer)
        session.transfers.offered.connect(self.toasts.offer)
        session.refused.connect(self.show_refusal)
        session.figures.connect(self._show_figures)
        session.changed.connect(self._refresh)
        session.draft.changed.connect(self.actions_.refresh)  # undo and redo follow each other at once
        session.opened.connect(self._memory.remember_file)
        session.registry.selection_changed.connect(self._refresh)
        session.registry.ended.connect(self._refresh)
        session.warm_up.done.connect(self._ready)
        session.warm_up.progress.connect(self._refresh)
        self.play.changed.connect(self.actions_.refresh)
        self.toasts.field_asked.connect(self.reveal)
        self.toasts.came.connect(self.log.add)
        self.toasts.came.connect(self.inspect.on_notice)
        self.toasts.details_asked.connect(self._show_details)
        self.draft_panel.figures.follow(session.registry)
        self._late = QTimer(self, singleShot=True, interval=LATE)
        self._late.timeout.connect(self.draft_panel.figures.show_waiting)
        self._refreshing = QTimer(self)
        self._refreshing.setInterval(REFRESH)
        self._refreshing.timeout.connect(self._refresh)
        self._refreshing.start()

    # ---------------------------------------------------------------------------------------------------------- places

    def show_place(self, key: str) -> None:
        """Opens a place."""
        self.place = key
        number = [name for name, _ in PLACES].index(key)
        self._centre.setCurrentIndex(number)
        self._side.setCurrentIndex(number)
        self.top.show_place(key)
        self._memory.place = key
        self._centre.setFocus()

    def show_log(self, shown: bool) -> None:
        """Opens or closes the log at the bottom."""
        self.docks["log"].setVisible(shown)
        self.status.log.setChecked(shown)

    def reveal(self, field: str) -> None:
        """Brings a field of the configuration into view."""
        self.show_place("train")
        self.draft_panel.reveal(field)

    @property
    def splitters(self) -> dict[str, QSplitter]:
        """Every splitter whose sizes are remembered, by name."""
        return {**self.train.splitters, **self.inspect.splitters, **self.play.splitters}

    @property
    def recent(self) -> list[str]:
        """Files that were opened lately, the latest first."""
        return self._memory.recent

    @property
    def cards(self) -> list[Card]:
        """Every card of every place."""
        return [*self.train.cards, *self.inspect.cards, *self.play.cards]

    def choose_theme(self, mode: Mode) -> None:
        """Takes the light or the dark theme, or the system's."""
        themes.choose(mode)
        self._memory.theme = mode

    # ------------------------------------------------------------------------------------------------------- a person's

    def start_or_pause(self) -> None:
        """Pauses the selected run while it trains, lets it go on while it is paused, else starts a run of the draft."""
        if self.session.state in ("running", "paused"):
            self.session.pause_or_resume()
        elif self.session.state not in ("preparing", "queued", "saving"):
            self.start_new()

    def start_new(self) -> None:
        """Starts a run of the draft, unless an entry of its form is invalid."""
        if self._is_valid():
            self.session.start()

    def start_beside(self) -> None:
        """Starts a run of the draft at once, in a process of its own."""
        if self._is_valid():
            self.session.start(alongside=True)

    def _is_valid(self) -> bool:
        self._centre.setFocus()  # which finishes the entry that is being typed
        self.draft_panel.forget_problem()
        fault = next(iter(self.draft_panel.problems.values()), None)
        if fault is not None:
            self.show_refusal(fault)
        return fault is None

    def show_refusal(self, problem: Problem) -> None:
        """Shows what is wrong with the draft at its field, and above the button."""
        self.show_place("train")
        if problem.field:
            self.draft_panel.reveal(problem.field)
        self.draft_panel.show_problem(problem)

    def generate(self) -> None:
        """Opens Play and has the model write."""
        self.show_place("play")
        self.play.generate()

    def escape(self) -> None:
        """Ends what is most in the way: the list over the centre, or the writing."""
        if self.runs_side.open_over:
            self.runs_side.fold()
        else:
            self.play.stop()

    def _ask_about_run(self, key: str, place: QPoint) -> None:
        self.session.registry.select(key)
        self.desk.open_menu(self.actions_, place)

    def _ask_about_runs(self, place: QPoint) -> None:
        self._ask_about_run(self.desk.table.table.selected[0], place)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Takes files, folders and text."""
        if self.files.can_take(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Opens what was dropped."""
        self.files.take(event.mimeData())
        event.acceptProposedAction()

    # ------------------------------------------------------------------------------------------------------ refreshment

    def _refresh(self, *_: object) -> None:
        """Brings buttons, numbers and words up to date, twice a second."""
        session = self.session
        self.top.show_run(session.selected, waiting=session.waiting, resumable=self.desk.can("resume"))
        self.top.show_device(session.draft.recipe.training.device, self._devices)
        said = session.loading_label
        self.status.show_run(session.selected, said)
        self.actions_.refresh()

    def _ready(self) -> None:
        self._devices = self.session.devices()
        self.play.begin()
        self.inspect.begin()
        self._refresh()

    def _order_tabs(self) -> None:
        """Has the tab key go from the bar at the top to the runs, the place, the log, the panel and the foot."""
        follow_in_tab_order(self.top.stop, self.runs, self.runs_side, self._centre, self.log, self._side, self.status)

    def _show_figures(self, found: Any) -> None:
        if found is None:
            self._late.start()
            return
        self._late.stop()
        if isinstance(found, Problem):
            self.draft_panel.figures.show_none()
            self.draft_panel.show_problem(found)
        else:
            self.draft_panel.figures.show_figures(found)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shows as much beside each other as there is room for."""
        super().resizeEvent(event)
        wide = self.width() >= WIDE
        self.runs_side.set_wide(wide)
        self.train.set_wide(wide)
        self.runs_side.setFixedWidth(250 if wide else 60)
        self._side.setFixedWidth(BETWEEN + (300 if wide else 272))

    def showEvent(self, event: QShowEvent) -> None:
        """Begins to work once the window is painted."""
        super().showEvent(event)
        if not self._begun:
            self._begun = True
            self.watchdog.start()
            QTimer.singleShot(PAINTED, self.session, self.session.begin)

    def _show_details(self, notice: Notice) -> None:
        self.show_log(True)
        self.log.show_notice(notice)

    def take_files(self, files: list[str]) -> None:
        """Opens what a second start handed over, and comes to the front."""
        self.session.open_paths(files)
        self.show()
        self.raise_()
        self.activateWindow()

    # --------------------------------------------------------------------------------------------------------- closing

    def closeEvent(self, event: QCloseEvent) -> None:
        """Asks where a run would be stopped; then it is stopped, saved and joined before the window goes."""
        if self.leaving.ended:
            event.accept()
        else:
            event.ignore()
            self.leaving.ask()

    def remember(self) -> None:
        """Writes down what it looks like, unless it is shown for pictures alone."""
        if not self.is_remembered:
            return
        for name, splitter in self.splitters.items():
            self._memory.remember_splitter(name, splitter.sizes())
        self._memory.store(self)

    def shut_down(self) -> None:
        """Ends everything of the window that asks and refreshes."""
        self._refreshing.stop()
        self.play.close_down()
        self.inspect.close_down()
        self.watchdog.stop()
        self.toasts.stop()
