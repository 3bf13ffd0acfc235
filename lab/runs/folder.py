"""A run on disk: one folder that holds all of it and can be copied and opened elsewhere. Opening it runs no code.

    recipe.toml       the recipe as it was given
    run.json          provenance and the format of the folder; a folder is a run once this file is in it
    status.json       state, last step, figures, problem, and the process that writes
    metrics.sqlite    the series (lab.runs.metrics.file)
    readings/         <step>.safetensors (lab.runs.readings)
    checkpoints/      <step>/
    base/             the tables that an adapter leaves as they are (lab.training.recording.checkpoints)
    samples.jsonl     generated texts
    histograms.jsonl  histograms of weights, gradients, updates and activations (lab.runs.histograms)
    texts.json        what was written with it in the window (lab.workbench.texts.store)
    events.jsonl      live edits, pauses, alarms, problems
    label.json        labels by the user: name, note, tags (lab.runs.library.labels)
    findings.json     what the doctor found (lab.runs.finding_list)
    floors.json       losses of simpler models on its text, found in the background (lab.runs.floor_list)
    verification.json the result of repeating its last steps (lab.workbench.analysis.verify)
    orders.jsonl      commands from other processes to its training (lab.runs.commands)

No absolute path, user name or host name is stored: paths in facts, statuses and events are cut to their last part.
Whatever is read, written or removed is in the folder itself: a run in which a link leads elsewhere does not open.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from lab.base.files.reading import is_link
from lab.base.files.temporary import sweep
from lab.base.files.writing import make_folder, write_errors_as_problems, write_file, write_json, writing_problem
from lab.base.problems import BadInput, LabError, Problem
from lab.base.processes import is_alive, start_of
from lab.base.run_state import STORED, RunState
from lab.runs.checkpoint_list import Checkpoint, checkpoint_steps, checkpoints, prune, sweep_checkpoints
from lab.runs.fields import Event, RunFacts, Sample, StoredStatus
from lab.runs.histograms import HISTOGRAMS
from lab.runs.metrics.reader import MetricReader
from lab.runs.metrics.writer import MetricWriter
from lab.runs.records import append_line, damaged, plain, portable, read_lines, read_new_lines, read_record, read_text
from lab.runs.rewinding import rewind
from lab.runs.writer_lock import WriterLock, written_by

if TYPE_CHECKING:
    from lab.recipes import Recipe

FORMAT = 2
"""Format 1 has no "id", which is then derived from other fields."""
LONGEST_NAME = 200
"""Most characters of the name that a run gets when it is made."""


@dataclass(frozen=True)
class Status:
    """The state and progress of a run.

    Args:
        state: One of STORED.
        step: The last reported step.
        summary: The latest figures by name.
        problem: The reason why it stopped or failed (Problem.as_dict), if any.
    """

    state: RunState
    step: int = 0
    summary: Mapping[str, Any] = field(default_factory=dict)
    problem: Mapping[str, Any] | None = None


class RunFolder:
    """The folder of one run; made by `create` or `open`.

    Args:
        path: The folder.
        recipe: The text of recipe.toml.
        facts: The content of run.json: provenance, "format", "created" (UTC, ISO 8601).
    """

    def __init__(self, path: Path, recipe: str, facts: Mapping[str, Any]) -> None:
        self.path = path
        self.recipe = recipe
        self.facts = facts
        self._writing = threading.Lock()

    @classmethod
    def create(cls, path: Path, recipe: str, provenance: Mapping[str, Any]) -> Self:
        """Create a run in a new or empty folder; this process is its writer, and its state is "running".

        Args:
            path: The folder; its parents are created.
            recipe: The recipe as TOML, stored as it is.
            provenance: Further facts: plain data. "vocabulary" is stored unchanged, since a symbol may look like a
                path; in everything else absolute paths are cut.

        Raises:
            BadInput: The folder is not empty, is a file, or cannot be created.
            LabError: The folder cannot be written (a full disk); nothing of it is left behind.
        """
        _claim(path, lambda: not _claimed(path))
        created = datetime.now(UTC).isoformat(timespec="microseconds")
        facts = {"format": FORMAT, "id": uuid.uuid4().hex, "created": created}
        verbatim = {name: plain(value) for name, value in provenance.items() if name == "vocabulary"}
        run = cls(path, recipe, {**portable(provenance, path), **verbatim, **facts})
        try:
            make_folder(path / "readings")
            write_file(path / "recipe.toml", recipe)
            run.update(state=RunState.RUNNING)
            MetricWriter(run.metrics_file).close()
            write_json(path / "run.json", run.facts)
        except BaseException:
            shutil.rmtree(path, ignore_errors=True)
            raise
        return run

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a run, even one that is being written or was interrupted.

        Raises:
            BadInput: There is no run; the problem names missing files.
            LabError: The run is damaged or newer than this lab, or holds a link; the problem names the file.
        """
        missing = [name for name in ("run.json", "recipe.toml") if not is_file(path / name)]
        if missing:
            what = f"this is not a run: {' and '.join(missing)} missing"
            raise BadInput(what, field="run", value=str(path), allowed="the folder or the name of a run")
        _refuse_links(path)
        facts = read_record(path / "run.json", RunFacts)
        version = facts.get("format")
        if not version:
            raise LabError(damaged(path / "run.json", "it has no format"))
        if version > FORMAT:
            what = f"this run has format {version}, and this lab reads formats up to {FORMAT}"
            raise BadInput(what, field="run", value=str(path), remedy="Open it with a newer version of the lab")
        return cls(path, read_text(path / "recipe.toml"), facts)

    def read_recipe(self) -> Recipe:
        """Return the recipe in recipe.toml, checked.

        Raises:
            BadInput: It is no recipe, has a newer format, or holds a setting that is not allowed.
            LabError: It is empty: a stored recipe names all its settings.
        """
        from lab.recipes import Recipe

        if not self.recipe.strip():
            problem = damaged(self.path / "recipe.toml", "it is empty")
            raise LabError(replace(problem, remedy="Use another copy of the run"))
        return Recipe.from_toml(self.recipe, name=f"{self.name}/recipe.toml")

    @property
    def id(self) -> str:
        """The permanent identity, 32 hexadecimal digits, independent of name and location."""
        stored = self.facts.get("id")
        if isinstance(stored, str) and re.fullmatch("[0-9a-f]{32}", stored):
            return stored
        made = (self.created + self.recipe).encode(errors="backslashreplace")  # a JSON file may hold anything
        return uuid.uuid5(uuid.NAMESPACE_OID, made.decode()).hex

    @property
    def parent(self) -> Mapping[str, Any] | None:
        """The run that this one branched off: "id", "name", "step" and "changes"; None for a new run."""
        stored = self.facts.get("parent")
        return stored if isinstance(stored, dict) and isinstance(stored.get("step"), int) else None

    @property
    def name(self) -> str:
        """The name of the folder."""
        return self.path.absolute().name

    @property
    def assigned_name(self) -> str:
        """The name that the run got when it was made; "" for a run of an earlier version of the lab."""
        stored = self.facts.get("name")
        text = stored if isinstance(stored, str) else ""
        return "".join(each for each in text if each.isprintable()).strip()[:LONGEST_NAME]

    @property
    def created(self) -> str:
        """The time of creation: UTC, ISO 8601, sortable."""
        return str(self.facts.get("created", ""))

    @property
    def metrics_file(self) -> Path:
        """The file of the series, for a MetricWriter."""
        return self.path / "metrics.sqlite"

    def metrics(self) -> MetricReader:
        """Return a reader of the series."""
        return MetricReader(self.metrics_file)

    def status(self) -> Status:
        """Return the state and progress; "interrupted" if the process that wrote it is gone.

        Raises:
            LabError: status.json is missing or damaged.
        """
        status, writer = self._stored_status()
        gone = status.state == RunState.RUNNING and not _is_alive(writer)
        return replace(status, state=RunState.INTERRUPTED) if gone else status

    @property
    def writer(self) -> Any:
        """What status.json says of the process that writes or wrote the run.

        Raises:
            LabError: status.json is missing or damaged.
        """
        return self._stored_status()[1]

    def update(
        self,
        *,
        state: RunState | None = None,
        step: int | None = None,
        summary: Mapping[str, Any] | None = None,
        problem: Problem | None = None,
    ) -> None:
        """Write state and progress, with this process as the writer; may be called from any of its threads.

        Args:
            state: The new state, if it changed.
            step: The last step, if it changed.
            summary: New figures; others are unchanged. Values that JSON cannot represent become None.
            problem: The problem that occurred; a new state without a problem clears the old one.

        Raises:
            LabError: It could not be written; the old status remains.
        """
        with self._writing:
            try:
                old, _ = self._stored_status()
            except LabError:  # the first status, or a damaged one that this replaces
                old = Status(RunState.RUNNING)
            stored = problem.as_dict() if problem else None if state else old.problem
            record = {
                "state": state or old.state,
                "step": old.step if step is None else step,
                "summary": {**old.summary, **(summary or {})},
                "problem": stored,
                "writer": {"pid": os.getpid(), "started": start_of(os.getpid())},
            }
            write_json(self.path / "status.json", portable(record, self.path))

    def append_event(self, event: Mapping[str, Any]) -> None:
        """Record an event; "time" (seconds since 1970) is added.

        Raises:
            LabError: It could not be written.
        """
        self._append("events.jsonl", portable(event, self.path))

    def append_sample(self, sample: Mapping[str, Any]) -> None:
        """Record a generated text, unchanged; "time" (seconds since 1970) is added.

        Raises:
            LabError: It could not be written.
        """
        self._append("samples.jsonl", plain(sample))

    def append_histograms(self, histograms: Mapping[str, Any]) -> None:
        """Record histograms; "time" (seconds since 1970) is added.

        Raises:
            LabError: It could not be written.
        """
        self._append(HISTOGRAMS, plain(histograms))

    def events(self) -> list[dict[str, Any]]:
        """Return the recorded events, oldest first.

        Raises:
            LabError: The file is damaged; the problem names the line.
        """
        return read_lines(self.path / "events.jsonl", Event)

    def samples(self) -> list[dict[str, Any]]:
        """Return the recorded samples, oldest first; lines that are no samples are passed over.

        Raises:
            LabError: The file is damaged; the problem names the line.
        """
        return read_lines(self.path / "samples.jsonl", Sample)

    def read_since(self, samples: int, events: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]], int, int]:
        """Return new samples and events, and the offsets at which to continue next time.

        Args:
            samples: The bytes of samples.jsonl that were read before; 0 at first.
            events: The bytes of events.jsonl that were read before; 0 at first.

        Raises:
            LabError: A file is damaged; the problem names the line.
        """
        texts, samples = read_new_lines(self.path / "samples.jsonl", samples, Sample)
        happened, events = read_new_lines(self.path / "events.jsonl", events, Event)
        return texts, happened, samples, events

    def checkpoint_folder(self, step: int) -> Path:
        """Return the folder of the checkpoint at a step, which need not exist."""
        return self.path / "checkpoints" / str(step)

    def checkpoint_steps(self) -> list[int]:
        """Return the steps that have a checkpoint, in order."""
        return checkpoint_steps(self.path / "checkpoints")

    def checkpoints(self) -> list[Checkpoint]:
        """Return the checkpoints in the order of their steps."""
        return checkpoints(self.path / "checkpoints")

    def prune_checkpoints(self, *, last: int, best: bool) -> None:
        """Remove the checkpoints that are not kept.

        Args:
            last: The number of latest checkpoints to keep, besides requested ones.
            best: True to keep the one with the lowest validation loss.
        """
        prune(self.path / "checkpoints", last=last, best=best)

    def write_alone(self) -> WriterLock:
        """Make this process the only writer of the run until the lock is released.

        Raises:
            BadInput: Another process writes the run; the problem names it.
            LabError: The folder cannot be written to, or a file in it belongs to another folder too.
        """
        _refuse_shared(self.path)
        try:
            status, writer = self._stored_status()
        except LabError:  # a damaged status does not make a run unwritable
            status, writer = Status(RunState.INTERRUPTED), None
        pid = writer.get("pid") if isinstance(writer, dict) else None
        lock = WriterLock(self.path, f"process {pid}" if pid else "another process")
        if not lock.is_sure and status.state == RunState.RUNNING and pid != os.getpid() and _is_alive(writer):
            raise BadInput(written_by(f"process {pid}", self.name))
        for folder in (self.path, self.path / "readings"):
            sweep(folder)
        sweep_checkpoints(self.path / "checkpoints")
        return lock

    def rewind(self, step: int) -> None:
        """Remove what was recorded after a step, so that training can continue there as if it had stopped there.

        Events are kept as a record of what happened.

        Raises:
            LabError: It could not be written; what was not removed yet is intact.
        """
        rewind(self.path, step)

    def _stored_status(self) -> tuple[Status, Any]:
        """Return the status in status.json, and the process that wrote it."""
        file = self.path / "status.json"
        record = read_record(file, StoredStatus)
        state = record.get("state")
        known: Any = next((one for one in STORED if one == state), None)
        status = Status(known, record.get("step", 0), record.get("summary", {}), record.get("problem"))
        if known is None:
            raise LabError(damaged(file, "it does not hold the status of a run"))
        return status, record.get("writer")

    def _append(self, name: str, record: dict[str, Any]) -> None:
        with self._writing:
            append_line(self.path / name, {"time": time.time(), **record})


def is_file(path: Path) -> bool:
    """Return True if a file exists; False if the path is not a valid path (too long, a null character)."""
    try:
        return path.is_file()
    except OSError:
        return False


def check_new(path: Path) -> None:
    """Check that a run can be made in a folder, which may not exist yet.

    Raises:
        BadInput: It is not empty, is a file, or cannot be read.
    """
    _claim(path, lambda: path.exists() and (not path.is_dir() or any(path.iterdir())))


def _claimed(path: Path) -> bool:
    """Return False if a folder is not empty; else claim it: only one process can create checkpoints/ in it."""
    path.mkdir(parents=True, exist_ok=True)
    if any(path.iterdir()):
        return False
    (path / "checkpoints").mkdir()
    return True


def _claim(path: Path, is_occupied: Callable[[], bool]) -> None:
    try:
        occupied = is_occupied()
    except FileExistsError:
        occupied = True
    except OSError as error:
        raise BadInput(replace(writing_problem(error, path / "run.json"), field="out", value=str(path))) from None
    except ValueError as error:  # a null character
        raise BadInput(str(error), field="out", value=ascii(str(path)), remedy="Choose another folder") from None
    if occupied:
        what = "a run needs a new or empty folder, and this one is not empty"
        remedy = "Choose another folder, or leave this option out"
        raise BadInput(what, field="out", value=str(path), remedy=remedy)


def _refuse_links(run: Path) -> None:
    """Refuse a run in which a link leads elsewhere: a run by a stranger would change or remove files of the user."""
    try:
        paths = list(run.iterdir())
    except OSError as error:
        raise LabError(damaged(run, error.strerror or error)) from None
    for path in paths:
        with contextlib.suppress(FileNotFoundError):  # removed meanwhile, by its writer
            if is_link(path):
                what = f"{path.name} in it is a link, and a run holds all its files itself"
                remedy = "Replace the link by what it names, if you made it yourself; otherwise do not use this run"
                raise LabError(what, field="run", value=run.absolute().name, remedy=remedy)


def _refuse_shared(run: Path) -> None:
    """Refuse to write a run of which a file that is not replaced as a whole is also a file of another folder."""
    for path in (*run.glob("metrics.sqlite*"), *run.glob("*.jsonl")):
        with write_errors_as_problems(path):
            is_shared = path.lstat().st_nlink > 1
        if is_shared:
            what = f"{path.name} in it is a hard link, so that a file elsewhere would change with it"
            raise LabError(what, field="run", value=run.absolute().name, remedy="Copy the run, and use the copy")


def _is_alive(writer: Any) -> bool:
    """Return True if the writer's process still runs; another process may have reused its number."""
    try:
        return is_alive(writer["pid"], writer["started"])
    except (TypeError, KeyError):
        return False
