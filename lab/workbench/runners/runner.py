"""A run in progress, whether a thread of this process trains it or its own process."""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from lab.base import LabError, Problem
from lab.base.jobs import Job
from lab.host import Plugins
from lab.runs import RunFolder, reading_steps
from lab.training.control import Control
from lab.workbench.access.inspection import Inspection
from lab.workbench.access.model_access import ModelAccess
from lab.workbench.launch.origins import NewRun

if TYPE_CHECKING:
    from lab.training.recording.telemetry import Ring

RunState = Literal["queued", "preparing", "running", "paused", "saving", "finished", "stopped", "failed", "interrupted"]
ENDED = ("finished", "stopped", "failed", "interrupted")


class Runner(ModelAccess):
    """One run, and the thread of this process that does or follows its training. Any thread may call.

    Args:
        origin: Where its training comes from.
        plugins: Where its cards are found.
        command: The words of the command line it came from.

    Attributes:
        recipe: What is done.
        problem: Why it failed, or why part of it could not be saved.
        folder: Its folder, once it has one.
        preparing: While it prepares for long, the share that is done and what is being done; else None.
        control: Takes commands at any time; they are carried out between two steps, from the first on.
    """

    def __init__(self, origin: NewRun, plugins: Plugins, command: Sequence[str] | None) -> None:
        self.origin, self.recipe, self.command = origin, origin.recipe, command
        self.problem: Problem | None = None
        self.folder: RunFolder | None = origin.run
        self.preparing: tuple[float, str] | None = None
        self.control = Control()
        self._plugins = plugins
        self._state: RunState = "queued"
        self._failure: type[LabError] = LabError
        self._ended = threading.Event()
        self._on_end: list[Callable[[], None]] = []
        self._job = Job(f"Training {self.recipe.title or self.recipe.architecture.name}", self._live)
        self._job.when_cancelled(self.control.stop)

    # --------------------------------------------------------------------------------------------------- life cycle

    def start(self) -> None:
        """Start in its own thread."""
        self._state = "preparing"
        self._job.start()

    def withdraw(self) -> None:
        """End a run that was never started, for those who wait for it."""
        self._state = "stopped"
        self._ended.set()

    def _live(self, job: Job) -> None:
        del job
        try:
            self._train()
        except BaseException as error:  # noqa: BLE001 - a run's end is always reported; a plugin may raise SystemExit
            self._fail(error)
            self._state = "failed"
        finally:
            self._ended.set()
            for call in tuple(self._on_end):
                call()

    @abstractmethod
    def _train(self) -> None:
        """Do or follow the training to its end, and store the last state."""

    @abstractmethod
    def _fail(self, error: BaseException) -> None:
        """Store why there is no training, or none any more."""

    # ----------------------------------------------------------------------------------------------------- waiting

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end. Return True if it came in time."""
        return self._ended.wait(seconds)

    def join(self, seconds: float | None = None) -> bool:
        """Wait until its thread is gone, after the callbacks of `when_ended`. Return True if it is."""
        try:
            return self._job.join(seconds)
        except RuntimeError:  # never started, or this is that thread
            return True

    def wait_out(self) -> None:
        """Wait for the end; stop a run that waits for memory, since nobody is there to free some.

        Raises:
            BadInput: The recipe could not be used.
            LabError: The run failed, or part of it could not be saved.
        """
        while not self.wait(0.2):
            if self.waits_for is not None:
                self.control.stop()
        if self.problem is not None:
            raise self._failure(self.problem)

    def when_ended(self, call: Callable[[], None]) -> None:
        """Call `call` in the run's thread once it ended."""
        self._on_end.append(call)

    # ------------------------------------------------------------------------------------------------------- state

    @property
    def path(self) -> Path:
        """The run's folder.

        Raises:
            LabError: It has none yet.
        """
        if self.folder is None:
            raise LabError("this run has no folder yet", remedy="Wait until it is prepared")
        return self.folder.path

    @property
    @abstractmethod
    def state(self) -> RunState:
        """Where it is in its life."""

    @property
    @abstractmethod
    def waits_for(self) -> Problem | None:
        """The problem for which a paused run waits (out of memory); None otherwise."""

    @property
    @abstractmethod
    def ring(self) -> Ring | None:
        """The numbers that it records; None until there is a model to train."""

    @property
    @abstractmethod
    def step(self) -> int:
        """Steps made."""

    @property
    @abstractmethod
    def last_step(self) -> int:
        """Steps after which it is finished."""

    @property
    @abstractmethod
    def counts(self) -> bool:
        """True if its model learns by counting: each of its steps then reads twice the text of the one before."""

    @property
    @abstractmethod
    def evaluated(self) -> Mapping[str, Any]:
        """Of its last evaluation "validation_loss", "protocol", "bits_per_byte", "reads_later_tokens"; else {}."""

    @abstractmethod
    def summary(self) -> dict[str, Any]:
        """Return the figures so far, JSON-safe."""

    def recorded_steps(self) -> list[int]:
        """Return the steps at which it has recorded readings so far, in order."""
        return [] if self.folder is None else reading_steps(self.folder.path)

    @abstractmethod
    def recorded(self, step: int) -> Inspection:
        """Return the readings that it recorded at a step.

        Raises:
            BadInput: There are none at this step.
            LabError: The run has not started to train.
        """
