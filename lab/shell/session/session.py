"""What a window works on: plugins, workbench, runs, draft; and what a person can do with them. No widgets."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from lab.api import NoSettings, settings_of
from lab.base.notices import notify
from lab.base.problems import LabError, Problem
from lab.base.writing import write_file
from lab.host import Plugins
from lab.recipes import Recipe, Training, shipped
from lab.runs.records import BUNDLE
from lab.shell.runtime.background import Background
from lab.shell.runtime.warm_up import WarmUp
from lab.shell.session.draft import BranchPoint, Draft
from lab.shell.session.missing_floors import MissingFloors
from lab.shell.session.model_provider import ModelProvider
from lab.shell.session.opened_corpus import use_opened_corpus
from lab.shell.session.queue_commands import QueueCommands
from lab.shell.session.runs.commands import RunCommands
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.shell.session.runs.transfers import RunTransfers
from lab.widgets.core.drawing import Drawing
from lab.widgets.core.i18n import tr
from lab.workbench import Workbench
from lab.workbench.queue_file import QueueFile

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.workbench.launch.preflight import Preflight

AFTER_EDIT = 350
"""Milliseconds without an edit after which the figures of the draft are computed."""
LONGEST_PASTE = 2_000_000
"""Characters of pasted text that a recipe carries; longer text belongs into a file."""


class Session(QObject):
    """The work of one window.

    Args:
        plugins: The plugins; third parties' wait for the warm-up.
        parent: Its parent.
        floors: Whether the floors of runs are found in the background.

    Attributes:
        waiting: Whether a start waits for the lab to be ready.
        words: What the lab does to be ready; "" where it cannot be.
    """

    changed = Signal()
    """What can be done changed."""
    refused = Signal(object)
    """A Problem of the draft."""
    opened = Signal(Path)
    """A file was opened."""
    figures = Signal(object)
    """A Preflight of the draft; None while it is computed, a Problem where it cannot be."""

    def __init__(self, plugins: Plugins, parent: QObject | None = None, *, floors: bool = False) -> None:
        super().__init__(parent)
        self.plugins = plugins
        self.workbench = Workbench(plugins, QueueFile(), floors=floors)
        self.background = Background(self)
        self.drawing = Drawing(self)
        self.draft = Draft(plugins, self)
        self.registry = RunRegistry(self.workbench, self.background, self)
        self.run_commands = RunCommands(self.workbench, self.registry, self.background, self)
        self.transfers = RunTransfers(self.workbench, self.registry, self.background, self)
        self.queue_commands = QueueCommands(self.workbench, self.registry, self)
        self.model_provider = ModelProvider(self.registry, self.draft, plugins)
        self.warm_up = WarmUp(self)
        self.waiting = False
        self.words = tr("Opening")
        self._postponed: list[str] = []
        self._beside = False
        self._figured: Recipe | None = None  # what the figures are of
        self._edited = QTimer(self)
        self._edited.setSingleShot(True)
        self._edited.setInterval(AFTER_EDIT)
        self._edited.timeout.connect(self._compute_figures)
        self.draft.changed.connect(self._draft_changed)
        self.draft.edited.connect(self._live)
        self.registry.refused.connect(self._refuse)
        self.registry.interrupted.connect(self.run_commands.tell_interrupted)
        self.run_commands.drafted.connect(self._take_drafted)
        self.transfers.opened.connect(self.opened)
        self.registry.selection_changed.connect(self._compare)
        self._missing = MissingFloors(self.workbench.floors, self.registry, self.warm_up, self)
        self.registry.data_changed.connect(self._pace)
        self.registry.list_changed.connect(self._pace)
        self.warm_up.done.connect(self._ready)
        self.warm_up.charts_loaded.connect(self.drawing.release)
        self.warm_up.failed.connect(self._not_ready)
        self.warm_up.progress.connect(self._say)

    # -------------------------------------------------------------------------------------------------------- its life

    def begin(self) -> None:
        """Called once the window is painted: reads the list of runs, warms up, and gathers the Python manual."""
        self.registry.begin()
        self.queue_commands.restore()
        self.transfers.begin()
        self.background.run(tr("Gathering the Python manual"), self._gather, self._gathered, self._gathered)
        self.drawing.hold()
        self.warm_up.start(self.plugins)

    def _gather(self, job: Job) -> None:
        """In a thread: the first start on a machine takes seconds for it, and keeps it."""
        del job
        self.plugins.card("corpora", "python-manual").make(NoSettings())

    def _gathered(self, told: Problem | None) -> None:
        """It is kept now; where it cannot be had, that is told when a run asks for it."""

    def shut_down(self) -> None:
        """Nothing new is begun, and what is under way beside the runs is asked to end and calls back no more."""
        self._edited.stop()
        self.warm_up.stop()
        self.background.stop()

    def join(self) -> None:
        """Waits for what `shut_down` asked to end, for some seconds at most; in any thread."""
        self.warm_up.join()
        self.background.join()

    def close(self) -> None:
        """Ends everything that calls back."""
        self.shut_down()
        self.join()
        self.registry.close()

    def _ready(self) -> None:
        self._compute_figures()
        self.draft.changed.emit()  # cards of third parties are there now
        postponed, self._postponed = self._postponed, []
        self.open_paths(postponed)
        if self.waiting:
            self.waiting = False
            self.start(beside=self._beside)
        self.changed.emit()

    def _not_ready(self) -> None:
        self.waiting, self.words = False, ""
        for file in self._postponed:
            notify("warning", tr("{file} was not opened, since torch could not be loaded", file=Path(file).name))
        self._postponed = []
        self.changed.emit()

    def _say(self, words: str) -> None:
        self.words = words
        self.changed.emit()

    def _pace(self) -> None:
        self.drawing.busy = self.registry.training_here

    # ------------------------------------------------------------------------------------------------------------ runs

    @property
    def selected(self) -> RunModel | None:
        """The run on which the toolbar acts."""
        return self.registry.selected

    @property
    def state(self) -> str:
        """The state of the selected run while it trains or waits, here or in another process; "" otherwise."""
        view = self.selected
        return view.state if view is not None and (view.active is not None or view.elsewhere) else ""

    def pause_or_resume(self) -> None:
        """Pauses the selected run while it trains, and lets it go on while it is paused."""
        if self.state == "running":
            self._order("pause")
        elif self.state == "paused":
            self._order("resume")

    def _order(self, order: str, *what: Any) -> None:
        """Gives the training of the selected run an order."""
        control = self.selected.control if self.selected is not None else None
        if control is not None:
            try:
                getattr(control, order)(*what)
            except LabError as error:
                notify("warning", error.problem)

    def start(self, *, beside: bool = False) -> None:
        """Starts a run of the draft; it waits for the lab to be ready, and for the runs before it.

        Args:
            beside: Start at once, also while another run trains, in a process of its own.
        """
        if not self.warm_up.ready:
            if self.words:
                self.waiting, self._beside = True, beside
                self.changed.emit()
            else:
                remedy = tr("Install torch again, then open the lab again; the log has its words")
                notify("error", Problem(tr("torch could not be loaded, so no run can be started"), remedy=remedy))
            return
        before = self.registry.working
        view = self._begun(beside=beside)
        if view is None:
            return
        if view.state == "queued" and before:
            notify("info", tr("{run} waits until {other} has ended", run=view.name, other=before[-1].name))
        self._compare()
        self.changed.emit()

    def _begun(self, *, beside: bool) -> RunModel | None:
        """The run of the draft, begun anew or with the checkpoint that the draft names; None where it is refused."""
        beginning = self.draft.beginning
        if beginning is None:
            return self.registry.start(self.draft.ready(), beside=beside)
        try:
            changes = self.draft.assignments()
            view = self.registry.adopt(self.workbench.branch(beginning.run, beginning.step, changes, process=beside))
        except LabError as error:
            self.refused.emit(error.problem)
            return None
        self.draft.clear_branch_point()
        return view

    def _refuse(self, problem: Problem, view: RunModel | None) -> None:
        """Tells why a run never began, or did not go on."""
        if view is None:
            self.refused.emit(problem)
        else:
            self.run_commands.refuse(problem, view)

    def step(self) -> None:
        """Has the selected run make one step, and pause."""
        self._order("single_step")

    def stop(self) -> None:
        """Stops the selected run, which is then saved; takes one that waits out of the queue."""
        view = self.selected
        if self.waiting:
            self.waiting = False
        elif view is not None and not self.registry.withdraw(view):
            self._order("stop")
        self.changed.emit()

    def _live(self, path: str, value: Any) -> None:
        """Hands an edit of the draft to the selected run, where it trains and the setting may change meanwhile."""
        if self.state in ("running", "paused") and self._is_live(path):
            self._order("set", path, value)

    def _is_live(self, path: str) -> bool:
        assert self.selected is not None
        theirs = self.selected.recipe.choices()
        for field, (kind, choice) in self.draft.recipe.choices().items():
            if path.startswith(f"{field}."):
                config: Any = self.plugins.card(kind, choice.name).config
                same = field in theirs and theirs[field][1].name == choice.name
                name = path.removeprefix(f"{field}.")
                return same and any(one.live and one.name == name for one in settings_of(config))
        name = path.removeprefix("training.")
        return path.startswith("training.") and any(one.live and one.name == name for one in settings_of(Training))

    # ----------------------------------------------------------------------------------------------------------- draft

    def set_device(self, device: str) -> None:
        """Chooses where the next run is computed."""
        self._tell(self.draft.edit("training.device", device))

    def use_recipe(self) -> None:
        """Makes the selected run's recipe the draft."""
        if self.selected is not None:
            self._tell(self.draft.take(self.selected.recipe_here, self.selected.name))

    def take_recipe(self, name: str) -> None:
        """Makes a recipe of the lab the draft."""
        recipe = shipped(name)
        problem = self.draft.take(recipe, name)
        self._tell(problem)
        if problem is None:
            notify("info", tr("{title} is the configuration now", title=recipe.title))

    def _take_drafted(self, recipe: Recipe, name: str, beginning: BranchPoint | None) -> None:
        if beginning is not None:
            self._tell(self.draft.branch_from(beginning))
        else:
            problem = self.draft.take(recipe, name)
            self._tell(problem)
            if problem is None:
                edits = len(recipe.training.edits)
                notify("info", tr("{run} is the configuration, with {n} edits as a schedule", run=name, n=edits))

    def save_recipe(self, file: Path) -> None:
        """Writes the draft as a recipe file."""
        try:
            write_file(file, self.draft.ready().to_toml())
        except LabError as error:
            notify("error", error.problem)
        else:
            notify("info", tr("Saved {file}", file=file.name))

    def open_paths(self, paths: Sequence[str]) -> None:
        """Opens what was dropped or chosen."""
        for path in paths:
            self.open_path(path)

    def open_path(self, file: str) -> None:
        """Opens one file: a recipe becomes the draft, a run or a bundle is listed, anything else is a corpus."""
        path = Path(file)
        if path.suffix.lower() == BUNDLE:
            self.transfers.take_in(path)
            return
        is_run = (path / "run.json").is_file()
        if not self.warm_up.ready and self.words and (is_run or path.suffix.lower() == ".toml"):
            self._postponed.append(file)  # it may name cards of plugins that are not loaded yet
            return
        if is_run:
            self._open_run(path)
        elif path.suffix.lower() == ".toml":
            problem = self.draft.take_file(path)
            self._tell(problem)
            if problem is None:
                notify("info", tr("{file} is the configuration now", file=path.name))
        else:
            self._take_corpus({"name": "file", "path": str(path)}, path.name)
        self.opened.emit(path)

    def paste(self, words: str) -> None:
        """Makes pasted or dropped text the corpus of the draft."""
        if len(words) > LONGEST_PASTE:
            what = tr("the pasted text has {n} characters", n=f"{len(words):,}")
            notify("warning", Problem(what, field="corpus.text", remedy=tr("Save it as a file and drop the file")))
        elif words.strip():
            self._take_corpus({"name": "text", "text": words}, tr("the pasted text"))
        else:
            notify("info", tr("there is no text to take as corpus"))

    def _take_corpus(self, corpus: dict[str, Any], name: str) -> None:
        self._tell(use_opened_corpus(self.draft, self.background, corpus, name))

    def _open_run(self, path: Path) -> None:
        try:
            self.registry.open(path)
        except LabError as error:
            notify("error", error.problem)

    def _tell(self, problem: Problem | None) -> None:
        if problem is not None:
            self.refused.emit(problem)

    def _compare(self) -> None:
        view = self.selected
        if view is not None:
            self.draft.compare_with(view.recipe_here, view.name)
        else:
            self.draft.compare_with_original()

    # --------------------------------------------------------------------------------------------------------- figures

    def _draft_changed(self) -> None:
        self._edited.start()

    def _compute_figures(self) -> None:
        if self.warm_up.ready and self._figured is not self.draft.recipe:
            self._figured = self.draft.recipe
            self.figures.emit(None)
            figuring = _Figuring(self.workbench, self.draft.recipe)
            title = tr("Computing what a run would cost")
            self.background.run(title, figuring.work, self._take_figures, self._no_figures, replaces="figures")

    def _take_figures(self, found: Preflight) -> None:
        self.figures.emit(found)

    def _no_figures(self, problem: Problem) -> None:
        self.figures.emit(problem)

    def devices(self) -> list[str]:
        """The accelerators there are, once the lab is ready."""
        if not self.warm_up.ready:
            return []
        import torch

        found = [f"cuda:{place}" for place in range(torch.cuda.device_count())]
        with contextlib.suppress(AttributeError):
            found += ["mps"] if torch.backends.mps.is_available() else []
        return found


class _Figuring:
    """One computation of what a run would cost."""

    def __init__(self, workbench: Workbench, recipe: Recipe) -> None:
        self._workbench, self._recipe = workbench, recipe

    def work(self, job: Job) -> Preflight:
        """Computes; in a thread of its own."""
        del job
        return self._workbench.preflight(self._recipe)
