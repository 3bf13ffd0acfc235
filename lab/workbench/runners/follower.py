"""A run that another process writes, followed through its folder: status, numbers, events."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lab.base import LabError, Problem
from lab.base.notices import notify
from lab.base.problems import problem_from_dict
from lab.base.run_state import RunState
from lab.runs import RunFolder, Status
from lab.runs.fields import StoredStatus
from lab.runs.records import read_record

if TYPE_CHECKING:
    from lab.training.recording.telemetry import Ring


@dataclass(frozen=True)
class LogPosition:
    """The size of a run's files before a process started to write them.

    Args:
        writer: The process that wrote the folder before; None in a new folder.
        samples: Bytes of the samples.
        events: Bytes of the events.
    """

    writer: Any = None
    samples: int = 0
    events: int = 0

    @classmethod
    def of(cls, run: Path) -> LogPosition:
        """Return the current sizes in a folder."""
        writer = None
        with contextlib.suppress(LabError):
            writer = read_record(run / "status.json", StoredStatus).get("writer")
        return cls(writer, size_of(run / "samples.jsonl"), size_of(run / "events.jsonl"))


class RunFollower:
    """A run in another process, read from its folder. One thread updates it, any thread may read it.

    Args:
        folder: The run.
        before: The part of the files that is not read.

    Attributes:
        status: The last status that it wrote.
        ring: Its numbers since it started, as of a run in this process; None until there is a model to train.
        paused: True while it is paused.
    """

    def __init__(self, folder: RunFolder, before: LogPosition) -> None:
        self.status = Status(RunState.RUNNING)
        self.ring: Ring | None = None
        self.paused = False
        self._folder = folder
        self._read = (before.samples, before.events)
        self._first: int | None = None if before.writer is None else -1  # the step after which numbers are new
        self._ends: dict[str, int] = {}  # last step by series
        self._seen: list[tuple[int, int]] = []  # size and time of the files of its series when they were last read

    @property
    def waits_for(self) -> Problem | None:
        """The problem that paused it; None otherwise."""
        problem = self.status.problem if self.paused and self.status.state == RunState.RUNNING else None
        return None if problem is None else problem_from_dict(problem)

    def update(self) -> None:
        """Read what was added; what cannot be read now is read next time."""
        with contextlib.suppress(LabError):
            self.status = self._folder.status()
            self._first = self.status.step if self._first == -1 else self._first  # a resumed run was cut there
        if self.ring is None and "steps" in self.status.summary:
            from lab.training.recording.telemetry import Ring

            self.ring = Ring()
        with contextlib.suppress(LabError):
            _, events, *read = self._folder.read_since(*self._read)
            self._read = (read[0], read[1])
            for event in events:
                self._on_event(event)
        if self.ring is not None:
            with contextlib.suppress(LabError):
                self._take_rows(self.ring)

    def _on_event(self, event: Mapping[str, Any]) -> None:
        match event.get("event"):
            case "pause":
                self.paused = True
            case "resume":
                self.paused = False
            case "notice":
                level = event.get("level")
                notify(
                    "error" if level == "error" else "info" if level == "info" else "warning", problem_from_dict(event)
                )

    def _take_rows(self, ring: Ring) -> None:
        """Write the points that were added to the file into the ring, one row for each step."""
        seen = self._sizes()
        if seen == self._seen:
            return
        new = self._folder.metrics().read_after(self._ends, self._first)
        self._seen = seen
        numbers, steps, values = [], [], []
        for name, (unit, at, added) in new.items():
            if len(at):
                numbers.append(np.full(len(at), ring.number(name, unit)))
                steps.append(at)
                values.append(added)
                self._ends[name] = int(at[-1])
        if not steps:
            return
        number, step, value = np.concatenate(numbers), np.concatenate(steps), np.concatenate(values)
        order = np.argsort(step, kind="stable")
        number, step, value = number[order], step[order], value[order]
        cuts = [0, *(np.flatnonzero(np.diff(step)) + 1).tolist(), len(step)]
        for first, end in itertools.pairwise(cuts):
            ring.write(int(step[first]), number[first:end].tolist(), value[first:end].tolist())

    def _sizes(self) -> list[tuple[int, int]]:
        file = self._folder.metrics_file
        sizes = []
        for path in (file, file.with_name(f"{file.name}-wal")):
            with contextlib.suppress(OSError):
                known = path.stat()
                sizes.append((known.st_size, known.st_mtime_ns))
        return sizes


def size_of(file: Path) -> int:
    """Return the bytes of a file; 0 where there is none."""
    try:
        return file.stat().st_size
    except OSError:
        return 0
