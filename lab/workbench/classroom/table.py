"""The table of what a class handed in: one row for each bundle in a folder, read without unpacking weights.

Losses are ranked only where they compare: runs of the same text, split, objective, vocabulary and protocol as most of
the others. What was read is cached by name, size, time and the end of each file, where a zip lists its content.
"""

from __future__ import annotations

import contextlib
import csv
import hashlib
import io
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from lab.base import BadInput, LabError
from lab.base.files.reading import open_regular, read_json
from lab.base.files.writing import make_folder, write_file
from lab.base.folders import cache_folder
from lab.base.run_state import RunState
from lab.base.units import finite
from lab.runs import RunFolder
from lab.runs.bundle import open_records
from lab.runs.bundle_file import Bundle
from lab.runs.evaluations import part_tokens
from lab.runs.library.labels import read_label
from lab.runs.library.titles import recipe_title
from lab.runs.records import BUNDLE
from lab.workbench.classroom.hand_out import is_hand_out
from lab.workbench.launch.known_corpora import sha256_of
from lab.workbench.launch.known_tokenizers import vocabulary_digest

LOSS = "validation loss"
POINTS = 200
"""Most points of a curve."""
LONGEST_SAMPLE = 600
"""Most characters of a sample."""
MOST = 1000
"""Most bundles of a table."""
TAIL = 2**16
"""Bytes at the end of a file that tell its content from another."""
FORMAT = 1
"""The version of the cache."""

HEADS = (
    "rank", "student", "run", "architecture", "corpus", "state", "steps", "parameters", "best validation loss", "unit",
    "not compared", "file", "problem",
)  # fmt: skip
"""The columns of the table as CSV."""
DIFFERENCES = ("another corpus", "another split", "another objective", "another vocabulary", "another protocol")
"""Why the loss of a run does not compare with those of the others, the weightiest reason first."""


@dataclass(frozen=True)
class HandedIn:
    """One bundle of a folder.

    Args:
        file: The name of the file.
        student: Who handed it in; "" if the bundle has no name.
        run: The name of the run.
        title: The title of its recipe.
        architecture: The name of its architecture.
        corpus: The name of its corpus.
        state: The state of the run.
        steps: Its steps.
        parameters: The parameters of its model; None if not known.
        loss: Its lowest validation loss; None if it has none.
        unit: The unit of the loss.
        comparable: What has to be equal for losses to compare, in the order of DIFFERENCES.
        curve_steps: The steps of its validation losses, (N,) with N at most POINTS.
        curve: Its validation losses, (N,).
        sample: The last text it generated, or its beginning.
        problem: Why the file cannot be read; None for a sound one.
        remedy: What to do about that.
    """

    file: str
    student: str = ""
    run: str = ""
    title: str = ""
    architecture: str = ""
    corpus: str = ""
    state: str = ""
    steps: int = 0
    parameters: int | None = None
    loss: float | None = None
    unit: str = ""
    comparable: tuple[str, ...] = ()
    curve_steps: tuple[int, ...] = ()
    curve: tuple[float, ...] = ()
    sample: str = ""
    problem: str | None = None
    remedy: str | None = None

    @property
    def label(self) -> str:
        """The name of the student, or else of the file."""
        return self.student or self.file.removesuffix(BUNDLE)


@dataclass(frozen=True)
class Ranked:
    """A row of the table.

    Args:
        entry: The bundle.
        rank: Its rank by loss among those that compare, from 1; None if it is not ranked.
        difference: Why its loss does not compare, one of DIFFERENCES; "" if it does or there is no loss.
    """

    entry: HandedIn
    rank: int | None = None
    difference: str = ""


def read_class(
    folder: Path,
    *,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Callable[[float], None] = lambda _: None,
) -> list[Ranked]:
    """Read what was handed in to a folder: ranked runs first, then those that do not compare, damaged files last.

    Args:
        folder: The folder.
        cancelled: Called for each file; returning True ends the work.
        progress: Called with the share that is done, 0 to 1.

    Raises:
        BadInput: The folder cannot be read.
        LabError: It was cancelled.
    """
    try:
        names = sorted(
            one.name for one in os.scandir(folder) if one.name.endswith(BUNDLE) and not one.name.startswith(".")
        )
    except OSError as error:
        remedy = "Choose the folder into which runs are handed in"
        what = f"cannot be read: {error.strerror or error}"
        raise BadInput(what, field="folder", value=str(folder), remedy=remedy) from None
    cache = _Cache(folder)
    entries = []
    for index, name in enumerate(names[:MOST]):
        if cancelled():
            raise LabError("reading the folder was cancelled")
        progress(index / len(names))
        entry = cache.read(folder / name)
        if entry is not None:
            entries.append(entry)
    cache.write()
    return ranked(entries)


def ranked(entries: Iterable[HandedIn]) -> list[Ranked]:
    """Return rows in order, with the rank of those whose losses compare."""
    listed = sorted(entries, key=lambda one: (one.label.casefold(), one.file))
    measured = [one for one in listed if one.loss is not None]
    most = Counter(one.comparable for one in measured).most_common(1)
    reference = most[0][0] if most else ()
    losses = sorted(one.loss for one in measured if one.comparable == reference and one.loss is not None)
    rows = [
        Ranked(
            one,
            losses.index(one.loss) + 1 if one.loss is not None and one.comparable == reference else None,
            "" if one.loss is None or one.comparable == reference else _difference(one.comparable, reference),
        )
        for one in listed
    ]
    return sorted(rows, key=lambda row: (row.entry.problem is not None, row.rank is None, row.rank or 0))


def class_csv(rows: Sequence[Ranked]) -> str:
    """Return the table as CSV. A text that a spreadsheet would compute begins with an apostrophe."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEADS)
    for row in rows:
        one = row.entry
        figures = (one.steps, one.parameters, one.loss) if one.problem is None else (None, None, None)
        texts = map(_cell, (one.student, one.run, one.architecture, one.corpus, one.state))
        last = map(_cell, (one.unit, row.difference, one.file, one.problem or ""))
        writer.writerow([row.rank, *texts, *figures, *last])
    return out.getvalue()


def _cell(text: str) -> str:
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def _difference(comparable: Sequence[str], reference: Sequence[str]) -> str:
    pairs = zip(DIFFERENCES, comparable, reference, strict=True)
    return next(reason for reason, own, other in pairs if own != other)


def read_bundle(file: Path) -> HandedIn | None:
    """Read one bundle: its records, not its weights. A damaged one says why; None for what was handed out."""
    try:
        with open_records(file) as (bundle, run):
            return _entry(file.name, bundle, run)
    except LabError as error:
        if is_hand_out(file):
            return None
        return HandedIn(file.name, problem=error.problem.what, remedy=error.problem.remedy)


def _entry(file: str, bundle: Bundle, run: RunFolder) -> HandedIn:
    recipe, status = run.read_recipe(), run.status()
    summary = status.summary
    part = part_tokens(recipe, summary, finished=status.state == RunState.FINISHED)
    steps, values = _curve(run)
    is_part = part is not None and len(values) > 1  # the last one read more of the text than the others
    losses = values[:-1] if is_part else values
    picked = np.linspace(0, len(steps) - 1, min(POINTS, len(steps))).round().astype(int)
    corpus = run.facts.get("corpus")
    name = corpus.get("name") if isinstance(corpus, dict) else None
    read = "all" if summary.get("part") == "all" and not is_part else str(recipe.training.evaluate_tokens)
    comparable = (
        sha256_of(run) or recipe.corpus.model_dump_json(),
        str(recipe.training.validation_share),
        f"{recipe.objective.name} {bool(summary.get('reads_later_tokens'))}",
        vocabulary_digest(run) or recipe.tokenizer.model_dump_json(),
        f"{summary.get('protocol')} {read}",
    )
    samples = [one["text"] for one in run.samples() if isinstance(one.get("text"), str)]
    parameters = summary.get("parameters")
    return HandedIn(
        file,
        bundle.student,
        read_label(run.path).name or run.assigned_name or bundle.run_name,
        recipe_title(recipe),
        str(summary.get("architecture") or recipe.architecture.name),
        str(name or recipe.corpus.name),
        str(status.state),
        status.step,
        parameters if isinstance(parameters, int) else None,
        finite(float(losses.min())) if len(losses) else None,
        str(summary.get("loss_unit") or "nats per token"),
        comparable,
        tuple(int(step) for step in steps[picked]),
        tuple(float(value) for value in values[picked]),
        samples[-1][:LONGEST_SAMPLE] if samples else "",
    )


def _curve(run: RunFolder) -> tuple[Any, Any]:
    """Return steps and values of the finite validation losses, (N,) each."""
    empty = np.empty(0, np.int64), np.empty(0)
    if not run.metrics_file.exists():
        return empty
    reader = run.metrics()
    steps, values = reader.read(LOSS) if LOSS in reader.series() else empty
    return steps[np.isfinite(values)], values[np.isfinite(values)]


class _Cache:
    """What was read of the bundles of a folder, by file name."""

    def __init__(self, folder: Path) -> None:
        digest = hashlib.sha256(str(folder.absolute()).encode(errors="surrogateescape")).hexdigest()
        self._file = cache_folder() / "class" / f"{digest[:24]}.json"
        self._known: dict[str, Any] = {}
        with contextlib.suppress(OSError, ValueError):
            stored = read_json(self._file)
            if isinstance(stored, dict) and stored.get("format") == FORMAT and isinstance(stored.get("files"), dict):
                self._known = stored["files"]
        self._current: dict[str, Any] = {}

    def read(self, file: Path) -> HandedIn | None:
        """Return what is known of a bundle, or read it."""
        key = _key(file)
        known = self._known.get(file.name)
        if key is None or not isinstance(known, dict) or known.get("key") != key:
            entry = read_bundle(file)
            known = {"key": key, "entry": None if entry is None else asdict(entry)}
        if key is not None:
            self._current[file.name] = known
        return _restored(known["entry"])

    def write(self) -> None:
        """Store what is known now; a cache that cannot be written is none."""
        if self._current != self._known:
            with contextlib.suppress(LabError):
                make_folder(self._file.parent)
                write_file(self._file, json.dumps({"format": FORMAT, "files": self._current}, allow_nan=False))


def _restored(stored: dict[str, Any] | None) -> HandedIn | None:
    """Return an entry from the cache, which only this module writes."""
    if stored is None:
        return None
    values: dict[str, Any] = {}
    for name in (field.name for field in fields(HandedIn)):
        values[name] = tuple(stored[name]) if isinstance(stored[name], list) else stored[name]
    return HandedIn(**values)


def _key(file: Path) -> str | None:
    """Return what distinguishes the content of a file: size, time, digest of its end; None if it cannot be read."""
    try:
        with open_regular(file) as source:
            about = os.fstat(source.fileno())
            source.seek(max(0, about.st_size - TAIL))
            return f"{about.st_size} {about.st_mtime_ns} {hashlib.sha256(source.read(TAIL)).hexdigest()}"
    except OSError:
        return None
