"""What a person can have a run do: go on, be kept as it is, be verified, begin another one, be done once more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from lab.base.notices import notify
from lab.base.problems import LabError, Problem
from lab.recipes import Recipe
from lab.runs import RunFolder
from lab.shell.runtime.background import Background
from lab.shell.session.draft import BranchPoint
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.widgets.core.i18n import tr
from lab.workbench import Workbench
from lab.workbench.analysis.verify import Verification

if TYPE_CHECKING:
    from lab.base.jobs import Job

RESUMABLE = ("interrupted", "stopped", "failed")
"""States in which a run can be taken up where it was."""


class RunCommands(QObject):
    """The orders of a window for its runs.

    Args:
        workbench: What follows them.
        registry: The runs.
        background: Brings work off the main thread.
        parent: Its parent.
    """

    offered = Signal(str, str, object)
    """Words, the face of a button that answers them, and what it does."""
    lacks_text = Signal(object, object)
    """A RunModel that cannot be resumed for its text is not found here, and the Problem."""
    interrupted_asked = Signal()
    """The runs that were interrupted are to be listed."""
    drafted = Signal(object, str, object)
    """A recipe for the draft, its name, and the Beginning of a branch, or None."""

    def __init__(
        self, workbench: Workbench, registry: RunRegistry, background: Background, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._workbench, self._registry, self._background = workbench, registry, background
        self._verifying: dict[str, _Verifying] = {}
        self._steps: dict[str, int | None] = {}  # asked for when a run was resumed, by its key

    # ------------------------------------------------------------------------------------------------------ going on

    def can_resume(self, view: RunModel | None) -> bool:
        """Whether a run can be taken up where it was."""
        return view is not None and view.active is None and view.state in RESUMABLE and not view.elsewhere

    def can_go_further(self, view: RunModel | None) -> bool:
        """Whether a run has ended, so that it can be trained for more steps."""
        return view is not None and view.active is None and not view.elsewhere and view.path is not None

    def place_in_queue(self, view: RunModel) -> int:
        """Where in the queue a run waits: 1 is the next one; 0 where it does not wait."""
        return next((place for place, run in enumerate(self._workbench.queue, start=1) if run is view.active), 0)

    def resume(self, view: RunModel, *, steps: int | None = None, corpus: Path | None = None) -> None:
        """Takes up a run where its last checkpoint was made.

        Args:
            view: The run.
            steps: Steps that it shall have in all; None leaves them.
            corpus: Where its text lies, where a person said so.
        """
        assert view.path is not None
        self._steps[view.key] = steps
        before = self._registry.working
        try:
            run = self._workbench.resume(view.path, steps=steps, corpus=corpus)
        except LabError as error:
            self.refuse(error.problem, view)
            return
        self._registry.resume(view, run)
        if view.state == "queued" and before:
            notify("info", tr("{run} waits until {other} has ended", run=view.name, other=before[-1].name))

    def refuse(self, problem: Problem, view: RunModel) -> None:
        """Tells why a run does not go on; where only its text is missing, it can be chosen."""
        if (problem.field or "").partition(".")[0] == "corpus":
            self.lacks_text.emit(view, problem)
        else:
            notify("error", problem)

    def resume_with(self, view: RunModel, corpus: Path) -> None:
        """Takes up a run whose text a person has chosen."""
        self.resume(view, steps=self._steps.get(view.key), corpus=corpus)

    def can_keep(self, view: RunModel | None) -> bool:
        """Whether a run trains, here or elsewhere, so that its state can be kept now."""
        return view is not None and (view.active is not None or view.elsewhere) and view.state in ("running", "paused")

    def keep(self, view: RunModel) -> None:
        """Has a run that trains make a checkpoint now, which the lab never removes."""
        control = view.control
        if control is None:
            return
        try:
            control.checkpoint()
        except LabError as error:  # it has ended just now
            notify("warning", error.problem)
        else:
            notify("info", tr("Run {run} is kept as it is at step {step}", run=view.name, step=f"{view.step:,}"))

    # ------------------------------------------------------------------------------------------------------ verifying

    def can_verify(self, view: RunModel | None) -> bool:
        """Whether the last steps of a run can be trained anew."""
        return view is not None and view.path is not None and view.step > 0 and view.verifying is None

    def verify(self, view: RunModel) -> None:
        """Trains the last steps of a run anew, in the background, and compares."""
        view.verifying = 0.0
        verifying = _Verifying(self._workbench, view, self._verified)
        title = tr("Verifying {run}", run=view.name)
        self._background.run(title, verifying.work, verifying.take, verifying.fail, replaces=f"verify {view.key}")
        self._verifying[view.key] = verifying
        self._registry.list_changed.emit()

    def cancel_verifying(self, view: RunModel) -> None:
        """Ends that."""
        verifying = self._verifying.get(view.key)
        if verifying is not None:
            verifying.cancel()

    def _verified(self, view: RunModel) -> None:
        self._verifying.pop(view.key, None)
        self._registry.list_changed.emit()

    # ---------------------------------------------------------------------------------------------------- other runs

    def can_branch(self, view: RunModel | None) -> bool:
        """Whether there may be a checkpoint from which another run can begin: one taken in has that of step 0."""
        return view is not None and view.path is not None and (view.step > 0 or view.state == "finished")

    def ask_checkpoints(self, view: RunModel, answer: Callable[[list[int]], object]) -> None:
        """Has the steps told from which another run can begin; in the main thread.

        Args:
            view: The run.
            answer: Called with them, in order.
        """
        if view.run.folder is not None:
            asking = _Checkpoints(view.run.folder)
            self._background.run(tr("Looking for checkpoints"), asking.work, answer, replaces="checkpoints")

    def branch(self, view: RunModel, step: int) -> None:
        """Makes what a run had at a checkpoint the draft; a start of the draft then begins with its weights."""
        if view.run.folder is not None:
            making = _Drafting(view.run.folder, view, step)
            title = tr("Reading the checkpoint of step {step}", step=f"{step:,}")
            self._background.run(title, making.of_checkpoint, self._drafted, replaces="draft")

    def replay(self, view: RunModel) -> None:
        """Makes a recipe the draft that repeats a run with its live edits as a schedule."""
        if view.run.folder is not None:
            making = _Drafting(view.run.folder, view, 0)
            self._background.run(tr("Reading {run}", run=view.name), making.of_events, self._drafted, replaces="draft")

    def _drafted(self, made: tuple[Recipe, str, BranchPoint | None]) -> None:
        self.drafted.emit(*made)

    # ------------------------------------------------------------------------------------------------------- recovery

    def tell_interrupted(self, views: Sequence[RunModel]) -> None:
        """Tells once of runs that were interrupted; one is resumed with a click."""
        view = views[0]
        if len(views) == 1:
            words = tr("Run {run} was interrupted at step {step}", run=view.name, step=f"{view.step:,}")
            self.offered.emit(words, tr("Resume"), _Resuming(self, view))
        else:
            words = tr("{n} runs were interrupted", n=len(views))
            self.offered.emit(words, tr("Show them"), self.interrupted_asked.emit)


class _Resuming:
    """The answer to the telling of an interruption."""

    def __init__(self, orders: RunCommands, view: RunModel) -> None:
        self._orders, self._view = orders, view

    def __call__(self) -> None:
        if self._orders.can_resume(self._view):
            self._orders.resume(self._view)


class _Checkpoints:
    """The checkpoints of a run, looked for."""

    def __init__(self, folder: RunFolder) -> None:
        self._folder = folder

    def work(self, job: Job) -> list[int]:
        """Their steps; in a thread of its own. One that lacks the state of the training can begin nothing."""
        del job
        return [checkpoint.step for checkpoint in self._folder.checkpoints() if checkpoint.complete]


class _Drafting:
    """A recipe made of a run."""

    def __init__(self, folder: RunFolder, view: RunModel, step: int) -> None:
        self._folder, self._view, self._step = folder, view, step

    def of_checkpoint(self, job: Job) -> tuple[Recipe, str, BranchPoint | None]:
        """What held at the checkpoint, live edits included; in a thread of its own."""
        from lab.training.recording.checkpoints import load_facts
        from lab.workbench.launch.live_edits import in_force

        del job
        name, step = self._view.name, self._step
        recipe = in_force(self._view.recipe_here, load_facts(self._folder.checkpoint_folder(step)))
        return recipe, name, BranchPoint(name, self._folder.path, step, recipe)

    def of_events(self, job: Job) -> tuple[Recipe, str, BranchPoint | None]:
        """The run's recipe with its live edits as a schedule; in a thread of its own."""
        from lab.workbench.launch.live_edits import replayed

        del job
        recipe, here = replayed(self._folder), self._view.recipe_here
        corpus = here.model_dump(mode="json", exclude_none=True)["corpus"]
        return recipe.with_values({"corpus": corpus}), self._view.name, None


class _Verifying:
    """One verification."""

    def __init__(self, workbench: Workbench, view: RunModel, done: Callable[[RunModel], object]) -> None:
        self._workbench, self._view, self._done = workbench, view, done
        self._cancelled = False
        self._job: Job | None = None

    def cancel(self) -> None:
        """Ends it earlier; what was trained till then counts."""
        self._cancelled = True

    def work(self, job: Job) -> Verification:
        """Trains anew; in a thread of its own."""
        assert self._view.path is not None
        self._job = job
        return self._workbench.verify(self._view.path, cancelled=self._is_over, progress=self._tell)

    def take(self, found: Verification) -> None:
        """Shows what came of it; in the main thread."""
        self._view.verification, self._view.verifying = found, None
        self._done(self._view)

    def fail(self, problem: Problem) -> None:
        """Tells why nothing came of it; in the main thread."""
        self._view.verifying = None
        self._done(self._view)
        if not self._cancelled:
            notify("error", problem)

    def _is_over(self) -> bool:
        return self._cancelled or (self._job is not None and self._job.cancelled)

    def _tell(self, made: int, of: int) -> None:
        self._view.verifying = made / max(1, of)
