"""The commands for single runs: resume, save a checkpoint, verify, branch, repeat."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
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
    changes_drafted = Signal(object)
    """Settings that the draft is to get after its recipe."""

    def __init__(
        self, workbench: Workbench, registry: RunRegistry, background: Background, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._workbench, self._registry, self._background = workbench, registry, background
        self._verifications: dict[str, _Verification] = {}  # in progress, the newest one of each run, by key
        self._steps: dict[str, int | None] = {}  # the requested steps of resumed runs, by key
        self._long_steps: set[str] = set()  # keys of runs whose long last step was reported
        registry.list_changed.connect(self._report_long_steps)

    # --------------------------------------------------------------------------------------------------------- resuming

    def can_resume(self, run: RunModel | None) -> bool:
        """Return True if a run can be resumed from its last checkpoint."""
        return run is not None and run.active is None and run.state in RESUMABLE and not run.elsewhere

    def can_train_further(self, run: RunModel | None) -> bool:
        """Return True if a run has ended and can be trained for more steps."""
        return run is not None and run.active is None and not run.elsewhere and run.path is not None

    def queue_position(self, run: RunModel) -> int:
        """Return the position of a run in the queue, 1 for the next one; 0 if it is not queued."""
        return next((number for number, runner in enumerate(self._workbench.queue, start=1) if runner is run.active), 0)

    def resume(self, run: RunModel, *, steps: int | None = None, corpus: Path | None = None) -> None:
        """Resume a run from its last checkpoint.

        Args:
            run: The run.
            steps: The new total number of steps; None leaves it unchanged.
            corpus: The path of its text, if the user selected it; None searches for the text.
        """
        assert run.path is not None
        self._steps[run.key] = steps
        before = self._registry.working
        try:
            runner = self._workbench.resume(run.path, steps=steps, corpus=corpus)
        except LabError as error:
            self.refuse(error.problem, run)
            return
        self._registry.resume(run, runner)
        if run.state == RunState.QUEUED and before:
            notify("info", tr("{run} is queued behind {other}", run=run.name, other=before[-1].name))

    def compute_remaining(self, run: RunModel, steps: int, done: Callable[[Preflight | None], object]) -> None:
        """Compute the cost of the steps that a run has left, at its own speed if that is known.

        Args:
            run: The run.
            steps: Its new total number of steps.
            done: Called with the cost; with None if it cannot be computed.
        """
        left = run.recipe.with_values({"training": {"steps": steps - run.step}})
        work = partial(_cost_of, self._workbench, left, run.figures().get("tokens_per_second"))
        title, failed = tr("Computing the cost of a run"), partial(_without_cost, done)
        self._background.run(title, work, done, failed, replaces=f"cost of {run.key}")

    def refuse(self, problem: Problem, run: RunModel) -> None:
        """Report why a run was not resumed; if only its text is missing, let the user select it."""
        if (problem.field or "").partition(".")[0] == "corpus":
            self.lacks_text.emit(run, problem)
        else:
            notify("error", problem)

    def resume_with(self, run: RunModel, corpus: Path) -> None:
        """Resume a run with a text that the user selected."""
        self.resume(run, steps=self._steps.get(run.key), corpus=corpus)

    def can_save(self, run: RunModel | None) -> bool:
        """Return True if a run trains, here or in another process, and can save a checkpoint now."""
        return run is not None and (run.active is not None or run.elsewhere) and run.state in TRAINING

    def save(self, run: RunModel) -> None:
        """Let a training run save a checkpoint now, which the lab never removes."""
        control = run.control
        if control is None:
            return
        try:
            control.checkpoint()
        except LabError as error:  # it has just ended
            notify("warning", error.problem)
        else:
            notify("info", tr("Saving a checkpoint of {run} at step {step}", run=run.name, step=number_text(run.step)))

    # -------------------------------------------------------------------------------------------------------- verifying

    def can_verify(self, run: RunModel | None) -> bool:
        """Return True if the last steps of a run can be trained again."""
        return run is not None and run.path is not None and run.step > 0 and run.verifying is None

    def verify(self, run: RunModel) -> None:
        """Train the last steps of a run again in the background, and compare them."""
        made = self._verifications[run.key] = _Verification(self._workbench, run)
        title = tr("Verifying {run}", run=run.name)
        taken, failed = partial(self._verified, made), partial(self._not_verified, made)
        self._background.run(title, made.work, taken, failed)
        self._registry.list_changed.emit()

    def cancel_verifying(self, run: RunModel) -> None:
        """End the verification of a run early; the steps trained so far are compared."""
        verification = self._verifications.get(run.key)
        if verification is not None:
            verification.cancelled = True

    def _verified(self, made: _Verification, found: Verification) -> None:
        self._forget(made)
        if made.run.end_verifying(made.number, found):
            self._registry.list_changed.emit()

    def _not_verified(self, made: _Verification, problem: Problem) -> None:
        self._forget(made)
        if made.run.end_verifying(made.number):
            self._registry.list_changed.emit()
            if not made.cancelled:
                notify("error", problem)

    def _forget(self, ended: _Verification) -> None:
        if self._verifications.get(ended.run.key) is ended:
            del self._verifications[ended.run.key]

    # -------------------------------------------------------------------------------------------------- drafts of runs

    def can_branch(self, run: RunModel | None) -> bool:
        """Return True if a run may have a checkpoint to branch from; an imported run has one of step 0."""
        return run is not None and run.path is not None and (run.step > 0 or run.state == RunState.FINISHED)

    def find_checkpoints(self, run: RunModel, answer: Callable[[list[int]], object], *, complete: bool = True) -> None:
        """Find the steps from which a branch can start.

        Args:
            run: The run.
            answer: Called in the main thread with the steps, in order.
            complete: Whether the state of the training is needed besides the weights.
        """
        folder = run.source.folder
        if folder is not None:
            title = tr("Finding checkpoints")
            self._background.run(title, partial(_checkpoints, folder, complete), answer, replaces="checkpoints")

    def branch(
        self, run: RunModel, step: int, *, weights_only: bool = False, changes: Mapping[str, Any] | None = None
    ) -> None:
        """Make the recipe of a run at a checkpoint the draft; the next run starts with the weights stored there.

        Args:
            run: The run.
            step: The step of the checkpoint.
            weights_only: Whether the next run begins at step 0, with the weights alone.
            changes: Settings that the draft gets besides.
        """
        if run.source.folder is not None:
            work = partial(_draft_of_checkpoint, run, run.source.folder, step, weights_only)
            title = tr("Reading the checkpoint of step {step}", step=number_text(step))
            self._background.run(title, work, partial(self._drafted, changes=changes), replaces="draft")

    def replay(self, run: RunModel) -> None:
        """Make the recipe of a run the draft, with its live edits as a schedule."""
        if run.source.folder is not None:
            work = partial(_draft_of_events, run, run.source.folder)
            self._background.run(tr("Reading {run}", run=run.name), work, self._drafted, replaces="draft")

    def _drafted(self, made: tuple[Recipe, str, BranchPoint | None], changes: Mapping[str, Any] | None = None) -> None:
        self.drafted.emit(*made)
        if changes:
            self.changes_drafted.emit(changes)

    # -------------------------------------------------------------------------------------------------------- recovery

    def report_interrupted(self, runs: Sequence[RunModel]) -> None:
        """Report runs that were interrupted; a single one can be resumed with a click."""
        run = runs[0]
        if len(runs) == 1:
            message = tr("{run} was interrupted at step {step}", run=run.name, step=number_text(run.step))
            self.offered.emit(message, tr("Resume"), partial(self._resume_if_possible, run))
        else:
            message = tr("{n} runs were interrupted", n=len(runs))
            self.offered.emit(message, tr("Show them"), self.show_interrupted.emit)

    def _report_long_steps(self) -> None:
        """Report a run whose step delays its stop, and offer to end its process if it has its own."""
        for run in self._registry.working:
            label, runner = long_step_label(run), run.active
            if not label:
                self._long_steps.discard(run.key)
            elif run.key not in self._long_steps and isinstance(runner, ProcessRun):
                self._long_steps.add(run.key)
                message = tr("{run} {state}. Ending its process loses the steps since its last checkpoint.",
                             run=run.name, state=label)  # fmt: skip
                self.offered.emit(message, tr("End its process"), runner.end_process)

    def _resume_if_possible(self, run: RunModel) -> None:
        if self.can_resume(run):
            self.resume(run)


class _Verification:
    """A verification in progress; its thread checks whether it was cancelled, and stores the progress in the run.

    Args:
        workbench: The workbench, which trains the steps again.
        run: The run.

    Attributes:
        number: The number of its request.
        cancelled: True once the user has cancelled it.
    """

    def __init__(self, workbench: Workbench, run: RunModel) -> None:
        self.run, self.number, self.cancelled = run, run.start_verifying(), False
        self._workbench = workbench

    def work(self, job: Job) -> Verification:
        """Train the steps again; in a thread."""
        path = self.run.path
        assert path is not None
        return self._workbench.verify(path, cancelled=lambda: self.cancelled or job.cancelled, progress=self._progress)

    def _progress(self, made: int, total: int) -> None:
        if self.run.verifications.is_current(self.number):
            self.run.verifying = made / max(1, total)


def _checkpoints(folder: RunFolder, complete: bool, job: Job) -> list[int]:
    """Return the steps of the checkpoints, or only those that include the state of the training; in a thread."""
    del job
    return [checkpoint.step for checkpoint in folder.checkpoints() if checkpoint.complete or not complete]


def _draft_of_checkpoint(
    run: RunModel, folder: RunFolder, step: int, weights_only: bool, job: Job
) -> tuple[Recipe, str, BranchPoint | None]:
    """Return the recipe that was in force at a checkpoint, with live edits; in a thread."""
    from lab.training.recording.checkpoints import load_facts
    from lab.workbench.launch.live_edits import in_force

    del job
    recipe = in_force(run.recipe_here, load_facts(folder.checkpoint_folder(step)))
    return recipe, run.name, BranchPoint(run.name, folder.path, step, recipe, weights_only)


def _draft_of_events(run: RunModel, folder: RunFolder, job: Job) -> tuple[Recipe, str, BranchPoint | None]:
    """Return the recipe of a run with its live edits as a schedule; in a thread."""
    from lab.workbench.launch.live_edits import replayed

    del job
    recipe, here = replayed(folder), run.recipe_here
    corpus = here.model_dump(mode="json", exclude_none=True)["corpus"]
    return recipe.with_values({"corpus": corpus}), run.name, None


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
