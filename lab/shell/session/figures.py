"""The cost of a run of the draft, computed in the background after every edit."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from lab.base.problems import Problem
from lab.recipes import Recipe
from lab.shell.runtime.background import Background
from lab.shell.session.draft import Draft
from lab.shell.session.runs.model import RunModel
from lab.widgets.core.i18n import tr
from lab.workbench import Workbench

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.workbench.launch.preflight import Preflight

AFTER_EDIT = 350
"""Milliseconds without an edit after which the costs of the draft are computed."""
CHANGE = 0.2
"""The least relative change of the measured time that is reported."""


class DraftFigures(QObject):
    """Computes the figures of the draft; nothing is computed before `begin`.

    Args:
        draft: The draft.
        workbench: Computes the figures of a recipe.
        background: Runs this in a thread.
        parent: Its parent.

    Attributes:
        estimated_speed: Returns operations per second of this machine by estimate; None if that is not known.
        measured_speed: Returns those of a run like a recipe that trained in this window; None if there is none.
    """

    computed = Signal(object)
    """A Preflight of the draft; None while it is being computed, a Problem if that failed."""

    def __init__(self, draft: Draft, workbench: Workbench, background: Background, parent: QObject) -> None:
        super().__init__(parent)
        self._draft, self._workbench, self._background = draft, workbench, background
        self._started = False
        self.estimated_speed: Callable[[], float | None] = lambda: None
        self.measured_speed: Callable[[Recipe], float | None] = lambda _: None
        self._figured: Recipe | None = None  # the recipe whose figures were computed last
        self._found: Preflight | None = None  # the figures that were reported last
        self._computing = False
        self._edited = QTimer(self, singleShot=True, interval=AFTER_EDIT)
        self._edited.timeout.connect(self._compute)
        draft.changed.connect(self._draft_changed)

    def begin(self) -> None:
        """Compute the figures, now that torch and the plugins are loaded, or once more for a new window."""
        self._started, self._figured = True, None
        self._compute()

    def hurry(self) -> bool:
        """Compute the figures of the current draft without waiting for further edits.

        Returns:
            True if they are still being computed; False if they are known, or before `begin`.
        """
        self._edited.stop()
        self._compute()
        return self._started and self._computing

    def compute_again(self) -> None:
        """Compute the figures again, now that more is known about the speed of this machine."""
        self._figured = None
        self._edited.start()

    def follow_speed(self) -> None:
        """Report the figures with another time, if a run turns out to be faster or slower."""
        found, recipe = self._found, self._figured
        if found is None or recipe is None or found.flops_per_token is None:
            return
        speed = self.measured_speed(recipe)
        seconds = None if speed is None else found.tokens * found.flops_per_token / speed
        if seconds is not None and (found.seconds is None or abs(seconds / found.seconds - 1) > CHANGE):
            self._take(replace(found, seconds=seconds))

    def stop(self) -> None:
        """Compute nothing more after an edit."""
        self._edited.stop()

    def _draft_changed(self) -> None:
        if self._draft.recipe is not self._figured:
            self._figured = None  # so that an edit that is undone at once gets its figures back
        self._edited.start()

    def _compute(self) -> None:
        recipe = self._draft.recipe
        if self._started and self._figured is not recipe:
            self._figured, self._found = recipe, None
            self._computing = True
            self.computed.emit(None)
            is_here = recipe.training.device == "cpu" or not accelerators()
            estimated = self.estimated_speed() if is_here else None
            work = partial(self._preflight, recipe, self.measured_speed(recipe), estimated)
            title = tr("Computing the cost of a run")
            self._background.run(title, work, self._take, self._take, replaces="figures")

    def _preflight(self, recipe: Recipe, measured: float | None, estimated: float | None, _: Job) -> Preflight:
        """Compute the figures; in a thread.

        The time is that at a speed in operations per second: the one measured since the window was opened, or that of
        the last finished run, or an estimate.
        """
        found = self._workbench.preflight(recipe)
        speed = measured or (estimated if found.seconds is None else None)
        if found.flops_per_token is not None and speed is not None:
            found = replace(found, seconds=found.tokens * found.flops_per_token / speed)
        return found

    def _take(self, found: Preflight | Problem) -> None:
        if self._figured is not None:  # else they are those of an earlier draft
            self._computing = False
            self._found = None if isinstance(found, Problem) else found
            self.computed.emit(found)


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
    """Return the names of the accelerators of this machine; torch must be loaded."""
    import torch

    found = [f"cuda:{number}" for number in range(torch.cuda.device_count())]
    with contextlib.suppress(AttributeError):
        found += ["mps"] if torch.backends.mps.is_available() else []
    return found
