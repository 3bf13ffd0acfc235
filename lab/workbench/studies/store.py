"""What is stored of studies: each in a folder of its own, and the run of each key, which studies share.

    studies/NAME/study.toml    the study with its recipe spelled out: the plan is a function of it
    studies/NAME/points.jsonl  the settings that a sampler drew from the runs that had ended, in order
    studies/NAME/order.json    keys of runs that train before the others
    studies/NAME/stopped.jsonl runs that a rule stopped, with the reason
    studies/runs/KEY.json      the folder of the run that has this key
    studies/runs/KEY.lock      held by the process that trains it

The losses are in the runs alone. Two processes may carry out one study: each run is trained by the one that holds its
lock, and both see what it found.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lab.base import LabError
from lab.base.files.reading import read_json
from lab.base.files.writing import make_folder, write_file, write_json, writing_problem
from lab.base.folders import home
from lab.base.locks import file_lock
from lab.base.run_state import RunState
from lab.runs import RunFolder, new_run_folder
from lab.runs.records import append_line, read_lines
from lab.studies.plans import Point, Study, Trial

if TYPE_CHECKING:
    from filelock import BaseFileLock

POINTS, STOPPED, STUDY, ORDER = "points.jsonl", "stopped.jsonl", "study.toml", "order.json"


def studies_folder() -> Path:
    """Return the folder of all studies."""
    return home() / "studies"


class StudyStore:
    """The folder of one study, and its part of the runs that all studies share.

    Args:
        study: The study; a file that is edited is another study, with a folder of its own.

    Attributes:
        finished: Finished runs by key, each with its figures, so that none is read twice.
    """

    def __init__(self, study: Study) -> None:
        self.study = study
        self.path = studies_folder() / study.name
        self._runs = studies_folder() / "runs"
        self.finished: dict[str, tuple[RunFolder, Mapping[str, Any]]] = {}

    @property
    def was_started(self) -> bool:
        """True if the study was started before."""
        return (self.path / STUDY).exists()

    def create(self) -> bool:
        """Make the folder, unless it is there. Return True if it was there, so that the study is continued.

        Raises:
            LabError: It cannot be written.
        """
        make_folder(self.path)
        make_folder(self._runs)
        file = self.path / STUDY
        if file.exists():
            return True
        write_file(file, self.study.to_toml())
        return False

    @contextlib.contextmanager
    def planning(self) -> Iterator[None]:
        """Hold the plan: only one process at a time draws further settings.

        Raises:
            LabError: The lock cannot be written.
        """
        with file_lock(self.path / "plan.lock", lambda: None):
            yield

    def points(self) -> list[Point]:
        """Return the settings that a sampler drew, in order."""
        found = read_lines(self.path / POINTS)
        return [dict(line["point"]) for line in found if isinstance(line.get("point"), dict)]

    def add_point(self, point: Point) -> None:
        """Store one more setting.

        Raises:
            LabError: It could not be written.
        """
        append_line(self.path / POINTS, {"point": point})

    def order(self) -> list[str]:
        """Return the keys of runs that train before the others of the plan, the next one first."""
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            return [str(key) for key in read_json(self.path / ORDER)["first"]]
        return []

    def put_first(self, keys: Sequence[str]) -> None:
        """Let runs train before all others that wait, in this order.

        Raises:
            LabError: It could not be written.
        """
        make_folder(self.path)
        others = [key for key in self.order() if key not in keys]
        write_json(self.path / ORDER, {"first": [*keys, *others]})

    def stopped(self) -> dict[str, str]:
        """Return why runs were stopped by a rule, by key."""
        found = read_lines(self.path / STOPPED)
        return {str(line["key"]): str(line.get("reason", "")) for line in found if "key" in line}

    def add_stopped(self, key: str, reason: str) -> None:
        """Store that a run was stopped, and why.

        Raises:
            LabError: It could not be written.
        """
        append_line(self.path / STOPPED, {"key": key, "reason": reason})

    def run_of(self, key: str) -> RunFolder | None:
        """Return the run of a key; None if there is none, or if it was deleted or damaged."""
        try:
            stored = read_json(self._runs / f"{key}.json")
            return RunFolder.open(Path(str(stored["run"])))
        except (OSError, ValueError, KeyError, TypeError, LabError):
            return None

    def new_run(self, trial: Trial) -> Path:
        """Return an empty folder for the run of a trial, and store that it has its key.

        Raises:
            LabError: It cannot be written.
        """
        path = new_run_folder(trial.recipe.architecture.name)
        write_json(self._runs / f"{trial.key}.json", {"run": str(path.absolute())})
        return path

    def claim(self, key: str) -> BaseFileLock | None:
        """Return the lock of a key, which the caller releases; None while another process trains its run.

        Raises:
            LabError: The lock cannot be written.
        """
        from filelock import FileLock, Timeout

        lock = FileLock(self._runs / f"{key}.lock", timeout=0, thread_local=False)
        try:
            lock.acquire()
        except Timeout:
            return None
        except OSError as error:
            raise LabError(writing_problem(error, self._runs)) from None
        return lock

    def loss_of(self, trial: Trial) -> float | None:
        """Return the validation loss of the run of a trial, in nats; None before it has ended."""
        run = self.run_of(trial.key)
        return None if run is None else loss_of(run)


def loss_of(run: RunFolder) -> float | None:
    """Return the validation loss of a finished run; None of others."""
    summary = finished_summary(run)
    loss = None if summary is None else summary.get("validation_loss")
    return float(loss) if isinstance(loss, int | float) else None


def finished_summary(run: RunFolder) -> Mapping[str, Any] | None:
    """Return the figures of a finished run; None of others."""
    try:
        status = run.status()
    except LabError:
        return None
    return status.summary if status.state == RunState.FINISHED else None
