"""The session of a window, without widgets: its plugins, workbench, runs and draft, and the commands for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from lab.base.files.writing import check_writable, named_by_user, write_file
from lab.base.folders import home
from lab.base.notices import notify
from lab.base.problems import LabError, Problem
from lab.base.run_state import RunState
from lab.base.system.folders import unreadable
from lab.base.system.policy import policy
from lab.host import Plugins
from lab.recipes import Recipe, gallery, shipped
from lab.shell.runtime.background import Background
from lab.shell.runtime.warm_up import WarmUp
from lab.shell.session.corpus.fit import CorpusFit
from lab.shell.session.costs import DraftCosts, accelerators, speed_like
from lab.shell.session.draft import BranchPoint, Draft, shown_title
from lab.shell.session.missing_floors import MissingFloors
from lab.shell.session.model_provider import ModelProvider
from lab.shell.session.opened_corpus import OpenedCorpus
from lab.shell.session.opener import Opener
from lab.shell.session.queue_commands import QueueCommands
from lab.shell.session.runs.commands import RunCommands
from lab.shell.session.runs.durations import Durations
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.shell.session.runs.transfers import RunTransfers
from lab.widgets.core.drawing import Drawing
from lab.widgets.core.i18n import tr, tr_n
from lab.workbench import Workbench
from lab.workbench.queue_file import QueueFile

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.shell.session.studies import StudyController


class Readiness(Enum):
    """The readiness of the lab to start a run."""

    LOADING = auto()
    """Torch and the plugins are being loaded."""
    READY = auto()
    """Runs can be started."""
    FAILED = auto()
    """The warm-up failed, so no run can be started."""


@dataclass(frozen=True)
class PendingStart:
    """A start that waits until the lab is ready, or until an opened corpus is read.

    Args:
        shipped: The shipped recipes to start one after the other; () to start the draft.
        alongside: True to start the draft in a process of its own.
    """

    shipped: tuple[str, ...] = ()
    alongside: bool = False


class Session(QObject):
    """The session of one window.

    Args:
        plugins: The plugins; those of third parties are loaded in the warm-up.
        parent: Its parent.
        floors: True to find the floors of runs in the background.

    Attributes:
        readiness: The readiness to start a run.
        is_started: True once `begin` was called.
    """

    changed = Signal()
    """The available commands, or something shown of the session, may have changed."""
    refused = Signal(object)
    """A Problem of the draft."""

    def __init__(self, plugins: Plugins, parent: QObject | None = None, *, floors: bool = False) -> None:
        super().__init__(parent)
        self.plugins = plugins
        self.workbench = Workbench(plugins, QueueFile(), floors=floors)
        self.background = Background(self)
        self.drawing = Drawing(self)
        self.draft = Draft(plugins, self)
        self.corpus_fit = CorpusFit(self.draft, self.background, self)
        self.registry = RunRegistry(self.workbench, self.background, self)
        self.run_commands = RunCommands(self.workbench, self.registry, self.background, self)
        self.transfers = RunTransfers(self.workbench, self.registry, self.background, self)
        self.queue_commands = QueueCommands(self.workbench, self.registry, self)
        self.model_provider = ModelProvider(self.registry, self.draft, plugins)
        self.warm_up = WarmUp(self)
        self.readiness = Readiness.LOADING
        self._pending: PendingStart | None = None
        self.is_started = False
        self._progress = tr("Opening")  # what is being loaded
        self._opened_corpus = OpenedCorpus(self.draft, self.background, self._corpus_read)
        self.opener = Opener(self.draft, self.registry, self.transfers, self._opened_corpus, self)
        self.opener.refused.connect(self.refused)
        self.durations = Durations(gallery().recordings)
        self.costs = DraftCosts(self.draft, self.workbench, self.background, self.durations, self)
        self.costs.measured_speed = lambda recipe: speed_like(recipe, self.registry.runs)
        self.registry.list_changed.connect(self.costs.follow_speed)
        self.registry.refused.connect(self._refuse)
        self.registry.interrupted.connect(self.run_commands.report_interrupted)
        self.run_commands.drafted.connect(self._take_drafted)
        self.run_commands.changes_drafted.connect(self._apply_drafted)
        self.registry.selection_changed.connect(self._compare)
        self._missing = MissingFloors(self.workbench.floors, self.registry, self.warm_up, self)
        self.registry.data_changed.connect(self._pace_drawing)
        self.registry.list_changed.connect(self._pace_drawing)
        self.warm_up.done.connect(self._ready)
        self.warm_up.charts_loaded.connect(self.drawing.release)
        self.warm_up.failed.connect(self._not_ready)
        self.warm_up.progress.connect(self._show_progress)

    @cached_property
    def studies(self) -> StudyController:
        """The controller of studies; made when it is first needed."""
        from lab.shell.session.studies import StudyController

        return StudyController(self.plugins, self.background, self)

    # -------------------------------------------------------------------------------------------------------- its life

    def begin(self) -> None:
        """Read the list of runs, warm up, and prepare the Python manual; called after the window is painted.

        A window that is made again calls it again, and receives the signals for everything it has to show.
        """
        if self.is_started:
            self._announce()
            return
        self.is_started = True
        for problem in (*policy().problems, *unreadable()):  # the window did not listen yet when these were found
            notify("warning", problem)
        self.registry.begin()
        self.queue_commands.restore()
        self.transfers.begin()
        self.background.run(tr("Preparing the Python manual"), self._prepare_home, self._ignore, self._ignore)
        self.drawing.hold()
        self.warm_up.start(self.plugins)

    def _announce(self) -> None:
        """Emit what a new window has to show."""
        self.registry.list_changed.emit()
        self.registry.selection_changed.emit()
        for run in self.registry.runs:
            self.registry.data_changed.emit(run)
        if self.readiness is Readiness.READY:
            self.costs.begin()
        self.draft.changed.emit()
        self.changed.emit()

    def _prepare_home(self, job: Job) -> None:
        """Report a home that cannot be written to, before there is a run to lose, or else use it; in a thread."""
        try:
            check_writable(home())
        except LabError as error:
            notify("warning", error.problem)
        else:
            self._prepare_manual(job)

    def _prepare_manual(self, job: Job) -> None:
        """Prepare the text of the Python manual, which takes seconds at the first start on a machine."""
        from lab.text.corpora.manual import prepare_manual

        prepare_manual(lambda: job.cancelled)

    def _ignore(self, _problem: Problem | None) -> None:
        """Ignore the result, which is stored; a problem is reported when a run needs the manual."""

    def shut_down(self) -> None:
        """Cancel all work except the runs; nothing new starts, and no callback is called any more."""
        self.costs.stop()
        self.warm_up.stop()
        self.background.stop()

    def join(self) -> None:
        """Wait for the work that `shut_down` cancelled, for some seconds at most; any thread may call it."""
        self.warm_up.join()
        self.background.join()

    def close(self) -> None:
        """Cancel all work, wait for it, and stop updating the runs."""
        self.shut_down()
        self.join()
        self.registry.close()

    @property
    def loading_label(self) -> str:
        """A label of what is being loaded; "" once the lab is ready, or loading failed."""
        return self._progress if self.readiness is Readiness.LOADING else ""

    @property
    def waiting(self) -> bool:
        """True if a start waits until the lab is ready, or until an opened corpus is read."""
        return self._pending is not None

    def _ready(self) -> None:
        self.readiness = Readiness.READY
        self.costs.begin()
        self.draft.changed.emit()  # cards of third parties are available now
        self.opener.begin()
        self._start_pending()
        self.changed.emit()

    def take_registered_cards(self) -> None:
        """Show the cards that plugins add now, since some were enabled or disabled."""
        self.draft.changed.emit()
        self.changed.emit()

    def _start_pending(self) -> None:
        """Make the start that waits; it waits again if not all is there."""
        pending, self._pending = self._pending, None
        if pending is not None and pending.shipped:
            self.start_shipped(pending.shipped)
        elif pending is not None:
            self.start(alongside=pending.alongside)

    def _corpus_read(self, is_taken: bool) -> None:
        """Make the start of the draft that waited for an opened corpus; drop it if that was not taken."""
        if self._pending is not None and not self._pending.shipped:
            if is_taken:
                self._start_pending()
            else:
                self._pending = None
        self.changed.emit()

    def _not_ready(self) -> None:
        self.readiness, self._pending = Readiness.FAILED, None
        self.opener.give_up()
        self.changed.emit()

    def _show_progress(self, label: str) -> None:
        self._progress = label
        self.changed.emit()

    def _pace_drawing(self) -> None:
        self.drawing.busy = self.registry.training_here

    # ------------------------------------------------------------------------------------------------------------ runs

    @property
    def selected(self) -> RunModel | None:
        """The run on which the toolbar acts."""
        return self.registry.selected

    @property
    def state(self) -> RunState | None:
        """The state of the selected run while it trains or is queued, here or in another process; else None."""
        run = self.selected
        return run.state if run is not None and (run.active is not None or run.elsewhere) else None

    @property
    def waits_for(self) -> str:
        """The name of the run that has to finish before a new run starts; "" if a new run starts at once."""
        working = self.registry.working
        return working[-1].name if working else ""

    def pause_or_resume(self) -> None:
        """Pause the selected run if it trains, or resume it if it is paused."""
        if self.state == RunState.RUNNING:
            self._command("pause")
        elif self.state == RunState.PAUSED:
            self._command("resume")

    def _command(self, name: str, *arguments: Any) -> None:
        """Send a command to the training of the selected run."""
        control = self.selected.control if self.selected is not None else None
        if control is not None:
            try:
                getattr(control, name)(*arguments)
            except LabError as error:
                notify("warning", error.problem)

    def start(self, *, alongside: bool = False) -> None:
        """Start a run of the draft, as soon as the lab is ready and the opened corpus is read; queue it if one trains.

        Args:
            alongside: True to start at once in a process of its own, even while another run trains.
        """
        if self.readiness is Readiness.LOADING or self._opened_corpus.is_reading:
            self._pending = PendingStart(alongside=alongside)
            self.changed.emit()
            return
        if not self._can_start():
            return
        before = self.registry.working
        run = self._start(alongside=alongside)
        if run is None:
            return
        if run.state == RunState.QUEUED and before:
            notify("info", tr("{run} is queued behind {other}", run=run.name, other=before[-1].name))
        self._compare()
        self.changed.emit()

    def start_shipped(self, names: Sequence[str]) -> None:
        """Start shipped recipes one after the other, as soon as the lab is ready; the draft stays as it is.

        The first one is selected, and they are shown together, without any other run.
        """
        if self.readiness is Readiness.LOADING:
            self._pending = PendingStart(shipped=tuple(names))
            self.changed.emit()
            return
        if not self._can_start():
            return
        recipes = [shipped(name) for name in names]
        titled = [recipe.with_values({"title": shown_title(recipe.title)}) for recipe in recipes]
        runs = [self.registry.start(recipe) for recipe in titled]
        self.registry.select(runs[0].key)
        self.registry.show_only([run.key for run in runs])
        self.changed.emit()

    def _can_start(self) -> bool:
        """Return True if the lab got ready; report again why it did not otherwise."""
        if self.warm_up.problem is not None:
            notify("error", self.warm_up.problem)
        return self.readiness is not Readiness.FAILED

    def _start(self, *, alongside: bool) -> RunModel | None:
        """Start a run of the draft, from its branch point if it has one. Return None if that is refused."""
        branch_point = self.draft.branch_point
        try:
            if branch_point is None:
                return self.registry.start(self.draft.ready(), alongside=alongside)
            changes = self.draft.assignments()
            run = self.registry.adopt(
                self.workbench.branch(
                    branch_point.run,
                    branch_point.step,
                    changes,
                    weights_only=branch_point.weights_only,
                    process=alongside,
                )
            )
        except LabError as error:
            self.refused.emit(error.problem)
            return None
        self.draft.clear_branch_point()
        return run

    def _refuse(self, problem: Problem, run: RunModel | None) -> None:
        """Report why a run was not started, or not resumed."""
        if run is None:
            self.refused.emit(problem)
        else:
            self.run_commands.refuse(problem, run)

    def step(self) -> None:
        """Let the selected run make one step and pause."""
        self._command("single_step")

    def stop(self) -> None:
        """Stop and save the selected run, or remove it from the queue if it is queued."""
        run = self.selected
        if self._pending is not None:
            self._pending = None
        elif run is not None and not self.registry.withdraw(run):
            self._command("stop")
            self.registry.list_changed.emit()
        self.changed.emit()

    def change_live(self, path: str, value: Any) -> None:
        """Change a live setting of the selected run; the draft stays as it is.

        Args:
            path: Its path in the recipe.
            value: Its new value, which the config of the run accepts.
        """
        self._command("set", path, value)

    # ----------------------------------------------------------------------------------------------------------- draft

    def set_device(self, device: str) -> None:
        """Select the device of the next run."""
        self._report(self.draft.edit("training.device", device))

    def use_recipe(self) -> None:
        """Make the selected run's recipe the draft."""
        if self.selected is not None:
            self._report(self.draft.take(self.selected.recipe_here, self.selected.name))

    def take_recipe(self, name: str) -> None:
        """Make a recipe of the gallery the draft.

        Args:
            name: The name of a shipped recipe, or the path of a shared one.
        """
        is_shared = Path(name).is_absolute()
        problem = self.draft.take_file(Path(name)) if is_shared else self.draft.take(shipped(name), name)
        self._report(problem)
        if problem is None:
            title = self.draft.recipe.title or Path(name).stem
            notify("info", tr("The configuration is now {title}", title=shown_title(title)))

    def take(self, recipe: Recipe, name: str) -> bool:
        """Make a recipe the draft. Return False if it is refused, which is reported."""
        problem = self.draft.take(recipe, name)
        self._report(problem)
        return problem is None

    def _take_drafted(self, recipe: Recipe, name: str, branch_point: BranchPoint | None) -> None:
        if branch_point is not None:
            self._report(self.draft.branch_from(branch_point))
        else:
            problem = self.draft.take(recipe, name)
            self._report(problem)
            if problem is None:
                edits = len(recipe.training.edits)
                message = tr_n(
                    "The configuration is now that of {run}, with 1 edit as a schedule",
                    "The configuration is now that of {run}, with {n} edits as a schedule",
                    edits,
                    run=name,
                )
                notify("info", message)

    def _apply_drafted(self, changes: Mapping[str, Any]) -> None:
        self._report(self.draft.apply(changes))

    def save_recipe(self, file: Path) -> None:
        """Write the draft as a recipe file."""
        try:
            with named_by_user():
                write_file(file, self.draft.ready().to_toml())
        except LabError as error:
            notify("error", error.problem)
        else:
            notify("info", tr("Saved {file}", file=file.name))

    def open_paths(self, paths: Sequence[str]) -> None:
        """Open files; see `Opener.open_path`."""
        self.opener.open_paths(paths)

    def open_path(self, path: str) -> None:
        """Open a file; see `Opener.open_path`."""
        self.opener.open_path(path)

    def _report(self, problem: Problem | None) -> None:
        if problem is not None:
            self.refused.emit(problem)

    def _compare(self) -> None:
        run = self.selected
        if run is not None:
            self.draft.compare_with(run.recipe_here, run.name)
        else:
            self.draft.compare_with_original()

    def devices(self) -> list[str]:
        """Return the accelerators of this machine; [] before the lab is ready."""
        return accelerators() if self.readiness is Readiness.READY else []
