"""A run that trains in a process of its own, which is followed through the run's folder."""

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
from lab.host import Plugins
from lab.runs import RunFolder, new_run_folder
from lab.runs.commands import append_command
from lab.runs.folder import is_file
from lab.workbench.access.evaluation_data import EvaluationData
from lab.workbench.access.inspection import Inspection
from lab.workbench.access.model_access import BorrowedModel
from lab.workbench.access.saved import SavedRun
from lab.workbench.launch.origins import NewRun
from lab.workbench.runners.following import Following, Told
from lab.workbench.runners.runner import ENDED, Runner, RunState

if TYPE_CHECKING:
    from lab.training.recording.telemetry import Ring

POLL = 0.25
"""Seconds between two looks at the folder."""
PATIENCE = 60.0
"""Seconds for which a first checkpoint is waited for, when somebody asks the model."""
LAST_LINES = 40
"""Lines of what a process that died had to say."""
left: list[subprocess.Popen[bytes]] = []
"""Processes that go on when this one ends; kept, for Python warns of those that are dropped while they run."""


class ProcessRun(Runner):
    """One run in a process of its own: what crashes there costs nothing here. Made by Workbench.start.

    It goes on when this process dies, and is then a run like any that another process trains.
    """

    def __init__(self, origin: NewRun, plugins: Plugins, command: Sequence[str] | None) -> None:
        super().__init__(origin, plugins, command)
        self._following: Following | None = None
        self._orders: list[dict[str, Any]] = []  # those that the process cannot hear yet
        self._leave = threading.Event()
        self._asking = threading.Lock()
        self._saved: SavedRun | None = None

    def leave(self) -> None:
        """Follows it no more; its process goes on."""
        self._leave.set()

    # ----------------------------------------------------------------------------------------------------- looking

    @property
    def state(self) -> RunState:
        """Where it is in its life, as far as its process told."""
        following = self._following
        return "paused" if self._state == "running" and following is not None and following.paused else self._state

    @property
    def waits_for(self) -> Problem | None:
        """The problem for which it is paused (out of memory); None otherwise."""
        return self._following.waits_for if self._following is not None and self.state == "paused" else None

    @property
    def ring(self) -> Ring | None:
        """Its numbers as they are read from its folder; None until there is a model to train."""
        return None if self._following is None else self._following.ring

    @property
    def step(self) -> int:
        """Steps made, as far as it told."""
        return 0 if self._following is None else self._following.status.step

    @property
    def last_step(self) -> int:
        """Steps after which it is finished."""
        told = self.summary().get("last_step")
        return told if isinstance(told, int) else self.recipe.training.steps

    @property
    def counts(self) -> bool:
        """Whether its model counts."""
        return self.summary().get("learns") == "counting"

    @property
    def evaluated(self) -> Mapping[str, Any]:
        """Of its last evaluation what the summary says of it; see Runner."""
        summary = self.summary()
        return summary if summary.get("protocol") is not None else {}

    def summary(self) -> dict[str, Any]:
        """The figures it told last."""
        return {} if self._following is None else dict(self._following.status.summary)

    def recorded(self, step: int) -> Inspection:
        """The readings that it recorded at a step; see Runner."""
        return self._on_disk().recorded(step)

    # ------------------------------------------------------------------------------------------------------ asking

    @property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer that the run stores."""
        return self._on_disk().tokenizer

    def borrow(self, device: str | None = None, *, own: bool = False) -> AbstractContextManager[BorrowedModel]:
        """Lend the model of the last checkpoint; a run that has none makes one. See ModelAccess."""
        return self._with_checkpoint().borrow(device, own=own)

    def default_tokens(self) -> Sequence[int]:
        """Return the probe text that the run stores, else the validation text."""
        return self._on_disk().default_tokens()

    def evaluation_data(self, text: Path | None = None) -> EvaluationData:
        """Return the run's own validation split, or a file of yours. See ModelAccess."""
        return self._on_disk().evaluation_data(text)

    def _on_disk(self) -> SavedRun:
        with self._asking:
            if self.folder is None or self.ring is None:
                raise LabError("this run has not begun to train", remedy="Wait until it is prepared")
            self._saved = self._saved or SavedRun(self.folder, self._plugins)
            return self._saved

    def _with_checkpoint(self) -> SavedRun:
        """The run on disk, once it has a checkpoint: without one, it is told to make one."""
        saved = self._on_disk()
        if not saved.folder.checkpoint_steps():
            self.control.checkpoint()
            deadline = time.monotonic() + PATIENCE
            while not saved.folder.checkpoint_steps() and not self.wait(POLL):
                if time.monotonic() > deadline:
                    raise LabError("this run has made no checkpoint that can be asked yet", remedy="Try again")
        return saved

    # ---------------------------------------------------------------------------------------------------- its life

    def _train(self) -> None:
        path = self.origin.out or new_run_folder(self.recipe.architecture.name)
        made = self.origin.out is None
        asked = {
            "asked": {**self.origin.asked, "out": str(path.absolute())},
            "command": None if self.command is None else list(self.command),
            "plugins": self._plugins.start_options,
        }
        before = Told.of(path)
        try:
            child = Child(asked)
        except OSError as error:
            raise LabError(f"no process could be begun: {error.strerror or error}", field="run") from None
        with child:
            while child.code() is None and not self._leave.is_set():
                order = self.control.take(seconds=POLL)
                self._orders += [] if order is None else [order]
                self._follow(path, before)
            if self._leave.is_set():
                child.leave()
                self._state = "stopped"
                return
            self._follow(path, before)
            if self._following is None or self.folder is None or not is_file(path / "run.json"):
                self._never_began(path, made, child)
            else:
                self._conclude(self.folder, self._following, child)

    def _follow(self, path: Path, before: Told) -> None:
        """Takes over what the folder tells once the process writes it, and hands on the orders that came."""
        if self._following is None and is_file(path / "run.json") and Told.of(path).writer != before.writer:
            with contextlib.suppress(LabError):
                self.folder = RunFolder.open(path)
                self._following = Following(self.folder, before)
        if self.folder is None or self._following is None:
            return
        self._following.take()
        if self._following.status.state in ENDED:
            self._state = "saving"  # its process ends
        elif self._following.ring is not None:
            self._state = "running"
        while self._orders and self._following.status.state == "running":
            with contextlib.suppress(LabError):  # it ends just now, or there is no room: the next look tells
                append_command(self.folder, self._orders[0])
                del self._orders[0]
                continue
            break

    def _never_began(self, path: Path, made: bool, child: Child) -> None:
        """The process ended, and there is no run: the recipe was refused, or it died before."""
        self.folder, self._following = self.origin.run, None
        if made:
            shutil.rmtree(path, ignore_errors=True)
        answer = child.answer()
        self._failure = BadInput if answer.get("refused") else LabError
        told = answer.get("problem")
        raise self._failure(problem_from_dict(told) if isinstance(told, dict) else child.death())

    def _conclude(self, folder: RunFolder, following: Following, child: Child) -> None:
        answer, status = child.answer(), following.status
        if answer and status.state in ENDED:
            told = answer.get("problem") or status.problem
            self.problem = problem_from_dict(told) if isinstance(told, dict) else None
            self._state = status.state if status.state != "running" else "interrupted"
            return
        self.problem = child.death()
        self._state = "interrupted"
        with contextlib.suppress(LabError):  # that it is interrupted is seen without it
            folder.append_event({"event": "problem", "step": status.step, **self.problem.as_dict()})
            if folder.status().state == "interrupted":  # nobody has resumed it meanwhile
                folder.update(state="interrupted", problem=self.problem)

    def _fail(self, error: BaseException) -> None:
        self.problem = problem_of(error)
        self._failure = BadInput if isinstance(error, BadInput) else LabError


class Child:
    """A process of the lab's own that trains one run.

    What it reads and prints are files, so that it never waits for this process and outlives it. It has a session of
    its own: Ctrl+C in a terminal is for this process, which then has it stop.

    Args:
        asked: What lab.workbench.runners.worker reads.

    Raises:
        OSError: There is no room for the files, or no process can be begun.
    """

    def __init__(self, asked: Mapping[str, Any]) -> None:
        from lab.workbench.runners.worker import command

        self._files = contextlib.ExitStack()
        with contextlib.ExitStack() as made:
            job, self._told, self._said = (made.enter_context(tempfile.TemporaryFile()) for _ in range(3))
            job.write(json.dumps(asked).encode())
            job.seek(0)
            self._process = subprocess.Popen(
                command(),
                stdin=job,
                stdout=self._told,
                stderr=self._said,
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
            self._files = made.pop_all()

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *error: object) -> None:
        self._files.close()

    def code(self) -> int | None:
        """Its exit status; None while it runs."""
        return self._process.poll()

    def leave(self) -> None:
        """Lets it go on without this process."""
        left.append(self._process)

    def answer(self) -> dict[str, Any]:
        """What it told at its end; {} where it did not come to that."""
        for line in reversed(_lines(self._told)):
            if line.strip():
                with contextlib.suppress(ValueError):
                    told = json.loads(line)
                    return told if isinstance(told, dict) else {}
                break
        return {}

    def death(self) -> Problem:
        """Why it ended without a word, in words, with the last lines it wrote."""
        code = self._process.returncode
        how = f"its process ended with status {code}"
        remedy = "Resume it from its last checkpoint"
        if code < 0 and sys.platform != "win32":
            names = {number.value: number.name for number in signal.Signals}
            name = names.get(-code)
            how = f"its process ended with signal {-code}" + (f" ({name})" if name else "")
            if name == "SIGKILL":
                remedy += "; a system that is short of memory ends processes so"
        return Problem(how, field="run", remedy=remedy, trace="\n".join(_lines(self._said)[-LAST_LINES:]) or None)


def _lines(file: IO[bytes]) -> list[str]:
    """The last lines of a file."""
    file.seek(max(0, file.seek(0, 2) - 2**16))
    return file.read().decode(errors="replace").splitlines()
