"""A run that trains in its own process, followed through the run's folder."""

from __future__ import annotations

import contextlib
import json
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from lab.api import Tokenizer
from lab.base import BadInput, LabError, Problem
from lab.base.problems import problem_from_dict, problem_of
from lab.base.run_state import ENDED, RunState
from lab.host import Plugins
from lab.runs import RunFolder, new_run_folder
from lab.runs.commands import append_command
from lab.runs.folder import is_file
from lab.workbench.access.evaluation_data import EvaluationData
from lab.workbench.access.inspection import Inspection
from lab.workbench.access.model_access import BorrowedModel
from lab.workbench.access.saved import SavedRun
from lab.workbench.launch.origins import NewRun
from lab.workbench.runners.follower import LogPosition, RunFollower
from lab.workbench.runners.runner import Runner

if TYPE_CHECKING:
    from lab.training.recording.telemetry import Ring

POLL = 0.25
"""Seconds between two reads of the folder."""
CHECKPOINT_TIMEOUT = 60.0
"""Seconds to wait for the first checkpoint when the model is requested."""
LAST_LINES = 40
"""Most lines shown of the error output of a process that died."""
detached: list[subprocess.Popen[bytes]] = []
"""Processes that continue when this one ends; referenced here because Python warns when a running one is deleted."""


ENDED_BY_HAND = Problem("its process was ended by hand", field="run", remedy="Resume it from its last checkpoint")
"""What is reported of a run whose process `end_process` ended."""


class ProcessRun(Runner):
    """One run in its own process, so that a crash there does no harm here. Made by Workbench.start.

    If this process dies, the run continues like any other run that another process trains.
    """

    def __init__(self, origin: NewRun, plugins: Plugins, command: Sequence[str] | None) -> None:
        super().__init__(origin, plugins, command)
        self._follower: RunFollower | None = None
        self._pending: list[dict[str, Any]] = []  # commands that the process cannot read yet
        self._detach, self._kill = threading.Event(), threading.Event()
        self._opening = threading.Lock()
        self._saved: SavedRun | None = None

    def detach(self) -> None:
        """Stop following the run; its process continues."""
        self._detach.set()

    def end_process(self) -> None:
        """End the process of the run at once, without saving; its last checkpoint stays."""
        self._kill.set()

    # ------------------------------------------------------------------------------------------------------- state

    @property
    def state(self) -> RunState:
        """The state of the run, as far as its folder shows."""
        follower = self._follower
        return (
            RunState.PAUSED
            if self._state == RunState.RUNNING and follower is not None and follower.paused
            else self._state
        )

    @property
    def waits_for(self) -> Problem | None:
        """The problem that paused the run (out of memory); None otherwise."""
        return self._follower.waits_for if self._follower is not None and self.state == RunState.PAUSED else None

    @property
    def ring(self) -> Ring | None:
        """The recorded numbers, read from its folder; None until there is a model to train."""
        return None if self._follower is None else self._follower.ring

    @property
    def step(self) -> int:
        """Steps made, as far as its folder shows."""
        return 0 if self._follower is None else self._follower.status.step

    @property
    def last_step(self) -> int:
        """Steps after which it is finished."""
        last = self.summary().get("last_step")
        return last if isinstance(last, int) else self.recipe.training.steps

    @property
    def counts(self) -> bool:
        """True if its model learns by counting."""
        return self.summary().get("learns") == "counting"

    @property
    def evaluated(self) -> Mapping[str, Any]:
        """The figures of its last evaluation; see Runner."""
        summary = self.summary()
        return summary if summary.get("protocol") is not None else {}

    def summary(self) -> dict[str, Any]:
        """Return the last figures that it wrote."""
        return {} if self._follower is None else dict(self._follower.status.summary)

    def recorded(self, step: int) -> Inspection:
        """Return the readings that it recorded at a step; see Runner."""
        return self._on_disk().recorded(step)

    # ------------------------------------------------------------------------------------------------------ access

    @property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer that the run stored."""
        return self._on_disk().tokenizer

    @property
    def corpus_facts(self) -> Mapping[str, Any]:
        """The facts of the corpus as the run stored them."""
        return self._on_disk().corpus_facts

    def borrow(self, device: str | None = None, *, own: bool = False) -> AbstractContextManager[BorrowedModel]:
        """Lend the model of the last checkpoint; if there is none, the run writes one first. See ModelAccess."""
        return self._with_checkpoint().borrow(device, own=own)

    def default_tokens(self) -> Sequence[int]:
        """Return the probe text that the run stored, or else the validation text."""
        return self._on_disk().default_tokens()

    def evaluation_data(self, text: Path | None = None) -> EvaluationData:
        """Return the run's own validation split, or the text of a file. See ModelAccess."""
        return self._on_disk().evaluation_data(text)

    def _on_disk(self) -> SavedRun:
        with self._opening:
            if self.folder is None or self.ring is None:
                raise LabError("this run has not started to train", remedy="Wait until it is prepared")
            self._saved = self._saved or SavedRun(self.folder, self._plugins)
            return self._saved

    def _with_checkpoint(self) -> SavedRun:
        """Return the run on disk once it has a checkpoint; request one if it has none."""
        saved = self._on_disk()
        if not saved.folder.checkpoint_steps():
            self.control.checkpoint()
            deadline = time.monotonic() + CHECKPOINT_TIMEOUT
            while not saved.folder.checkpoint_steps() and not self.wait(POLL):
                if time.monotonic() > deadline:
                    raise LabError("this run has made no checkpoint yet", remedy="Try again")
        return saved

    # --------------------------------------------------------------------------------------------------- life cycle

    def _train(self) -> None:
        path = self.origin.out or new_run_folder(self.recipe.architecture.name)
        made = self.origin.out is None
        job = {
            "asked": {**self.origin.request, "out": str(path.absolute())},
            "command": None if self.command is None else list(self.command),
            "plugins": self._plugins.start_options,
        }
        before = LogPosition.of(path)
        try:
            child = Child(job)
        except OSError as error:
            raise LabError(f"no process could be started: {error.strerror or error}", field="run") from None
        with child:
            while child.code() is None and not self._detach.is_set():
                command = self.control.take(seconds=POLL)
                self._pending += [] if command is None else [command]
                self._follow(path, before)
                if self._kill.is_set():
                    child.kill()
            if self._detach.is_set():
                child.detach()
                self._state = RunState.STOPPED
                return
            self._follow(path, before)
            if self._follower is None or self.folder is None or not is_file(path / "run.json"):
                self._report_no_start(path, made, child)
            else:
                self._conclude(self.folder, self._follower, child)

    def _follow(self, path: Path, before: LogPosition) -> None:
        """Read the folder once the process writes it, and pass on the pending commands."""
        if self._follower is None and is_file(path / "run.json") and LogPosition.of(path).writer != before.writer:
            with contextlib.suppress(LabError):
                self.folder = RunFolder.open(path)
                self._follower = RunFollower(self.folder, before)
        if self.folder is None or self._follower is None:
            return
        self._follower.update()
        if self._follower.status.state in ENDED:
            self._state = RunState.SAVING  # its process is about to end
        elif self._follower.ring is not None:
            self._state = RunState.RUNNING
        while self._pending and self._follower.status.state == RunState.RUNNING:
            with contextlib.suppress(LabError):  # the run has just ended, or the disk is full; it is tried again
                append_command(self.folder, self._pending[0])
                del self._pending[0]
                continue
            break

    def _report_no_start(self, path: Path, made: bool, child: Child) -> None:
        """Raise the reason why the process ended without a run.

        Raises:
            BadInput: The recipe was refused.
            LabError: The process died before it made one.
        """
        self.folder, self._follower = self.origin.run, None
        if made:
            shutil.rmtree(path, ignore_errors=True)
        answer = child.answer()
        self._failure = BadInput if answer.get("refused") else LabError
        problem = answer.get("problem")
        raise self._failure(problem_from_dict(problem) if isinstance(problem, dict) else child.exit_problem())

    def _conclude(self, folder: RunFolder, follower: RunFollower, child: Child) -> None:
        answer, status = child.answer(), follower.status
        if answer and status.state in ENDED:
            problem = answer.get("problem") or status.problem
            self.problem = problem_from_dict(problem) if isinstance(problem, dict) else None
            self._state = status.state
            return
        self.problem = ENDED_BY_HAND if self._kill.is_set() else child.exit_problem()
        self._state = RunState.INTERRUPTED
        with contextlib.suppress(LabError):  # if it fails, the run still counts as interrupted
            folder.append_event({"event": "problem", "step": status.step, **self.problem.as_dict()})
            if folder.status().state == RunState.INTERRUPTED:  # it was not resumed in the meantime
                folder.update(state=RunState.INTERRUPTED, problem=self.problem)

    def _fail(self, error: BaseException) -> None:
        self.problem = problem_of(error)
        self._failure = BadInput if isinstance(error, BadInput) else LabError


class Child:
    """A process that trains one run.

    Its input and output are files, so that it never waits for this process and can outlive it. It has its own session:
    Ctrl+C in a terminal reaches only this process, which then stops it.

    Args:
        job: The input of lab.workbench.runners.worker.

    Raises:
        OSError: The disk is full, or no process can be started.
    """

    def __init__(self, job: Mapping[str, Any]) -> None:
        from lab.workbench.runners.worker import command

        self._files = contextlib.ExitStack()
        with contextlib.ExitStack() as made:
            file, self._out, self._err = (made.enter_context(tempfile.TemporaryFile()) for _ in range(3))
            file.write(json.dumps(job).encode())
            file.seek(0)
            self._process = subprocess.Popen(
                command(),
                stdin=file,
                stdout=self._out,
                stderr=self._err,
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
            self._files = made.pop_all()

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *error: object) -> None:
        self._files.close()

    def code(self) -> int | None:
        """Return its exit status; None while it runs."""
        return self._process.poll()

    def kill(self) -> None:
        """End the process, and wait for that."""
        self._process.kill()
        self._process.wait()

    def detach(self) -> None:
        """Let the process continue without this one."""
        detached.append(self._process)

    def answer(self) -> dict[str, Any]:
        """Return the last line that it printed, parsed; {} if there is none."""
        for line in reversed(_lines(self._out)):
            if line.strip():
                with contextlib.suppress(ValueError):
                    answer = json.loads(line)
                    return answer if isinstance(answer, dict) else {}
                break
        return {}

    def exit_problem(self) -> Problem:
        """Return a problem that describes how the process ended, with the last lines of its error output."""
        code = self._process.returncode
        how = f"its process ended with status {code}"
        remedy = "Resume it from its last checkpoint"
        if code < 0 and sys.platform != "win32":
            names = {number.value: number.name for number in signal.Signals}
            name = names.get(-code)
            how = f"its process ended with signal {-code}" + (f" ({name})" if name else "")
            if name == "SIGKILL":
                remedy += "; a system that is short of memory kills processes with this signal"
        return Problem(how, field="run", remedy=remedy, trace="\n".join(_lines(self._err)[-LAST_LINES:]) or None)


def _lines(file: IO[bytes]) -> list[str]:
    """Return the last lines of a file."""
    file.seek(max(0, file.seek(0, 2) - 2**16))
    return file.read().decode(errors="replace").splitlines()
