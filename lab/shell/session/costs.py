"""The cost of a run of the draft, computed in the background after every edit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from lab.base.jobs import Job, interruptible
from lab.base.problems import Problem
from lab.recipes import Recipe
from lab.shell.runtime.background import Background
from lab.shell.session.draft import Draft
from lab.shell.session.draft_changes import differences
from lab.shell.session.runs.durations import Durations, shipped_like
from lab.shell.session.runs.model import RunModel
from lab.widgets.core.i18n import time_text, tr
from lab.workbench import Workbench

if TYPE_CHECKING:
    from lab.workbench.launch.preflight import Preflight

AFTER_EDIT = 350
"""Milliseconds without an edit after which the costs of the draft are computed."""


class DraftCosts(QObject):
    """Computes the costs of the draft; nothing is computed before `begin`.

    Args:
        draft: The draft.
        workbench: Computes the costs of a recipe.
        background: Runs this in a thread.
        durations: The durations of the shipped recipes.
        parent: Its parent.

    Attributes:
        measured: True if the time in the reported costs is that of such a run on this machine, not an estimate.
        measured_speed: Returns those of a run like a recipe that trained in this window; None if there is none.
    """

    computed = Signal(object)
    """A Preflight of the draft; None while it is being computed, a Problem if that failed."""

    def __init__(
        self, draft: Draft, workbench: Workbench, background: Background, durations: Durations, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._draft, self._workbench, self._background, self._durations = draft, workbench, background, durations
        self._started = self.measured = False
        self.measured_speed: Callable[[Recipe], float | None] = lambda _: None
        self._computed_for: Recipe | None = None  # the recipe whose costs were computed last
        self._found: Preflight | None = None  # the costs that were reported last
        self._stored: float | None = None  # the time of these at the stored speed of the last finished run
        self._shipped: str | None = None  # the shipped recipe that takes as long
        self._computing = False
        self._edited = QTimer(self, singleShot=True, interval=AFTER_EDIT)
        self._edited.timeout.connect(self._compute)
        draft.changed.connect(self._draft_changed)

    def begin(self) -> None:
        """Compute the costs, now that torch and the plugins are loaded, or once more for a new window."""
        self._started, self._computed_for = True, None
        self._compute()

    def compute_now(self) -> bool:
        """Compute the costs of the current draft without waiting for further edits.

        Returns:
            True if they are still being computed; False if they are known, or before `begin`.
        """
        self._edited.stop()
        self._compute()
        return self._started and self._computing

    def follow_speed(self) -> None:
        """Report the costs with another time, if more is known about the speed of this machine or of a run."""
        if self._found is not None and self._computed_for is not None:
            before = _shown(self._found.seconds, self.measured)
            seconds, self.measured = self._time(self._found, self._computed_for)
            if seconds is not None and _shown(seconds, self.measured) != before:
                self._found = replace(self._found, seconds=seconds)
                self.computed.emit(self._found)

    def stop(self) -> None:
        """Compute nothing more after an edit."""
        self._edited.stop()

    def _draft_changed(self) -> None:
        if self._draft.recipe is not self._computed_for:
            self._computed_for = None  # so that an edit that is undone at once gets its costs back
        self._edited.start()

    def _compute(self) -> None:
        recipe = self._draft.recipe
        if self._started and self._computed_for is not recipe:
            self._computed_for, self._found = recipe, None
            self._computing = True
            self.computed.emit(None)
            work, title = partial(self._preflight, recipe), tr("Computing the cost of a run")
            self._background.run(title, work, self._take, self._take, replaces="costs")

    def _preflight(self, recipe: Recipe, job: Job) -> tuple[Preflight, str | None]:
        """Compute the costs, and find the shipped recipe that takes as long; in a thread."""
        plugins = self._workbench.plugins
        with interruptible(job):
            found = self._workbench.preflight(recipe)
        return found, shipped_like(recipe, lambda one, other: differences(one, other, plugins))

    def _take(self, result: tuple[Preflight, str | None] | Problem) -> None:
        if self._computed_for is None:
            return  # they are those of an earlier draft
        self._computing = False
        if isinstance(result, Problem):
            self._found = None
            self.computed.emit(result)
            return
        found, self._shipped = result
        self._stored = found.seconds
        seconds, self.measured = self._time(found, self._computed_for)
        self._found = replace(found, seconds=seconds)
        self.computed.emit(self._found)

    def _time(self, found: Preflight, recipe: Recipe) -> tuple[float | None, bool]:
        """Return the time of the training of a recipe, None if it is not known, and True if it was measured.

        It is that of the shipped recipe which takes as long. Other recipes are trained at a speed in operations per
        second: the one measured since the window was opened, or that of the last finished run, or an estimate.
        """
        known = None if self._shipped is None else self._durations.seconds(self._shipped)
        if known is not None:
            return known
        if found.flops_per_token is None:
            return self._stored, False
        speed = self.measured_speed(recipe)
        if speed is None and self._stored is None and (recipe.training.device == "cpu" or not accelerators()):
            speed = self._durations.operations_per_second()
        return self._stored if speed is None else found.tokens * found.flops_per_token / speed, False


def _shown(seconds: float | None, measured: bool) -> str:
    return "" if seconds is None else time_text(seconds, measured=measured)


def speed_like(recipe: Recipe, runs: Iterable[RunModel]) -> float | None:
    """Return the operations per second of the newest run that trained in this window, of the same architecture if any.

    Args:
        recipe: The recipe whose time is estimated; runs for other devices do not count.
        runs: The runs, newest first.
    """
    here = [run for run in runs if run.recipe.training.device == recipe.training.device]
    here.sort(key=lambda run: run.recipe.architecture.name != recipe.architecture.name)
    return next((speed for run in here if (speed := run.operations_per_second()) is not None), None)


def accelerators() -> list[str]:
    """Return the names of the accelerators of this machine that may be used; torch must be loaded."""
    from lab.training.devices import available_devices

    return available_devices()[1:]
