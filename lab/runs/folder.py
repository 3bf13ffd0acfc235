"""A run on disk: one folder that holds all of it, can be copied, and opens elsewhere. Opening it never runs code.

    recipe.toml       what decides the result, as the caller gave it
    run.json          provenance and the format of the folder; a folder is a run once this file is in it
    status.json       state, last step, figures, problem, and the process that writes
    metrics.sqlite    the series (lab.runs.metrics.file)
    readings/         <step>.safetensors (lab.runs.readings)
    checkpoints/      <step>/
    samples.jsonl     generated texts
    events.jsonl      live edits, pauses, alarms, problems
    label.json        what a person says of it: name, note, tags (lab.runs.library.labels)
    floors.json       losses that simpler models reach on its text, found in the background (lab.runs.floor_list)
    verification.json whether training its last steps anew gave the same (lab.workbench.analysis.verify)
    orders.jsonl      what other processes tell its training to do

No absolute path, user or host name is stored: paths in facts, statuses and events are cut to their last part.
"""

from __future__ import annotations

import os
import re
import shutil
import threading
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, Self, get_args

import psutil  # type: ignore[import-untyped]

from lab.base.problems import BadInput, LabError, Problem
from lab.base.writing import make_folder, write_file, write_json, writing_problem
from lab.runs.checkpoint_list import Checkpoint, checkpoint_steps, checkpoints, prune, sweep
from lab.runs.metrics.reader import MetricReader
from lab.runs.metrics.writer import MetricWriter
from lab.runs.records import append_line, damaged, plain, portable, read_lines, read_new_lines, read_record, read_text
from lab.runs.rewinding import rewind
from lab.runs.writer_lock import WriterLock, written_by

FORMAT = 2
"""1: without "id"; it is made of what such a run tells for ever."""
SAME_PROCESS = 2.0  # seconds between two tellings of when a process started, from clock ticks and a corrected clock

State = Literal["running", "finished", "stopped", "failed", "interrupted"]


@dataclass(frozen=True)
class Status:
    """How far a run is.

    Args:
        state: "interrupted" is a run whose process died while it ran, or ended it so because its device was lost.
        step: The last step it told of.
        summary: Its latest figures by name.
        problem: Why it stopped or failed (Problem.as_dict), where there is something to tell.
    """

    state: State
    step: int = 0
    summary: Mapping[str, Any] = field(default_factory=dict)
    problem: Mapping[str, Any] | None = None


class RunFolder:
    """One run's folder; made by `create` or `open`.

    Args:
        path: Where it is.
        recipe: The text of its recipe.toml.
        facts: What its run.json says: provenance, "format", "created" (UTC, ISO 8601).
    """

    def __init__(self, path: Path, recipe: str, facts: Mapping[str, Any]) -> None:
        self.path = path
        self.recipe = recipe
        self.facts = facts
        self._writing = threading.Lock()

    @classmethod
    def create(cls, path: Path, recipe: str, provenance: Mapping[str, Any]) -> Self:
        """Makes a run in a new or empty folder; this process is its writer, and its state "running".

        Args:
            path: The folder; its parents are made.
            recipe: The recipe as TOML, stored as it is.
            provenance: What else is to be known of its making: plain data. Its "vocabulary" is stored word for word,
                since a symbol may look like a path; in all else absolute paths are cut.

        Raises:
            BadInput: The folder holds something, is a file, or cannot be made.
            LabError: The folder cannot be filled (a full disk); nothing is left of it.
        """
        _claim(path)
        created = datetime.now(UTC).isoformat(timespec="microseconds")
        facts = {"format": FORMAT, "id": uuid.uuid4().hex, "created": created}
        whole = {name: plain(value) for name, value in provenance.items() if name == "vocabulary"}
        run = cls(path, recipe, {**portable(provenance, path), **whole, **facts})
        try:
            make_folder(path / "readings")
            write_file(path / "recipe.toml", recipe)
            run.update(state="running")
            MetricWriter(run.metrics_file).close()
            write_json(path / "run.json", run.facts)
        except BaseException:
            shutil.rmtree(path, ignore_errors=True)
            raise
        return run

    @classmethod
    def open(cls, path: Path) -> Self:
        """Opens a run, also one that is being written or was interrupted.

        Raises:
            BadInput: There is no run; the problem says what is missing.
            LabError: The run is damaged or newer than this lab; the problem names the file.
        """
        missing = [name for name in ("run.json", "recipe.toml") if not is_file(path / name)]
        if missing:
            what = f"this is no run: {' and '.join(missing)} missing there"
            raise BadInput(what, field="run", value=str(path), allowed="the folder or the name of a run")
        facts = read_record(path / "run.json")
        version = facts.get("format")
        if not isinstance(version, int) or version < 1:
            raise LabError(damaged(path / "run.json", "it names no format"))
        if version > FORMAT:
            what = f"this run has format {version}, and this lab reads formats up to {FORMAT}"
            raise BadInput(what, field="run", value=str(path), remedy="Open it with a newer version of the lab")
        return cls(path, read_text(path / "recipe.toml"), facts)

    @property
    def id(self) -> str:
        """Its identity for ever, 32 hexadecimal digits, whatever it is called and wherever it lies."""
        told = self.facts.get("id")
        if isinstance(told, str) and re.fullmatch("[0-9a-f]{32}", told):
            return told
        made = (self.created + self.recipe).encode(errors="backslashreplace")  # somebody's JSON may hold anything
        return uuid.uuid5(uuid.NAMESPACE_OID, made.decode()).hex

    @property
    def parent(self) -> Mapping[str, Any] | None:
        """The run it branched off: its "id", "name", the "step", and the "changes"; None where it began anew."""
        told = self.facts.get("parent")
        return told if isinstance(told, dict) and isinstance(told.get("step"), int) else None

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.path.absolute().name

    @property
    def created(self) -> str:
        """When the run was made: UTC, ISO 8601, sortable."""
        return str(self.facts.get("created", ""))

    @property
    def metrics_file(self) -> Path:
        """The file of its series, for a MetricWriter."""
        return self.path / "metrics.sqlite"

    def metrics(self) -> MetricReader:
        """Reads its series."""
        return MetricReader(self.metrics_file)

    def status(self) -> Status:
        """How far the run is; "interrupted" where the process that wrote it is gone.

        Raises:
            LabError: status.json is missing or damaged.
        """
        status, writer = self._stored_status()
        gone = status.state == "running" and not _is_alive(writer)
        return replace(status, state="interrupted") if gone else status

    def update(
        self,
        *,
        state: State | None = None,
        step: int | None = None,
        summary: Mapping[str, Any] | None = None,
        problem: Problem | None = None,
    ) -> None:
        """Tells how far the run is and makes this process its writer; may be called from any thread of it.

        Args:
            state: The new state, if it changed.
            step: The last step, if it changed.
            summary: Figures that are new; those of other names stay. What JSON has no number for becomes None.
            problem: What went wrong; with a new state and no problem, an old one is forgotten.

        Raises:
            LabError: It could not be written; the old status stands.
        """
        with self._writing:
            try:
                old, _ = self._stored_status()
            except LabError:  # the first status, or a damaged one that this heals
                old = Status("running")
            told = problem.as_dict() if problem else None if state else old.problem
            record = {
                "state": state or old.state,
                "step": old.step if step is None else step,
                "summary": {**old.summary, **(summary or {})},
                "problem": told,
                "writer": {"pid": os.getpid(), "started": psutil.Process().create_time()},
            }
            write_json(self.path / "status.json", portable(record, self.path))

    def append_event(self, event: Mapping[str, Any]) -> None:
        """Records what happened; "time" (seconds since 1970) is added.

        Raises:
            LabError: It could not be written.
        """
        self._append("events.jsonl", portable(event, self.path))

    def append_sample(self, sample: Mapping[str, Any]) -> None:
        """Records a generated text, word for word; "time" (seconds since 1970) is added.

        Raises:
            LabError: It could not be written.
        """
        self._append("samples.jsonl", plain(sample))

    def events(self) -> list[dict[str, Any]]:
        """What happened, oldest first.

        Raises:
            LabError: The file is damaged; the problem names the line.
        """
        return read_lines(self.path / "events.jsonl")

    def samples(self) -> list[dict[str, Any]]:
        """The recorded samples, oldest first.

        Raises:
            LabError: The file is damaged; the problem names the line.
        """
        return read_lines(self.path / "samples.jsonl")

    def told_since(self, samples: int, events: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]], int, int]:
        """New samples and events, and where to go on the next time.

        Args:
            samples: Bytes of samples.jsonl that were read before; 0 at first.
            events: The same of events.jsonl.

        Raises:
            LabError: A file is damaged; the problem names the line.
        """
        texts, samples = read_new_lines(self.path / "samples.jsonl", samples)
        happened, events = read_new_lines(self.path / "events.jsonl", events)
        return texts, happened, samples, events

    def checkpoint_folder(self, step: int) -> Path:
        """Where the checkpoint of a step is, or would be."""
        return self.path / "checkpoints" / str(step)

    def checkpoint_steps(self) -> list[int]:
        """The steps that have a checkpoint, in order."""
        return checkpoint_steps(self.path / "checkpoints")

    def checkpoints(self) -> list[Checkpoint]:
        """Its checkpoints, in the order of their steps."""
        return checkpoints(self.path / "checkpoints")

    def prune_checkpoints(self, *, last: int, best: bool) -> None:
        """Removes the checkpoints that are not kept.

        Args:
            last: How many of the last are kept, beside those that a person asked for.
            best: Whether that of the least validation loss is kept.
        """
        prune(self.path / "checkpoints", last=last, best=best)

    def write_alone(self) -> WriterLock:
        """Makes this process its only writer until the lock is released.

        Raises:
            BadInput: Another one writes it; the problem names it.
            LabError: The folder cannot be written to.
        """
        try:
            status, writer = self._stored_status()
        except LabError:  # a damaged status does not make a run unwritable
            status, writer = Status("interrupted"), None
        pid = writer.get("pid") if isinstance(writer, dict) else None
        lock = WriterLock(self.path, f"process {pid}" if pid else "another process")
        if not lock.is_sure and status.state == "running" and pid != os.getpid() and _is_alive(writer):
            raise BadInput(written_by(f"process {pid}", self.name))
        sweep(self.path / "checkpoints")
        return lock

    def rewind(self, step: int) -> None:
        """Forgets what was recorded after a step, so that a training goes on there as if it had never gone further.

        Events stay: they happened.

        Raises:
            LabError: It could not be written; what was not forgotten yet is still whole.
        """
        rewind(self.path, step)

    def _stored_status(self) -> tuple[Status, Any]:
        """What status.json says, and the process it says it of."""
        file = self.path / "status.json"
        record = read_record(file)
        state: Any = record.get("state")  # as everything here, somebody's until _is_whole has seen it
        status = Status(state, record.get("step", 0), record.get("summary", {}), record.get("problem"))
        if not _is_whole(status):
            raise LabError(damaged(file, "it holds no status of a run"))
        return status, record.get("writer")

    def _append(self, name: str, record: dict[str, Any]) -> None:
        with self._writing:
            append_line(self.path / name, {"time": time.time(), **record})


def is_file(path: Path) -> bool:
    """Whether a file is there; False for what can be no path at all (too long, a null character)."""
    try:
        return path.is_file()
    except OSError:
        return False


def _claim(path: Path) -> None:
    """Makes the folder this process's own, empty but for checkpoints/: only one process can be the one to make that."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        occupied = any(path.iterdir())
        if not occupied:
            (path / "checkpoints").mkdir()
    except FileExistsError:
        occupied = True
    except OSError as error:
        raise BadInput(replace(writing_problem(error, path / "run.json"), field="out", value=str(path))) from None
    except ValueError as error:  # a null character
        raise BadInput(str(error), field="out", value=ascii(str(path)), remedy="Choose another folder") from None
    if occupied:
        what = "a run needs a new or empty folder, and something stands there"
        remedy = "Choose another folder, or leave the choice to the lab"
        raise BadInput(what, field="out", value=str(path), remedy=remedy)


def _is_whole(status: Status) -> bool:
    return (
        status.state in get_args(State)
        and isinstance(status.step, int)
        and isinstance(status.summary, dict)
        and isinstance(status.problem, dict | None)
    )


def _is_alive(writer: Any) -> bool:
    """Whether the process that said this of itself still runs; its number alone may be another's by now."""
    try:
        process = psutil.Process(writer["pid"])
        same = abs(process.create_time() - writer["started"]) < SAME_PROCESS
        return bool(same and process.status() != psutil.STATUS_ZOMBIE)
    except (psutil.Error, TypeError, KeyError, ValueError, OverflowError):
        return False
