"""The commands for single runs: resume, save a checkpoint, verify, branch, repeat."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from lab.base.notices import notify
from lab.base.problems import LabError, Problem
from lab.base.run_state import RESUMABLE, TRAINING, RunState
from lab.recipes import Recipe
from lab.runs import RunFolder
from lab.shell.runtime.background import Background
from lab.shell.session.draft import BranchPoint
from lab.shell.session.runs.formatting import long_step_label
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.widgets.core.i18n import number_text, tr
from lab.workbench import ProcessRun, Workbench
from lab.workbench.analysis.verify import Verification

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.workbench.launch.preflight import Preflight


class RunCommands(QObject):
    """The commands of a window for single runs.

    Args:
        workbench: The workbench.
        registry: The runs.
        background: Runs work in threads.
        parent: Its parent.
    """

    offered = Signal(str, str, object)
    """A message, the label of a button, and the function that the button calls."""
    lacks_text = Signal(object, object)
    """A RunModel that cannot be resumed because its text was not found, and the Problem."""
    show_interrupted = Signal()
    """A request to list the interrupted runs."""
    drafted = Signal(object, str, object)
    """A recipe for the draft, its name, and the BranchPoint of a branch, or None."""

    def __init__(
        self, workbench: Workbench, registry: RunRegistry, background: Background, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._workbench, self._registry, self._background = workbench, registry, background
        self._verifications: dict[str, _Verification] = {}  # the newest one of each run, by key
        self._steps: dict[str, int | None] = {}  # the requested steps of resumed runs, by key
        self._long_steps: set[str] = set()  # keys of runs whose long last step was reported
        registry.list_changed.connect(self._report_long_steps)

    # --------------------------------------------------------------------------------------------------------- resuming

    def can_resume(self, view: RunModel | None) -> bool:
        """Return True if a run can be resumed from its last checkpoint."""
        return view is not None and view.active is None and view.state in RESUMABLE and not view.elsewhere

    def can_train_further(self, view: RunModel | None) -> bool:
        """Return True if a run has ended and can be trained for more steps."""
        return view is not None and view.active is None and not view.elsewhere and view.path is not None

    def queue_position(self, view: RunModel) -> int:
        """Return the position of a run in the queue, 1 for the next one; 0 if it is not queued."""
        return next((number for number, run in enumerate(self._workbench.queue, start=1) if run is view.active), 0)

    def resume(self, view: RunModel, *, steps: int | None = None, corpus: Path | None = None) -> None:
        """Resume a run from its last checkpoint.

        Args:
            view: The run.
            steps: The new total number of steps; None leaves it unchanged.
            corpus: The path of its text, if the user selected it; None searches for the text.
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
        if view.state == RunState.QUEUED and before:
            notify("info", tr("{run} is queued behind {other}", run=view.name, other=before[-1].name))

    def compute_remaining(self, view: RunModel, steps: int, done: Callable[[Preflight | None], object]) -> None:
        """Compute the cost of the steps that a run has left, at its own speed if that is known.

        Args:
            view: The run.
            steps: Its new total number of steps.
            done: Called with the cost; with None if it cannot be computed.
        """
        left = view.recipe.with_values({"training": {"steps": steps - view.step}})
        work = partial(_cost_of, self._workbench, left, view.figures().get("tokens_per_second"))
        title, failed = tr("Computing the cost of a run"), partial(_without_cost, done)
        self._background.run(title, work, done, failed, replaces=f"cost of {view.key}")

    def refuse(self, problem: Problem, view: RunModel) -> None:
        """Report why a run was not resumed; if only its text is missing, let the user select it."""
        if (problem.field or "").partition(".")[0] == "corpus":
            self.lacks_text.emit(view, problem)
        else:
            notify("error", problem)

    def resume_with(self, view: RunModel, corpus: Path) -> None:
        """Resume a run with a text that the user selected."""
        self.resume(view, steps=self._steps.get(view.key), corpus=corpus)

    def can_save(self, view: RunModel | None) -> bool:
        """Return True if a run trains, here or in another process, and can save a checkpoint now."""
        return view is not None and (view.active is not None or view.elsewhere) and view.state in TRAINING

    def save(self, view: RunModel) -> None:
        """Let a training run save a checkpoint now, which the lab never removes."""
        control = view.control
        if control is None:
            return
        try:
            control.checkpoint()
        except LabError as error:  # it has just ended
            notify("warning", error.problem)
        else:
            notify(
                "info", tr("Saving a checkpoint of {run} at step {step}", run=view.name, step=number_text(view.step))
            )

    # -------------------------------------------------------------------------------------------------------- verifying

    def can_verify(self, view: RunModel | None) -> bool:
        """Return True if the last steps of a run can be trained again."""
        return view is not None and view.path is not None and view.step > 0 and view.verifying is None

    def verify(self, view: RunModel) -> None:
        """Train the last steps of a run again in the background, and compare them."""
        made = self._verifications[view.key] = _Verification(self._workbench, view)
        title = tr("Verifying {run}", run=view.name)
        taken, failed = partial(self._verified, made), partial(self._not_verified, made)
        self._background.run(title, made.work, taken, failed)
        self._registry.list_changed.emit()

    def cancel_verifying(self, view: RunModel) -> None:
        """End the verification of a run early; the steps trained so far are compared."""
        verification = self._verifications.get(view.key)
        if verification is not None:
            verification.cancelled = True

    def _verified(self, made: _Verification, found: Verification) -> None:
        if made.view.end_verifying(made.number, found):
            self._registry.list_changed.emit()

    def _not_verified(self, made: _Verification, problem: Problem) -> None:
        if made.view.end_verifying(made.number):
            self._registry.list_changed.emit()
            if not made.cancelled:
                notify("error", problem)

    # -------------------------------------------------------------------------------------------------- drafts of runs

    def can_branch(self, view: RunModel | None) -> bool:
        """Return True if a run may have a checkpoint to branch from; an imported run has one of step 0."""
        return view is not None and view.path is not None and (view.step > 0 or view.state == RunState.FINISHED)

    def find_checkpoints(self, view: RunModel, answer: Callable[[list[int]], object]) -> None:
        """Find the steps from which a branch can start.

        Args:
            view: The run.
            answer: Called in the main thread with the steps, in order.
        """
        folder = view.run.folder
        if folder is not None:
            title = tr("Finding checkpoints")
            self._background.run(title, partial(_complete_checkpoints, folder), answer, replaces="checkpoints")

    def branch(self, view: RunModel, step: int) -> None:
        """Make the recipe of a run at a checkpoint the draft; the next run starts with the weights stored there."""
        if view.run.folder is not None:
            work = partial(_draft_of_checkpoint, view, view.run.folder, step)
            title = tr("Reading the checkpoint of step {step}", step=number_text(step))
            self._background.run(title, work, self._drafted, replaces="draft")

    def replay(self, view: RunModel) -> None:
        """Make the recipe of a run the draft, with its live edits as a schedule."""
        if view.run.folder is not None:
            work = partial(_draft_of_events, view, view.run.folder)
            self._background.run(tr("Reading {run}", run=view.name), work, self._drafted, replaces="draft")

    def _drafted(self, made: tuple[Recipe, str, BranchPoint | None]) -> None:
        self.drafted.emit(*made)

    # -------------------------------------------------------------------------------------------------------- recovery

    def report_interrupted(self, views: Sequence[RunModel]) -> None:
        """Report runs that were interrupted; a single one can be resumed with a click."""
        view = views[0]
        if len(views) == 1:
            message = tr("{run} was interrupted at step {step}", run=view.name, step=number_text(view.step))
            self.offered.emit(message, tr("Resume"), partial(self._resume_if_possible, view))
        else:
            message = tr("{n} runs were interrupted", n=len(views))
            self.offered.emit(message, tr("Show them"), self.show_interrupted.emit)

    def _report_long_steps(self) -> None:
        """Report a run whose step delays its stop, and offer to end its process if it has its own."""
        for view in self._registry.working:
            label, run = long_step_label(view), view.active
            if not label:
                self._long_steps.discard(view.key)
            elif view.key not in self._long_steps and isinstance(run, ProcessRun):
                self._long_steps.add(view.key)
                message = tr("{run} {state}. Ending its process loses the steps since its last checkpoint.",
                             run=view.name, state=label)  # fmt: skip
                self.offered.emit(message, tr("End its process"), run.end_process)

    def _resume_if_possible(self, view: RunModel) -> None:
        if self.can_resume(view):
            self.resume(view)


class _Verification:
    """A verification in progress; its thread checks whether it was cancelled, and stores the progress in the run.

    Args:
        workbench: The workbench, which trains the steps again.
        view: The run.

    Attributes:
        number: The number of its request.
        cancelled: True once the user has cancelled it.
    """

    def __init__(self, workbench: Workbench, view: RunModel) -> None:
        self.view, self.number, self.cancelled = view, view.start_verifying(), False
        self._workbench = workbench

    def work(self, job: Job) -> Verification:
        """Train the steps again; in a thread."""
        path = self.view.path
        assert path is not None
        return self._workbench.verify(path, cancelled=lambda: self.cancelled or job.cancelled, progress=self._progress)

    def _progress(self, made: int, total: int) -> None:
        if self.view.verifications.is_current(self.number):
            self.view.verifying = made / max(1, total)


def _complete_checkpoints(folder: RunFolder, job: Job) -> list[int]:
    """Return the steps of the checkpoints that include the state of the training; in a thread."""
    del job
    return [checkpoint.step for checkpoint in folder.checkpoints() if checkpoint.complete]


def _draft_of_checkpoint(
    view: RunModel, folder: RunFolder, step: int, job: Job
) -> tuple[Recipe, str, BranchPoint | None]:
    """Return the recipe that was in force at a checkpoint, with live edits; in a thread."""
    from lab.training.recording.checkpoints import load_facts
    from lab.workbench.launch.live_edits import in_force

    del job
    recipe = in_force(view.recipe_here, load_facts(folder.checkpoint_folder(step)))
    return recipe, view.name, BranchPoint(view.name, folder.path, step, recipe)


def _draft_of_events(view: RunModel, folder: RunFolder, job: Job) -> tuple[Recipe, str, BranchPoint | None]:
    """Return the recipe of a run with its live edits as a schedule; in a thread."""
    from lab.workbench.launch.live_edits import replayed

    del job
    recipe, here = replayed(folder), view.recipe_here
    corpus = here.model_dump(mode="json", exclude_none=True)["corpus"]
    return recipe.with_values({"corpus": corpus}), view.name, None


def _cost_of(workbench: Workbench, recipe: Recipe, speed: Any, job: Job) -> Preflight:
    """Compute the cost of a recipe, with the time at a known speed in tokens per second; in a thread."""
    del job
    found = workbench.preflight(recipe)
    is_known = isinstance(speed, int | float) and math.isfinite(speed) and speed > 0
    return replace(found, seconds=found.tokens / speed) if is_known else found


def _without_cost(done: Callable[[None], object], problem: Problem) -> None:
    """Go on without the cost; what is wrong is reported when the run is resumed."""
    del problem
    done(None)
