"""The place Home: three ways to start, the recent runs, and the gallery of the shipped recipes.

It is what the window paints first, so it reads only two small files before that; runs and durations follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from lab.base.run_state import RESUMABLE, RunState
from lab.base.system import profile
from lab.base.units import short
from lab.recipes import QUICK_START, Points, gallery, quick_start_name
from lab.shell.home.machine import measure_speed, read_speed
from lab.shell.home.model import COMPARED, HomeModel
from lab.shell.home.pictures import CurvesPicture, PictureLine, TokensPicture
from lab.shell.home.recent import SHOWN, RecentRuns
from lab.shell.home.recipes_card import RecipesCard
from lab.shell.home.start_card import StartCard
from lab.shell.home.texts import duration_note, time_since
from lab.shell.home.tile import RecentRow
from lab.shell.session.draft_changes import differences
from lab.shell.session.runs.durations import FinishedRun, PastRun, past_runs
from lab.shell.session.runs.formatting import loss_text
from lab.shell.session.runs.loss_unit import KL, NATS, convert_one, is_known, short_unit_name, with_unit
from lab.shell.session.runs.model import RunModel
from lab.shell.session.scales import run_colour, run_dashes
from lab.shell.session.session import Session
from lab.widgets.core.card import Card, VerticalScroll
from lab.widgets.core.controls import Button, label
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import localized, tr, tr_registered
from lab.widgets.core.theme import BETWEEN, px, themes
from lab.widgets.readings.base import Line

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.host import Plugins

EDGE = 50
"""Free pixels at both sides; the name of the lab in the top bar starts there too."""
REFRESH = 1000
"""Milliseconds between two updates of runs that change."""
LARGEST = 300
"""Largest height of the cards that start something, in pixels."""
LEAST = 150
"""Least height of the cards below them."""


class HomePlace(QWidget):
    """The place Home. What the user selects is carried out by the window.

    Args:
        session: The session with the runs.
    """

    watch_clicked = Signal()
    """The quick start is to be trained."""
    text_clicked = Signal()
    """A text is to be selected."""
    compare_clicked = Signal()
    """The two compared recipes are to be trained."""
    recipe_clicked = Signal(str)
    """The name of a recipe that is to become the configuration."""
    run_clicked = Signal(str)
    """The key of a run that is to be opened."""
    continued = Signal(str)
    """The key of the run that is to be continued."""
    all_clicked = Signal()
    """All runs are to be shown."""
    file_clicked = Signal()
    folder_clicked = Signal()
    model_clicked = Signal()
    """A file, a folder or a pretrained model is to be opened."""
    profile_changed = Signal()
    """The machine, whose speed was measured, has another profile than before."""
    estimated = Signal()
    """More is known about the durations of recipes on this machine."""
    tour_clicked = Signal()
    """The tour is to be started."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session, self._registry = session, session.registry
        self.model, self.durations = HomeModel(gallery()), session.durations
        self._curves: dict[str, tuple[Any, Points]] = {}  # small curves by run, with the version of the run
        self._ready = False  # True once the plugins are loaded
        self._found = [_cores()]  # what is known of the machine
        self._make_cards()
        heading = label(tr("Train a small language model, look inside it, let it write."), "number")
        heading.setWordWrap(True)  # for large type
        note = label(tr("Everything runs on this machine. Space starts and pauses."), "dim")
        self.tour = Button(tr("Take the tour (1 minute)"), hint=tr("Six pointers at the parts of the window"))
        self.tour.clicked.connect(self.tour_clicked)
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(note)
        line.addWidget(self.tour)
        line.addStretch()
        grid = self._grid = QGridLayout()
        grid.setSpacing(BETWEEN)
        for column, card in enumerate((self.watch, self.text, self.compare)):
            card.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            follow_type(card, lambda card: card.setMaximumHeight(px(LARGEST)))
            grid.addWidget(card, 0, column)
            grid.setColumnStretch(column, 1)
        for below in (self.recent, self.recipes):
            below.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        grid.addWidget(self.recent, 1, 0)
        grid.addWidget(self.recipes, 1, 1, 1, 2)
        for row in (0, 1):
            grid.setRowStretch(row, 1)
        inside = QWidget()
        area = VerticalScroll(inside)  # so that a low window is large enough
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(area)
        rows = QVBoxLayout(inside)
        rows.setContentsMargins(EDGE, 14, EDGE, 0)
        rows.setSpacing(4)
        rows.addWidget(heading)
        rows.addLayout(line)
        rows.addSpacing(10)
        rows.addLayout(grid, 1)
        rows.addSpacing(2)
        rows.addLayout(self._make_foot())
        follow_type(self, lambda place: place._grid.setRowMinimumHeight(1, px(LEAST)))
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._show_runs)
        self._registry.list_changed.connect(self._runs_changed)
        self._registry.listed.connect(self._runs_changed)
        self._registry.unit_changed.connect(self._runs_changed)
        themes.changed.connect(self._runs_changed)

    def _make_cards(self) -> None:
        found = self.model.gallery
        quick = found.recordings[QUICK_START]
        floors = {
            tr("unigram (letters alone)"): quick.floors.get("unigram"),
            tr("Kneser-Ney (counting)"): min(
                (nats for name, nats in quick.floors.items() if "kneser" in name), default=None
            ),
        }
        curves = (PictureLine(quick.train, 0, faint=True), PictureLine(quick.validation, 0, tr("model")))
        picture = CurvesPicture(
            tr("Training and validation loss of the quick start, as the lab recorded it, with two floors"),
            curves,
            {name: nats for name, nats in floors.items() if nats is not None},
        )
        self.watch = StartCard(
            tr("Watch a model learn"),
            tr("A small transformer learns English from Python's manual: letters first, then words."),
            tr("Start"),
            picture,
            primary=True,
        )
        written = TokensPicture(
            tr("A text that the model of the quick start wrote; the darker a letter, the less it was expected"),
            found.sample,
        )
        self.text = StartCard(
            tr("Use my own text"),
            tr("Drop a text, a document or a folder here. The lab suggests a model of suitable size."),
            tr("Choose text…"),
            written,
        )
        transformer, mamba = (found.recordings[name].train for name in COMPARED)
        both = CurvesPicture(
            tr("Training loss of a transformer and of Mamba of the same size, as the lab recorded it"),
            (PictureLine(transformer, 0, tr("Transformer")), PictureLine(mamba, 1, tr("Mamba"))),
            {},
        )
        self.compare = StartCard(
            tr("Compare two architectures"),
            tr("A transformer and Mamba of the same size, one after the other; all but the architecture is equal."),
            tr("Start both"),
            both,
        )
        self.watch.clicked.connect(self.watch_clicked)
        self.text.clicked.connect(self.text_clicked)
        self.compare.clicked.connect(self.compare_clicked)
        self.recent, self.recipes = RecentRuns(), RecipesCard(self.model, self.durations)
        self.recent.run_clicked.connect(self.run_clicked)
        self.recent.continued.connect(self.continued)
        self.recent.all_clicked.connect(self.all_clicked)
        self.recent.open_clicked.connect(self.folder_clicked)
        self.recipes.recipe_clicked.connect(self.recipe_clicked)

    def offer_tour(self, *, offered: bool) -> None:
        """Show or hide the link that starts the tour."""
        self.tour.setVisible(offered)

    def _make_foot(self) -> QHBoxLayout:
        self._machine = Line()
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self._machine, 1)
        self.open_file = Button(tr("Open a file…"), hint=tr("Open a text, a recipe or a bundle of a run (Ctrl+O)"))
        self.open_folder = Button(tr("Open a run or a folder…"), hint=tr("Open the folder of a run or of texts"))
        self.open_model = Button(tr("Open a pretrained model…"), hint=tr("Open a model in the format of Hugging Face"))
        self.open_model.setEnabled(False)
        for button, signal in (
            (self.open_file, self.file_clicked),
            (self.open_folder, self.folder_clicked),
            (self.open_model, self.model_clicked),
        ):
            button.clicked.connect(signal)
            row.addWidget(button)
        return row

    @property
    def cards(self) -> list[Card]:
        """The cards of this place."""
        return [self.recent, self.recipes]

    def showEvent(self, event: QShowEvent) -> None:
        """Show what has changed while the place was hidden."""
        super().showEvent(event)
        self._show_machine()
        if self._registry.is_listed:
            self._show_runs()

    # ----------------------------------------------------------------------------------------------------------- runs

    def _runs_changed(self) -> None:
        if self.isVisible() and self._registry.is_listed and not self._later.isActive():
            self._later.start(REFRESH if self.recent.tiles else 0)

    def _show_runs(self) -> None:
        """Show the recent runs, and read the curves that are not known yet."""
        runs = self._registry.runs
        shown = runs[:SHOWN]
        rows = [self._row(run) for run in shown]
        named = next((run for run in runs if run.works and run.state != RunState.QUEUED), runs[0] if runs else None)
        text, key = ("", "") if named is None else (_continue_label(named), named.key)
        self.recent.show_runs(rows, len(runs), text, key)
        missing = [run for run in shown if run.key not in self._curves and run.path is not None]
        if missing:
            folders = {run.key: run.source.folder for run in missing}
            self._curves.update(dict.fromkeys(folders, (None, ())))
            work = partial(_read_curves, folders)
            self._session.background.run(tr("Reading the curves of recent runs"), work, self._take_curves)
        self._find_past(runs)
        self._show_durations()

    def _find_past(self, runs: Sequence[RunModel]) -> None:
        """Compare finished runs with the shipped recipes, each once."""
        known = self.durations.known
        finished = [one for run in runs if run.key not in known and (one := _measured(run)) is not None]
        if self._ready and finished:
            known.update(dict.fromkeys(one.key for one in finished))
            work = partial(_past_runs, finished, self._session.plugins)
            self._session.background.run(tr("Comparing runs with recipes"), work, self._take_past)

    def _take_past(self, found: dict[str, PastRun | None]) -> None:
        self.durations.known.update(found)
        self._show_durations()

    def _row(self, run: RunModel) -> RecentRow:
        unit = self._registry.loss_unit
        unit = unit if unit != KL and is_known(run, unit) else NATS  # the floors of the recent runs are not read
        loss = None if run.loss is None else convert_one(run.loss, run, unit)
        return RecentRow(
            run.key,
            run.name,
            " · ".join(filter(None, (time_since(run.created), self._architecture(run), self._corpus(run)))),
            "" if loss is None else loss_text(loss),
            run_colour(run),
            run_dashes(run),
            run.state,
            self._curve(run),
            "" if loss is None else short_unit_name(run, unit),
            "" if loss is None else _loss_label(run, with_unit(loss, unit, run)),
        )

    def _curve(self, run: RunModel) -> Points:
        """Return the small curve of a run; () until it was read."""
        if run.curves.names():
            from lab.shell.home.curves import curve_in_memory

            version = run.series.version
            known = self._curves.get(run.key)
            if known is None or known[0] != version:
                self._curves[run.key] = version, curve_in_memory(run.curves)
        return self._curves.get(run.key, (None, ()))[1]

    def _take_curves(self, read: dict[str, Points]) -> None:
        for key, curve in read.items():
            if self._curves[key][0] is None:
                self._curves[key] = None, curve
        self._show_runs()

    def _corpus(self, run: RunModel) -> str:
        folder = run.source.folder
        facts = None if folder is None else folder.facts.get("corpus")
        name = facts.get("name") if isinstance(facts, dict) else None
        return tr_registered(name) if isinstance(name, str) else self._title("corpora", run.recipe.corpus.name)

    def _architecture(self, run: RunModel) -> str:
        return self._title("architectures", run.recipe.architecture.name)

    def _title(self, kind: str, name: str) -> str:
        """Return the title of a card, or its name if its plugin is not loaded."""
        card = self._session.plugins.cards(kind).get(name)
        return name if card is None else tr_registered(card.title)

    # ------------------------------------------------------------------------------------------------------- durations

    def begin(self) -> None:
        """Find the speed of this machine now that the lab is ready, and show what the machine has."""
        self.open_model.setEnabled(True)
        self._ready = True
        if self._registry.is_listed:
            self._find_past(self._registry.runs)
        devices = self._session.devices()
        self._found = [_cores(), ", ".join(devices) or tr("no GPU")]
        self._show_machine()
        reference = self.model.gallery.core_seconds
        self._session.background.run(
            tr("Measuring this machine"), partial(_machine, reference, self.durations.speed), self._take_machine
        )

    def _show_machine(self) -> None:
        """Show what the machine has, and the profile if it is the light one."""
        light = [tr("light profile")] if profile.now() is profile.LIGHT else []
        self._machine.set_full_text(" · ".join(self._found + light))

    def _take_machine(self, found: tuple[float | None, float]) -> None:
        self.durations.speed, free = found
        self._found.append(tr("{n}B of memory free", n=localized(short(free))))
        if profile.resolve_again():  # the speed that was measured counts at once, as it does for every other process
            themes.follow_profile()
            self.profile_changed.emit()
        self._show_machine()
        self._show_durations()

    def _show_durations(self) -> None:
        runs = self._registry.runs
        past = [(one, run) for run in runs if (one := self.durations.known.get(run.key)) is not None]
        self.durations.take_past([PastRun(one.recipe, run.full_seconds() or one.seconds) for one, run in past])
        self.watch.show_note(duration_note(self.durations.seconds(quick_start_name())))
        self.text.show_note(duration_note(self.durations.seconds(QUICK_START)))
        self.compare.show_note(duration_note(self.durations.seconds(*COMPARED)))
        self.recipes.show_durations()
        self.estimated.emit()


def _cores() -> str:
    count = profile.usable_cores()
    return tr("1 core") if count == 1 else tr("{n} cores", n=count)


def _continue_label(run: RunModel) -> str:
    """Return the label of the button that continues the last run."""
    if run.works or run.elsewhere:
        return tr("Watch {run}", run=run.name)
    if run.state in RESUMABLE:
        return tr("Resume {run}", run=run.name)
    return tr("Continue with {run}", run=run.name)


def _loss_label(run: RunModel, loss: str) -> str:
    """Return a text that says what the loss of a run is."""
    if run.is_validated:
        return tr("validation loss: {loss}", loss=loss)
    return tr("training loss: {loss}", loss=loss)


def _measured(run: RunModel) -> FinishedRun | None:
    """Return a run with the duration of its training; None if that is not known."""
    seconds, folder = run.full_seconds(), run.source.folder
    return None if seconds is None or folder is None else FinishedRun(run.key, run.recipe, folder.facts, seconds)


def _past_runs(runs: Sequence[FinishedRun], plugins: Plugins, job: Job) -> dict[str, PastRun | None]:
    """Compare finished runs with the shipped recipes; in a thread."""
    del job
    return past_runs(runs, lambda recipe, base: differences(recipe, base, plugins))


def _read_curves(folders: dict[str, Any], job: Job) -> dict[str, Points]:
    """Read the small curves of runs; in a thread."""
    from lab.shell.home.curves import curve_on_disk

    found: dict[str, Points] = {}
    for key, folder in folders.items():
        if job.cancelled:
            break
        found[key] = () if folder is None else curve_on_disk(folder)
    return found


def _machine(reference: float, known: float | None, job: Job) -> tuple[float | None, float]:
    """Return the speed of this machine, measured unless it is known, and its free memory in bytes; in a thread."""
    import psutil  # type: ignore[import-untyped]

    del job
    return known or read_speed(reference) or measure_speed(reference), float(psutil.virtual_memory().available)
