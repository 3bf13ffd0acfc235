"""The main window: it combines the rooms and passes each what it needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent, QKeySequence, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QMainWindow,
    QStackedWidget,
    QToolBar,
    QWidget,
)

from lab.base.notices import Notice, notify
from lab.base.run_state import RunState
from lab.base.system.policy import policy
from lab.shell.actions.registry import Actions
from lab.shell.finders.controller import FinderController
from lab.shell.home.place import HomePlace
from lab.shell.measurements.controller import MeasurementController
from lab.shell.runtime.gradually import Gradually
from lab.shell.runtime.watchdog import Watchdog
from lab.shell.runtime.window_state import SMALLEST, Language, WindowState
from lab.shell.session.runs.model import RunModel
from lab.shell.session.session import Session
from lab.shell.window.pages import OF_RUNS, Pages, PlaceFollower
from lab.shell.window.restorer import Restorer
from lab.shell.window.status_line import StatusLine
from lab.shell.window.top_bar import TopBar
from lab.widgets.core.card import Card, term_tips
from lab.widgets.core.controls import MenuButton, follow_in_tab_order
from lab.widgets.core.i18n import language, tr
from lab.widgets.core.splitter import Splitter
from lab.widgets.core.theme import themes

if TYPE_CHECKING:  # the parts that Home does not show are imported when they are made, after the first painting
    from lab.shell.actions.entry import Entry
    from lab.shell.compare.place import ComparePlace
    from lab.shell.corpus.place import DataPlace
    from lab.shell.inspect.place import InspectPlace
    from lab.shell.learn.place import LearnPlace
    from lab.shell.play.pages import PlayPages
    from lab.shell.plugins.place import PluginsPlace
    from lab.shell.settings.place import SettingsPlace
    from lab.shell.tour.controller import Targets
    from lab.shell.train.place import TrainPlace

    Place = (
        HomePlace | DataPlace | TrainPlace | InspectPlace | PlayPages | ComparePlace | LearnPlace | PluginsPlace
        | SettingsPlace
    )  # fmt: skip

PLACES = (
    ("home", "Home"),
    ("data", "Data"),
    ("train", "Train"),
    ("inspect", "Inspect"),
    ("play", "Play"),
    ("compare", "Compare"),
    ("learn", "Learn"),
)
"""Key and title of each place in the top bar, in order."""
OTHER_PLACES = (("plugins", "Plugins", "Ctrl+Shift+X", "plug"), ("settings", "Settings", "Ctrl+,", "sliders"))
"""Key, title, shortcut and icon of each place that is no work on a model."""
LATER = (
    "lab.widgets.forms.form",
    "lab.shell.recipe.controller",
    "lab.shell.play.place",
    "lab.shell.play.pages",
    "lab.widgets.maps.map",
    "lab.widgets.readings.heads",
    "lab.widgets.readings.views",
    "lab.shell.inspect.model",
    "lab.shell.inspect.ablation.card",
    "lab.shell.inspect.reading_card",
    "lab.shell.inspect.cards",
    "lab.shell.inspect.place",
    "lab.shell.train.model_card",
    "lab.shell.train.loss_card",
    "lab.shell.train.place",
    "lab.shell.corpus.place",
    "lab.shell.compare.place",
    "lab.shell.runs.columns",
    "lab.shell.runs.table",
    "lab.shell.runs.controller",
    "lab.shell.help.page",
    "lab.workbench.doctor",
    "lab.shell.doctor.page",
    "lab.shell.links.controller",
    "lab.workbench.classroom.hand_out",
    "lab.workbench.classroom.table",
    "lab.shell.classroom.controller",
    "lab.shell.window.notices_view",
    "lab.shell.settings.place",
    "lab.shell.plugins.place",
    "lab.shell.window.commands",
    "lab.shell.window.home_actions",
)
"""Modules that Home does not need, in pieces that take some 20 ms to import."""
FIRST_PAINT = 50
"""Milliseconds for the first painting of the window."""
FRAMED = 1000
"""Milliseconds after which the system has added the window's frame."""
RESIZED = 200
"""Milliseconds without another change of the window's size after which the size of the type follows it."""
REFRESH = 500
"""Milliseconds between two updates of numbers and buttons."""


class Window(QMainWindow):
    """The window of a session.

    Args:
        session: The session, with runs and draft.
        state: The stored state of the window.
        gradually: True to make only the frame and Home now, and the rest after the first painting, if Home is shown.

    Attributes:
        is_remembered: False to leave the stored state of the window unchanged.
        place: Key of the open place.
        making: Makes the parts that Home does not show.
    """

    closed = Signal()
    """The window is closed, and all work has ended."""
    language_changed = Signal()
    """Another language is in use; the window has to be made again to show it everywhere."""

    def __init__(self, session: Session, state: WindowState, *, gradually: bool = False) -> None:
        super().__init__()
        self.session, self._state = session, state
        self.setWindowTitle(tr("LM Lab"))
        self.setMinimumSize(SMALLEST)
        self.setAcceptDrops(True)
        self.setDockNestingEnabled(False)
        self._started = False
        self._devices: list[str] = []
        self.is_remembered = True
        self.restorer = Restorer(session, state)  # before the form of the draft is made
        self.watchdog = Watchdog(session.plugins, self)
        self._framed = QTimer(self, singleShot=True, interval=FRAMED)
        self._framed.timeout.connect(self._bring_back)
        self._resized = QTimer(self, singleShot=True, interval=RESIZED)
        self._resized.timeout.connect(self._fit_type)
        self._spares_commands = False
        self.learn: LearnPlace | None = None  # until it is opened
        self._refreshed_for: tuple[RunModel | None, RunState | None] = (None, None)
        self._refreshing = QTimer(self, interval=REFRESH)
        self._refreshing.timeout.connect(self._refresh_in_turn)
        has_run = bool(state.selected) or session.warm_up.ready  # places of runs have nothing to show without one
        is_usable = state.place in ("data", "learn", "plugins", "settings") or (has_run and state.place in OF_RUNS)
        is_usable &= state.place not in policy().hidden_places
        self.place = state.place if is_usable else "home"
        awaits_run = bool(state.selected) and self.place in OF_RUNS and session.selected is None
        self._follower = PlaceFollower(self, self, session, self.restorer, awaits_run=awaits_run)
        self.making = Gradually(self._make_parts(), self._complete, self)
        self._make_frame()
        state.place_window(self)
        self._fit_type()
        if gradually and self.place == "home":
            self.top.show_place("home")
            self._refresh()
        else:
            self.making.finish()

    # --------------------------------------------------------------------------------------------------- construction

    def _make_frame(self) -> None:
        """Make what Home shows: Home, the top bar and the status line."""
        session = self.session
        self.home = HomePlace(session)
        self._places: dict[str, Place] = {"home": self.home}
        self._panels: dict[str, QWidget] = {}
        self._centre, self._side = Pages(), QStackedWidget()
        self._centre.addWidget(self.home)
        self._centre.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # so that no button receives the space bar
        self.setCentralWidget(self._centre)
        self.commands = Actions(self)
        self.top = TopBar(
            [(key, tr(title)) for key, title in _places()],
            [(key, f"{tr(title)} ({_shown(keys)})", drawing) for key, title, keys, drawing in _other_places()],
            lambda: self.configuration.start_or_pause(),
            session.step,
            session.stop,
            lambda: self.runs_controller.resume(),
            lambda: self.command_palette.toggle(),
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

    def _make_parts(self) -> Iterator[None]:
        """Make what Home does not show, piece by piece."""
        for module in LATER:
            import_module(module)
            yield
        yield from self.session.plugins.load_built_ins()
        yield
        yield from self._make_places()
        yield from self._make_docks()
        yield from self._make_overlays()
        yield from self._make_commands()
        self._connect()
        yield
        self._restore()

    def _make_places(self) -> Iterator[None]:
        """Make the other places and their side panels."""
        from lab.shell.compare.place import ComparePlace
        from lab.shell.corpus.place import DataPlace
        from lab.shell.inspect.place import InspectPlace
        from lab.shell.play.filter_list import FilterList
        from lab.shell.play.pages import PlayPages
        from lab.shell.play.panel import PlayPanel
        from lab.shell.play.place import PlayPlace
        from lab.shell.play.text.pages import TextPages
        from lab.shell.recipe.controller import DraftController
        from lab.shell.runtime.formulas import typeset_formulas
        from lab.shell.session.comparison.evaluator import SameTextEvaluator
        from lab.shell.session.findings import KnownFindings, Remedies
        from lab.shell.train.finding_line import FindingLine
        from lab.shell.train.gauges.page import GaugesPage
        from lab.shell.train.live_strip import LiveStrip
        from lab.shell.train.loss_card import LossCard
        from lab.shell.train.model_card import ModelCard
        from lab.shell.train.model_drawing import ModelDrawing
        from lab.shell.train.place import TrainPlace
        from lab.widgets.charts.crosshair import Crosshair

        session, background = self.session, self.session.background
        self.configuration = DraftController(self, self, session)
        self.draft_panel, start = self.configuration.panel, self.configuration.start_new
        self.draft_panel.show_corpus.clicked.connect(self._show_data)
        self.finders = FinderController(self, session)
        self.draft_panel.find_button.clicked.connect(self.finders.open)
        self.measurements = MeasurementController(self, session)
        yield
        yield from self.draft_panel.refresh_gradually()
        yield
        filters = FilterList(session.plugins)
        yield
        self.play_panel = PlayPanel(session.plugins, filters)
        yield
        texts = TextPages()
        yield
        self.play = PlayPlace(session.registry, session.model_provider, background, self.play_panel, texts)
        yield
        self.play_pages = PlayPages(self.play, session.registry, session.model_provider, background)
        yield
        self.inspect = InspectPlace(session.registry, session.model_provider, background, session.plugins)
        yield
        drawing = ModelDrawing(session.draft, session.registry, background, session.workbench.structure)
        model = ModelCard(drawing, session.plugins, self.configuration.reveal, partial(typeset_formulas, background))
        model.shaping_changed.connect(self.draft_panel.mark)
        yield
        live = LiveStrip(session.registry, session.plugins, session.change_live)
        yield
        evaluator = SameTextEvaluator(session.registry, background, self)
        remedies = Remedies(session.workbench, session.registry)
        finding = FindingLine(session.registry, KnownFindings(), remedies)
        loss = LossCard(session.registry, session.drawing, Crosshair(self), start, evaluator, finding)
        yield
        self.compare = ComparePlace(
            session.registry,
            session.drawing,
            evaluator,
            self.show_form,
            background,
            session.plugins,
            lambda: session.studies,
        )
        yield
        gauges = GaugesPage(session.registry, session.drawing, background, finding.findings, remedies.apply)
        yield
        gauges.measure.clicked.connect(self.measurements.open)
        self.train = TrainPlace(session.registry, session.drawing, loss, self.inspect.snapshots, model, live, gauges)
        yield
        self.data = DataPlace(session, self.configuration.reveal, start)
        self._places |= {"data": self.data, "train": self.train, "inspect": self.inspect, "play": self.play_pages}
        self._places["compare"] = self.compare
        self._panels = {"train": self.draft_panel, "inspect": self.inspect.panel, "play": self.play_panel}
        yield
        for place in self._places.values():
            self._centre.addWidget(place)
            yield
        for panel in self._panels.values():
            self._side.addWidget(panel)
            yield

    def _make_docks(self) -> Iterator[None]:
        """Make what stands around the places, hidden beside Home."""
        from lab.shell.runs.controller import RunsController
        from lab.shell.window.docks import Docks
        from lab.shell.window.log_view import LogView

        self.runs_controller = RunsController(
            self, self.session, self.configuration.start_new, self.draft_panel.ask_about
        )
        self.runs, self.runs_side = self.runs_controller.panel, self.runs_controller.side
        self.log = LogView()
        yield
        self.docks = Docks(self, self.runs_side, self._side, tuple(self._panels), self.log)
        yield from self.docks.make()

    def _make_overlays(self) -> Iterator[None]:
        """Make what appears over the places."""
        from lab.shell.actions.palette import CommandPalette
        from lab.shell.actions.shortcuts_page import ShortcutsPage
        from lab.shell.classroom.controller import ClassController
        from lab.shell.doctor.page import DoctorPage
        from lab.shell.examples.pages import make_explorable
        from lab.shell.help.page import HelpPage, explain_term
        from lab.shell.links.controller import LinksController
        from lab.shell.window.notices_view import Toasts
        from lab.shell.window.palette_entries import palette_entries
        from lab.shell.window.shutdown import Shutdown
        from lab.workbench.settings_pages import settings_pages

        session, sections = self.session, self.draft_panel.sections
        self.toasts = Toasts(self, self._centre, sections.has_field)
        self.command_palette = CommandPalette(self.commands, self)
        self.shortcuts = ShortcutsPage(self.commands, self)
        yield
        term_tips.explain = explain_term
        explorable = partial(make_explorable, session.background)
        self.help = HelpPage(self, session.background, partial(settings_pages, session.plugins), explorable)
        yield
        self.links = LinksController(self, session)
        self.doctor = DoctorPage(self, session.background, session.plugins)
        yield
        self.classroom = ClassController(self, session)
        yield
        self.shutdown = Shutdown(self, session, self._prepare_shutdown, self._stop)
        self.shutdown.closed.connect(self.closed)
        reveal = self.configuration.reveal
        entries = partial(palette_entries, session, self._state, sections.settings, reveal, self.show_run)
        self.command_palette.add_provider(entries)
        self.command_palette.add_provider(self.runs_controller.entries)
        self.command_palette.add_provider(self._menu_entries)
        self.command_palette.add_provider(self.help.entries)
        self.command_palette.search_elsewhere(self.help.search_entry)
        yield

    def _menu_entries(self) -> list[Entry]:
        """Return an entry of the palette for each choice of the menus of Train and the runs, and for each reading."""
        from lab.shell.window.palette_entries import menu_entries

        found = menu_entries(tr("Runs"), self.runs.findChildren(MenuButton), partial(self.show_place, "train"))
        for card in self.train.cards:
            found += menu_entries(card.title, card.findChildren(MenuButton), self._show_charts)
        for shown in self.inspect.cards:
            menus = [menu for menu in shown.findChildren(MenuButton) if not menu.isHidden()]
            found += menu_entries(shown.title, menus, partial(self.show_place, "inspect"))
        readings = self.inspect.entries()
        return found + [entry._replace(do=partial(self._show_in_inspect, entry.do)) for entry in readings]

    def _show_in_inspect(self, show: Callable[[], object]) -> None:
        self.show_place("inspect")
        show()

    def _make_commands(self) -> Iterator[None]:
        """Make what the commands need, and register them in the order of the menu."""
        from lab.shell.classroom.commands import register_run_commands_of_class
        from lab.shell.links.commands import register_run_links
        from lab.shell.runs.commands import register_list_commands, register_runs_commands
        from lab.shell.runtime.export_files import ExportFiles
        from lab.shell.runtime.sound import CurveSound
        from lab.shell.session.queue_commands import register_queue_commands
        from lab.shell.settings.profile import register_profile_commands
        from lab.shell.tour.controller import Tour
        from lab.shell.train.commands import register_train_commands
        from lab.shell.window.appearance import register_appearance_commands
        from lab.shell.window.commands import (
            register_edit_commands,
            register_file_commands,
            register_help_commands,
            register_inspect_commands,
            register_language_commands,
            register_recipe_commands,
            register_run_commands,
            register_view_commands,
        )
        from lab.shell.window.files import Files
        from lab.shell.window.home_actions import HomeActions

        session, actions = self.session, self.commands
        self.files = Files(self, session)
        self.home_actions = HomeActions(self, self, session, self.home, self.data, self.files, self.runs_controller)
        self.exports = ExportFiles(self, session.background, lambda: self.cards)
        self.sound = CurveSound(self, session.background, self.exports.current_view, self.toasts.offer)
        self.tour = Tour(self, self._tour_targets(), self._show_for_tour, session.background)
        self.home.offer_tour(offered=not self.tour.is_taken)
        yield
        register_file_commands(actions, session, self.files, self.links, self.classroom, self.exports, self.close)
        register_run_commands(actions, session, self.configuration, self, self.files.show_folder)
        self.finders.register(actions)
        self.measurements.register(actions)
        register_runs_commands(actions, self.runs_controller)
        register_run_links(actions, self.links)
        register_run_commands_of_class(actions, self.classroom)
        register_queue_commands(actions, session.queue_commands)
        register_train_commands(actions, self.train, partial(self.show_place, "train"))
        register_edit_commands(actions, session.draft)
        register_view_commands(
            actions, _places(), [other[:3] for other in _other_places()], self, self.command_palette.toggle
        )
        register_inspect_commands(actions, self, self.inspect.all)
        register_list_commands(actions, self.runs_controller)
        register_language_commands(actions, self, self._state)
        register_appearance_commands(actions, self._state, self.sound.play_current)
        register_profile_commands(actions)
        register_recipe_commands(actions, session, self.files.pretrained.inspect)
        register_help_commands(
            actions,
            self.shortcuts.toggle,
            self.help.show_index,
            self.help.show_page,
            self.tour.start,
            self.doctor.open,
        )
        self.top.set_menu(actions.menu(self))
        yield

    def _make_other_place(self, key: str) -> None:
        """Make Learn, Settings or Plugins, which is opened for the first time."""
        from lab.shell.examples.pages import add_example_pages
        from lab.shell.learn.place import LearnPlace
        from lab.shell.plugins.place import PluginsPlace
        from lab.shell.settings.place import SettingsPlace

        place: LearnPlace | PluginsPlace | SettingsPlace
        if key == "settings":
            place = SettingsPlace(self.commands, self._centre)
        elif key == "learn":
            place = self.learn = LearnPlace(self.session, self._centre)
            add_example_pages(place, self.session)
            place.view_requested.connect(self.show_place)
            place.help_requested.connect(self.help.show_page)
        else:
            place = self.plugins = PluginsPlace(self.session, self._centre)
            place.help_requested.connect(partial(self.help.show_page, "plugins/first-plugin"))
            place.changed.connect(self._plugins_changed)
        self._places[key] = place
        self._centre.addWidget(place)
        follow_in_tab_order(self.top.stop, place)

    def _tour_targets(self) -> Targets:
        """Return the widgets that the tour points at."""
        home = self.home
        return {
            "cards": lambda: (home.watch, home.text, home.compare),
            "form": lambda: (self.draft_panel,),
            "start": lambda: (self.top.start,),
            "loss": lambda: (self.train.loss,),
            "inspect": lambda: (self.top.place_button("inspect"),),
            "play": lambda: (self.top.place_button("play"),),
        }

    def _connect(self) -> None:
        session = self.session
        self.top.place_selected.connect(self.show_place)
        self.home.tour_clicked.connect(self.tour.start)
        self.tour.ended.connect(partial(self.home.offer_tour, offered=False))
        self.status.log.toggled.connect(self.show_log)
        self.status.run_clicked.connect(self.show_run)
        self.inspect.arranged.connect(self._order_tabs)
        self.inspect.all.enlarged.connect(self.commands.refresh)
        self.inspect.part_requested.connect(self._show_part)
        self.inspect.equations_requested.connect(self._show_equations_of)
        self.train.samples.inspect_requested.connect(partial(self.show_place, "inspect"))
        self.train.loss.comparison.clicked.connect(self._show_comparison)
        self.train.loss.comparison.evaluation_requested.connect(self._compare_on_same_text)
        self.compare.page.help_requested.connect(partial(self.help.show_page, "using/comparing"))
        self.classroom.plugins_changed.connect(self._plugins_changed)
        self.classroom.help_requested.connect(partial(self.help.show_page, "using/class"))
        end_row = self.train.loss.end_row
        end_row.inspect_clicked.connect(self._show_inside)
        end_row.write_clicked.connect(self.offer_text)
        end_row.classes_clicked.connect(self._classify)
        end_row.further_clicked.connect(self.runs_controller.train_further)
        end_row.compare_clicked.connect(self._show_comparison)
        self.runs_side.requested.connect(self._show_runs)
        self.runs.menu_requested.connect(self._open_menu_of_run)
        self.runs_controller.table.menu_requested.connect(self._open_menu_of_selected)
        self.runs_controller.table.compare_requested.connect(self._show_comparison)
        session.run_commands.offered.connect(self.toasts.offer)
        session.transfers.offered.connect(self.toasts.offer)
        session.changed.connect(self._refresh)
        themes.changed.connect(self._fit_width)
        session.draft.changed.connect(self.commands.refresh)  # so that redo can follow undo at once
        session.opener.opened.connect(self._state.remember_file)
        session.registry.selection_changed.connect(self._refresh)
        self._follower.follow()
        session.registry.ended.connect(self._refresh)
        self.home.estimated.connect(session.costs.follow_speed)
        self.home.profile_changed.connect(self._announce_profile)
        session.warm_up.done.connect(self._ready)
        session.warm_up.progress.connect(self._refresh)
        self.play.changed.connect(self.commands.refresh)
        self.play_pages.page_changed.connect(self._follow_page)
        self.toasts.field_requested.connect(self.configuration.reveal)
        self.toasts.received.connect(self.log.add)
        self.toasts.informed.connect(self.status.show_message)
        self.toasts.received.connect(self.inspect.on_notice)
        self.toasts.details_requested.connect(self._show_details)

    def _restore(self) -> None:
        """Restore docks, splitters and the options of cards."""
        state = self._state
        self.restorer.add(
            {
                "loss": self.train.loss,
                "live settings": self.train.live,
                "gradients": self.train.norm,
                "rate": self.train.rate,
                "speed": self.train.speed,
                "gauges": self.train.gauges,
                "play": self.play,
                "play pages": self.play_pages,
                "sampling": self.play_panel,
                "inspect": self.inspect.panel,
                "cards of inspect": self.inspect.all,
                "runs": self.runs.choices,
                "comparison": self.compare.page.choices,
                "recipes": self.home.recipes.choices,
                "data": self.data.choices,
                "panels": self.docks,
            }
        )
        state.restore_docks(self)
        for name, splitter in self.splitters.items():
            sizes = state.splitter(name)
            if sizes is not None:
                splitter.setSizes(sizes)

    def take_over(self, before: Window) -> None:
        """Show the text that was generated in the window that this one replaces, and what its cards show."""
        self.play.take_text(before.play)
        self.inspect.all.take_choices(before.inspect.all)

    def _complete(self) -> None:
        """Show the open place with all that belongs to it, and begin the session if the window is shown."""
        self._order_tabs()
        self._fit_width()
        self.show_place(self.place)
        self._refreshing.start()
        if self.session.warm_up.ready:  # the window is made again
            self._ready()
        if self._started:
            self.session.begin()

    # ---------------------------------------------------------------------------------------------------------- places

    def show_place(self, key: str) -> None:
        """Open a place, with its side panel and the list of runs if it has them; one that is hidden is not opened."""
        self.making.finish()
        if key in policy().hidden_places:
            notify("info", tr("This place is not shown, by {source}", source=policy().source("hidden_places")))
            return
        self._follower.open(key)
        if key not in self._places:
            self._make_other_place(key)
        self.place, place = key, self._places[key]
        self._centre.setCurrentWidget(place)
        self.docks.show_around(self._panel_of(key), runs=key in OF_RUNS)
        self.top.show_place(key)
        self._state.place = key
        (self.data if place is self.data else self._centre).setFocus()
        self._refresh()

    def _panel_of(self, key: str) -> QWidget | None:
        """Return the panel of a place; the pages of Play that write nothing have none."""
        return None if key == "play" and not self.play_pages.uses_panel else self._panels.get(key)

    def _follow_page(self) -> None:
        """Show the panel that belongs to the open page of Play."""
        if self.place == "play":
            self.docks.show_around(self._panel_of("play"), runs=True)

    def _show_for_tour(self, key: str) -> None:
        """Open a place with its panel, and in Train the charts, for the tour."""
        self.train.show_charts()
        self.show_place(key)
        self.docks.open_panel()

    def _show_charts(self) -> None:
        """Open Train and show the charts, for the palette."""
        self.train.show_charts()
        self.show_place("train")

    def show_run(self, key: str) -> None:
        """Select a run, and show it in Train if the open place shows no run."""
        self.session.registry.select(key)
        self.show_place_of_runs()

    def show_place_of_runs(self) -> None:
        """Open Train if the open place shows no run."""
        if self.place not in OF_RUNS:
            self.show_place("train")

    def finish_entry(self) -> None:
        """Take the focus from a field, which finishes the entry that is being typed."""
        self._centre.setFocus()

    def show_text(self) -> None:
        """Show the corpus of the draft in Data."""
        self.data.open_tab("choose")
        self.show_place("data")

    def _show_inside(self) -> None:
        self.show_place("inspect")

    def _show_comparison(self) -> None:
        self.show_place("compare")

    def _compare_on_same_text(self) -> None:
        self.show_place("compare")
        if self.place == "compare":
            self.compare.evaluate()

    def _show_data(self) -> None:
        self.show_place("data")

    def _show_runs(self) -> None:
        """Open Train, since the open place has no list of runs."""
        self.show_place("train")

    def is_model_open(self) -> bool:
        """Return True if Train is open and shows the drawing of the model."""
        return self.place == "train" and self.train.shows_model

    def toggle_model(self) -> None:
        """Open Train and show the drawing of the model, or the charts if it is shown."""
        shown = self.is_model_open()
        self.show_place("train")
        if shown:
            self.train.show_charts()
        else:
            self.train.show_model()

    def show_equations(self) -> None:
        """Open Train and show the equations of the architecture over the drawing of its model."""
        self.show_place("train")
        self.train.show_equations()

    def _show_part(self, wanted: str) -> None:
        """Open Train and show a part of the model in its drawing."""
        self.show_place("train")
        self.train.show_part(wanted)

    def _show_equations_of(self, parts: Sequence[str]) -> None:
        """Open Train and show the equations of the first of some parts of the model that has any."""
        self.show_place("train")
        self.train.show_equations_of(parts)

    def is_log_open(self) -> bool:
        """Return True if the log is open."""
        return self.docks.log.isVisible()

    def show_log(self, shown: bool) -> None:
        """Open or close the log at the bottom."""
        self.docks.log.setVisible(shown)
        self.status.log.setChecked(shown)

    def is_panel_open(self) -> bool:
        """Return True if the panel at the right is open."""
        return self.docks.shows_panel

    def toggle_panel(self) -> None:
        """Open the panel at the right, or fold it away."""
        self.docks.toggle_panel()

    def show_form(self) -> None:
        """Open Train with the form of the draft."""
        self.show_place("train")
        self.docks.open_panel()

    @property
    def splitters(self) -> dict[str, Splitter]:
        """The splitters whose sizes are stored, by name."""
        return {**self.train.splitters, **self.inspect.splitters, **self.play.splitters}

    @property
    def cards(self) -> list[Card]:
        """The cards of all places that are made."""
        return [card for place in self._places.values() for card in place.cards]

    def cards_of(self, key: str) -> list[Card]:
        """Return the cards of a place."""
        return self._places[key].cards

    def has_shown(self, key: str) -> bool:
        """Return True once a place of runs shows curves, readings, or a text that was generated to its end."""
        if key == "train":
            return self.train.loss.state == "content"
        if key == "inspect":
            return self.inspect.model.is_of_run
        return not self.play.busy and bool(self.play.model.tokens)

    def choose_language(self, setting: Language) -> None:
        """Use a language; the host of the window makes it again if that is another one than now."""
        self._state.language = setting
        if language.use(self._state.shown_language):
            self.language_changed.emit()

    # -------------------------------------------------------------------------------------------------- running things

    def generate(self) -> None:
        """Open Play and generate text."""
        self.play_pages.open_page()
        self.show_place("play")
        if self.place == "play" and self.play_pages.uses_panel:
            self.play.generate()

    def _classify(self) -> None:
        """Make a training for classes from the selected run the draft, in Train."""
        self.show_place("train")
        self.runs_controller.classify()

    def offer_text(self) -> None:
        """Open Play with the focus on the button that generates, or on the text if the model writes nothing."""
        self.play_pages.open_page()
        self.show_place("play")
        if not self.play_pages.focus_hidden():
            (self.play.generate_button if self.play.generate_button.isEnabled() else self.play.prompt).setFocus()

    def escape(self) -> None:
        """Close the list of runs over the centre, or stop generating."""
        if self.runs_side.open_over:
            self.runs_side.fold()
        else:
            self.play_pages.stop()

    def can_escape(self) -> bool:
        """Return True if `escape` has something to close or stop."""
        return self.play_pages.writes or self.runs_side.open_over

    def _open_menu_of_run(self, key: str, position: QPoint) -> None:
        self.session.registry.select(key)
        self.runs_controller.open_menu(self.commands, position)

    def _open_menu_of_selected(self, position: QPoint) -> None:
        self._open_menu_of_run(self.runs_controller.table.table.selected[0], position)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept files, folders and text."""
        if self.files.can_take(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the dropped files or text; a text that is dropped on Home gets a model of suitable size."""
        from lab.shell.window.files import dropped_paths

        paths = dropped_paths(event.mimeData())
        if self.place == "home" and paths:
            self.home_actions.use_texts(paths)
        else:
            self.files.take(event.mimeData())
        event.acceptProposedAction()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Show a link that is pasted while no field has the focus."""
        if event.matches(QKeySequence.StandardKey.Paste) and self.files.paste_link():
            event.accept()
        else:
            super().keyPressEvent(event)

    # ---------------------------------------------------------------------------------------------------------- updates

    def _refresh_in_turn(self) -> None:
        """Update buttons, numbers and texts; commands every other time while the selected run goes on training."""
        shown = (self.session.selected, self.session.state)
        is_same, self._refreshed_for = shown == self._refreshed_for, shown
        self._spares_commands = is_same and self.session.drawing.busy and not self._spares_commands
        self._refresh(commands=not self._spares_commands)

    def _refresh(self, *_: object, commands: bool = True) -> None:
        """Update buttons, numbers and texts, and the state of all commands unless `commands` is False."""
        session = self.session
        if not self.making.is_finished:
            self.top.show_run(None, waiting=False, at_home=True)
            self.status.show_run(None, session.loading_label)
            return
        resumable = self.runs_controller.can("resume")
        at_home = self.place == "home"
        self.top.show_run(
            session.selected,
            waiting=session.waiting,
            resumable=resumable,
            at_home=at_home,
            has_primary=self._has_primary(),
        )
        self.draft_panel.show_wait(session.waits_for)
        self.top.show_device(session.draft.recipe.training.device, self._devices)
        self.status.show_run(session.selected, session.loading_label, session.registry.training)
        if commands:
            self.commands.refresh()

    def _has_primary(self) -> bool:
        """Return True if the open place has a primary button; in Train it is that of the form, for a start."""
        panel = self.draft_panel
        if self.place == "compare":
            return self.compare.page.isVisible()
        return self.place == "play" or (
            self.place == "train" and panel.isVisible() and self.session.state != RunState.PAUSED
        )

    def _ready(self) -> None:
        self._devices = self.session.devices()
        self.help.prepare()
        self.play_panel.refresh()  # with what plugins of third parties add
        self.home.begin()
        self.play.begin()
        self.play_pages.begin()
        self.inspect.begin()
        self.train.model.drawing.begin()
        self._announce_profile()
        self._refresh()

    def _announce_profile(self) -> None:
        """Say once that the light profile was taken, with the way to change it."""
        from lab.shell.settings.profile import announcement

        message = announcement()
        if message:
            self.toasts.offer(message, tr("Settings"), partial(self.show_place, "settings"))

    def _plugins_changed(self) -> None:
        """Offer what the plugins that run now have registered."""
        self.session.take_registered_cards()
        self.play_panel.refresh()
        self.help.prepare()

    def _order_tabs(self) -> None:
        """Set the tab order: top bar, runs, place, log, side panel, status line."""
        follow_in_tab_order(self.top.stop, self.runs, self.runs_side, self._centre, self.log, self._side, self.status)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange runs and cards for the new width."""
        super().resizeEvent(event)
        self._fit_width()
        self._resized.start()

    def _fit_type(self) -> None:
        themes.fit(self.width(), self.height())

    def _fit_width(self) -> None:
        """Arrange runs, cards and the side panel for the width and the size of the type."""
        if self.making.is_finished:
            self.train.set_wide(self.docks.fit_width())

    def showEvent(self, event: QShowEvent) -> None:
        """Start the session after the first painting."""
        super().showEvent(event)
        if not self._started:
            self._started = True
            self.watchdog.start()
            self.making.watch(self.windowHandle())
            then = self.session.begin if self.making.is_finished else self.making.start
            QTimer.singleShot(FIRST_PAINT, self.making, then)
            self._framed.start()

    def _bring_back(self) -> None:
        self._state.bring_back(self)

    def _show_details(self, notice: Notice) -> None:
        self.show_log(True)
        self.log.show_notice(notice)

    def take_files(self, files: list[str]) -> None:
        """Open the files of a second start of the lab, and raise the window."""
        self.making.finish()
        self.session.open_paths(files)
        self.show()
        self.raise_()
        self.activateWindow()

    # --------------------------------------------------------------------------------------------------------- closing

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask before runs are stopped; the window closes when all are saved."""
        self.making.finish()
        if self.shutdown.ended:
            event.accept()
        else:
            event.ignore()
            self.shutdown.ask()

    def leave(self) -> None:
        """Close without a question; the runs are saved."""
        self.making.finish()
        self.shutdown.close()

    def _prepare_shutdown(self) -> None:
        self._store_state()
        self.sound.stop()  # its program ends while the runs are saved
        self.play.close_down()
        self.play_pages.close_down()
        if self.learn is not None:
            self.learn.close_down()

    def _store_state(self) -> None:
        """Store size, docks and splitters, unless the window is opened only for pictures."""
        if not self.is_remembered:
            return
        for name, splitter in self.splitters.items():
            self._state.remember_splitter(name, splitter.sizes())
        self.restorer.store()
        self._state.store(self)

    def retire(self) -> None:
        """Store the state and stop the window's own timers and threads, as another window takes the session over."""
        self._store_state()
        self.restorer.retire()
        if self.is_remembered:
            self._state.load()
        self._stop()

    def _stop(self) -> None:
        """Stop the timers and threads of the window."""
        self._refreshing.stop()
        self._framed.stop()
        self._resized.stop()
        self.sound.stop()
        self.compare.close_down()
        self.play.close_down()
        self.play_pages.close_down()
        if self.learn is not None:
            self.learn.close_down()
        self.inspect.close_down()
        self.classroom.stop()
        self.watchdog.stop()
        self.toasts.stop()


def _places() -> list[tuple[str, str]]:
    """Return the places of the top bar that the policy of the machine does not hide."""
    return [place for place in PLACES if place[0] not in policy().hidden_places]


def _other_places() -> list[tuple[str, str, str, str]]:
    """Return the other places that the policy of the machine does not hide."""
    return [place for place in OTHER_PLACES if place[0] not in policy().hidden_places]


def _shown(shortcut: str) -> str:
    """Return a shortcut in the notation of this system."""
    return QKeySequence(shortcut).toString(QKeySequence.SequenceFormat.NativeText)
