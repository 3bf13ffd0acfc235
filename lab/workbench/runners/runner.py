"""A run in progress, trained by a thread of this process or by its own process."""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lab.base import LabError, Problem
from lab.base.jobs import Job
from lab.base.run_state import RunState
from lab.host import Plugins
from lab.runs import RunFolder, reading_steps
from lab.training.control import Control
from lab.workbench.access.inspection import Inspection
from lab.workbench.access.model_access import ModelAccess
from lab.workbench.access.saved import SavedRun
from lab.workbench.launch.origins import NewRun

if TYPE_CHECKING:
    from lab.training.recording.telemetry import Ring


class Runner(ModelAccess):
    """One run, and the thread of this process that trains or follows it. Any thread may call its methods.

    Args:
        origin: Where its training comes from.
        plugins: The plugins that provide its cards.
        command: The arguments of the command line it came from; None if there was none.

    Attributes:
        recipe: Its recipe.
        problem: Why it failed, or why part of it could not be saved; None if nothing went wrong.
        folder: Its folder; None until it is made.
        preparing: During a long preparation, the share that is done and what is being done; otherwise None.
        control: Accepts commands at any time; they are carried out between two steps, once the training has started.
    """

    def __init__(self, origin: NewRun, plugins: Plugins, command: Sequence[str] | None) -> None:
        self.origin, self.recipe, self.command = origin, origin.recipe, command
        self.problem: Problem | None = None
        self.folder: RunFolder | None = origin.run
        self.preparing: tuple[float, str] | None = None
        self.control = Control()
        self._plugins = plugins
        self._state = RunState.QUEUED
        self._failure: type[LabError] = LabError
        self._ended = threading.Event()
        self._on_end: list[Callable[[], None]] = []
        self._job = Job(f"Training {self.recipe.title or self.recipe.architecture.name}", self._live)
        self._job.when_cancelled(self.control.stop)

    def open_run(self, name: str) -> SavedRun:
        """Open a run on disk. See ModelAccess."""
        return SavedRun.find(name, self._plugins)

    # --------------------------------------------------------------------------------------------------- life cycle

    def start(self) -> None:
        """Start in its own thread."""
        self._state = RunState.PREPARING
        self._job.start()

    def withdraw(self) -> None:
        """End a run that was never started; calls that wait for its end return."""
        self._state = RunState.STOPPED
        self._ended.set()

    def _live(self, job: Job) -> None:
        del job
        try:
            self._train()
        except BaseException as error:  # noqa: BLE001 - a run's end is always reported; a plugin may raise SystemExit
            self._fail(error)
            self._state = RunState.FAILED
        finally:
            self._ended.set()
            for call in tuple(self._on_end):
                call()

    @abstractmethod
    def _train(self) -> None:
        """Train or follow the run to its end, and store the last state."""

    @abstractmethod
    def _fail(self, error: BaseException) -> None:
        """Store why the training did not start, or failed."""

    # ----------------------------------------------------------------------------------------------------- waiting

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end of the run. Return False if the time is over first."""
        return self._ended.wait(seconds)

    def join(self, seconds: float | None = None) -> bool:
        """Wait until its thread has ended, after the callbacks of `when_ended`. Return True if it has."""
        try:
            return self._job.join(seconds)
        except RuntimeError:  # never started, or this is that thread
            return True

    def wait_out(self) -> None:
        """Wait for the end of the run; stop it if it runs out of memory, since nobody is there to free some.

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
        """Call `call` in the run's thread when the run has ended."""
        self._on_end.append(call)

    # ------------------------------------------------------------------------------------------------------- state

    @property
    def path(self) -> Path:
        """The run's folder.

        Raises:
            LabError: The run has none yet.
        """
        if self.folder is None:
            raise LabError("this run has no folder yet", remedy="Wait until it is prepared")
        return self.folder.path

    @property
    @abstractmethod
    def state(self) -> RunState:
        """The state of the run."""

    @property
    @abstractmethod
    def waits_for(self) -> Problem | None:
        """The problem that paused the run (out of memory); None otherwise."""

    @property
    @abstractmethod
    def ring(self) -> Ring | None:
        """The recorded numbers; None until there is a model to train."""

    @property
    @abstractmethod
    def step(self) -> int:
        """The number of steps made."""

    @property
    @abstractmethod
    def last_step(self) -> int:
        """The number of steps after which the run is finished."""

    @property
    @abstractmethod
    def counts(self) -> bool:
        """True if its model learns by counting; each of its steps then reads twice as much text as the one before."""

    @property
    @abstractmethod
    def evaluated(self) -> Mapping[str, Any]:
        """The figures of its last evaluation; before it the "loss_unit" alone, and {} until the run is prepared.

        "validation_loss" and its "loss_unit", "protocol", "perplexity", "bits_per_byte", "reads_later_tokens",
        and its "standard_error".
        """

    @abstractmethod
    def summary(self) -> dict[str, Any]:
        """Return the figures so far, JSON-safe."""

    def recorded_steps(self) -> list[int]:
        """Return the steps at which readings were recorded so far, in order."""
        return [] if self.folder is None else reading_steps(self.folder.path)

    @abstractmethod
    def recorded(self, step: int) -> Inspection:
        """Return the readings recorded at a step.

        Raises:
            BadInput: There are none at this step.
            LabError: The run has not started to train.
        """
