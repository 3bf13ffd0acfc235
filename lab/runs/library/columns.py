"""Columns of runs: label, state, figures, every setting of the recipe, figures of the series.

A name is looked up in this order:

- one of the lab's own columns: name, state, step, tags, … (`OWN`);
- a figure of its summary: validation_loss, tokens_per_second, floors.unigram;
- a setting of its recipe: training.optimizer.learning_rate, or the unique end of its path;
- a figure of a series: "last train loss" or just the name of the series, "best validation loss", "step of best
  validation loss", "mean train loss" of its last 100 points, "mean 20 train loss" of the last 20.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from lab.base.notices import notify
from lab.base.problems import BadInput, LabError
from lab.base.units import finite
from lab.runs.folder import RunFolder, Status
from lab.runs.library.differences import names_by_difference
from lab.runs.library.labels import Label, read_label
from lab.runs.library.recipe_fields import Value, fields_of, read_fields
from lab.runs.metrics.file import Values
from lab.runs.metrics.reader import MetricReader, SeriesInfo
from lab.runs.records import read_record

MEAN = 100
"""The number of last points in a mean."""
_FIGURE = re.compile(r"(?:(?P<which>last|best|step of best|mean)(?:(?<=mean) (?P<count>\d{1,9}))? )?(?P<series>.+)")
_MORE_IS_BETTER = ("accuracy", "per second")
"""Ends of the names of series whose best value is the largest; otherwise it is the smallest."""


@dataclass(frozen=True)
class Figures:
    """A series in four figures; NaN, and None for the step, if it has no value.

    Args:
        last: Its last value.
        best: Its smallest value; the largest for series of _MORE_IS_BETTER.
        best_step: The first step with the best value.
        mean: The mean of its last values, NaNs left out.
    """

    last: float = math.nan
    best: float = math.nan
    best_step: int | None = None
    mean: float = math.nan


def figures(run: RunFolder, series: str, *, last: int = MEAN) -> Figures:
    """Return the figures of a series; only the necessary blocks of a long series are read.

    Args:
        run: The run.
        series: Its name ("validation loss").
        last: The number of last points in the mean.

    Raises:
        BadInput: There is no such series; the problem lists similar names.
        LabError: The file of series is missing or damaged.
    """
    reader = run.metrics()
    info = reader.summary(series)
    if info.first_step is None:
        return Figures()
    best = info.maximum if series.endswith(_MORE_IS_BETTER) else info.minimum
    tail = _tail(reader, info, last)
    numbers = tail[~np.isnan(tail)]
    mean = float(numbers.mean()) if len(numbers) else math.nan
    return Figures(info.last, best, reader.step_of(series, best), mean)


def _tail(reader: MetricReader, info: SeriesInfo, count: int) -> Values:
    """Return the last values. Steps are mostly evenly spaced, so the first step of the tail can be estimated."""
    assert info.first_step is not None
    assert info.last_step is not None
    span = (info.last_step - info.first_step) / max(info.count - 1, 1) * count
    while True:
        first = info.last_step - math.ceil(span)
        _, values = reader.read(info.name, first)
        if len(values) >= count or first <= info.first_step:
            return values[-count:]
        span = 2 * span + 1


class Row:
    """One run and its values; each is read once, on first use.

    Args:
        run: The run.
    """

    def __init__(self, run: RunFolder) -> None:
        self.run = run
        self._figures: dict[tuple[str, int], Figures] = {}

    @cached_property
    def label(self) -> Label:
        """The label of the run."""
        return read_label(self.run.path)

    @cached_property
    def status(self) -> Status | None:
        """The status of the run; None if damaged, which is reported."""
        try:
            return self.run.status()
        except LabError as error:
            notify("warning", error.problem)
            return None

    @property
    def state(self) -> Value:
        """The state of the run."""
        return self.status.state if self.status else None

    @cached_property
    def summary(self) -> dict[str, Value]:
        """The figures of the summary by name."""
        return fields_of(self.status.summary) if self.status else {}

    @cached_property
    def settings(self) -> dict[str, Value]:
        """The settings of the recipe by path; {} if damaged, which is reported."""
        try:
            return read_fields(self.run.recipe, self.run.name)
        except LabError as error:
            notify("warning", error.problem)
            return {}

    @property
    def architecture(self) -> Value:
        """The name of the architecture."""
        return self.summary.get("architecture") or self.settings.get("architecture.name")

    @property
    def corpus(self) -> Value:
        """The name of the corpus."""
        stored = self.run.facts.get("corpus")
        name = stored.get("name") if isinstance(stored, dict) else None
        return name if isinstance(name, str) else self.settings.get("corpus.name")

    @cached_property
    def search_text(self) -> str:
        """The text that is searched, in lower case."""
        label = self.label
        stored = (self.architecture, self.corpus, self.settings.get("title"), self.state)
        return "\n".join(
            map(str, (label.name, self.run.assigned_name, self.run.name, label.note, *label.tags, *stored))
        ).casefold()

    @cached_property
    def verified(self) -> Value:
        """The result of verifying the last steps; None if that was never done."""
        try:
            return str(read_record(self.run.path / "verification.json").get("kind"))
        except LabError:
            return None

    @cached_property
    def bytes(self) -> int:
        """The size on disk."""
        return sum(file.stat().st_size for file in self.run.path.rglob("*") if file.is_file())

    def figure(self, which: str, series: str, last: int = MEAN) -> Value:
        """Return a figure of a series: "last", "best", "step of best" or "mean"; None if the run has none."""
        if (series, last) not in self._figures:
            try:
                self._figures[series, last] = figures(self.run, series, last=last)
            except LabError:
                self._figures[series, last] = Figures()
        stored = self._figures[series, last]
        return stored.best_step if which == "step of best" else finite(getattr(stored, which))


Column: TypeAlias = Callable[[Row], Value]
"""A function from a run to its value in a column."""

OWN: dict[str, tuple[str, Column]] = {
    "name": ("its name", lambda row: row.label.name or row.run.name),
    "folder": ("the name of its folder", lambda row: row.run.name),
    "id": ("its permanent identity", lambda row: row.run.id),
    "created": ("the time of its creation, UTC", lambda row: row.run.created),
    "state": ("running, finished, stopped, failed or interrupted", lambda row: row.state),
    "step": ("its last step", lambda row: row.status.step if row.status else None),
    "star": ("whether it is starred", lambda row: row.label.star),
    "tags": ("its tags", lambda row: row.label.tags),
    "note": ("its note", lambda row: row.label.note or None),
    "architecture": ("the name of its architecture", lambda row: row.architecture),
    "corpus": ("the name of its corpus", lambda row: row.corpus),
    "parent": ("the run it branched off", lambda row: str(row.run.parent.get("name")) if row.run.parent else None),
    "verified": ("exact, close or not reproducible", lambda row: row.verified),
    "checkpoints": ("the number of its checkpoints", lambda row: len(row.run.checkpoint_steps())),
    "bytes": ("its size on disk", lambda row: row.bytes),
}
"""The lab's own columns, as (description, value). "tag" is another name for "tags"."""
DIFFERENCE = "difference"
"""The column that depends on the other runs: a name made from the differences between them."""


def column(name: str, rows: Sequence[Row]) -> Column:
    """Return the column of a name for these runs.

    Raises:
        BadInput: It names no column or several settings; the problem lists similar names.
    """
    name = {"tag": "tags"}.get(name, name)
    if name in OWN:
        return OWN[name][1]
    if name == DIFFERENCE:
        return _difference(rows)
    if any(name in row.summary for row in rows):
        return lambda row: row.summary.get(name)
    path = _setting(name, rows)
    if path is not None:
        return lambda row: row.settings.get(path)
    figure = _FIGURE.fullmatch(name)
    if figure is not None:
        which, last, series = figure["which"] or "last", int(figure["count"] or MEAN) or 1, figure["series"]
        if any(series in _series(row) for row in rows):
            return lambda row: row.figure(which, series, last)
    known = column_names(rows)
    ends = {each.rpartition(".")[2]: each for each in known} | {each: each for each in known}
    near = [ends[end] for end in difflib.get_close_matches(name, ends, n=6, cutoff=0.5)] or [*OWN, DIFFERENCE]
    raise BadInput(
        "is not a column of any of these runs", field="column", value=name, allowed=", ".join(dict.fromkeys(near))
    )


def column_names(rows: Sequence[Row]) -> dict[str, str]:
    """Return every name of a column that some of these runs have, with its description."""
    names = {name: description for name, (description, _) in OWN.items()}
    names[DIFFERENCE] = "a name made from its differences from the other runs"
    for row in rows:
        names |= {name: "a figure of its summary" for name in row.summary if name not in names}
    for row in rows:
        names |= {path: "a setting of its recipe" for path in row.settings if path not in names}
    for series in dict.fromkeys(series for row in rows for series in _series(row)):
        stored = {"last": "the last value", "best": "the best value", "step of best": "the step of the best value"}
        names |= {f"{which} {series}": f"{description} of this series" for which, description in stored.items()}
        names[f"mean {series}"] = f"the mean of the last {MEAN} values of this series"
    return names


def _setting(name: str, rows: Sequence[Row]) -> str | None:
    """Return the path of the setting that a name means: a full path, with or without a card's ".name", or its end."""
    paths = {path for row in rows for path in row.settings}
    for path in (name, f"{name}.name"):
        if path in paths:
            return path
    ends = sorted(path for path in paths if path.endswith((f".{name}", f".{name}.name")))
    if len(ends) > 1:
        raise BadInput("names several settings", field="column", value=name, allowed=", ".join(ends[:8]))
    return ends[0] if ends else None


def _series(row: Row) -> list[str]:
    try:
        return list(row.run.metrics().series())
    except LabError:
        return []


def _difference(rows: Sequence[Row]) -> Column:
    oldest_first = sorted(rows, key=lambda row: (row.run.created, row.run.name))
    names = names_by_difference([row.settings for row in oldest_first])
    by_run = {row.run.path: name for row, name in zip(oldest_first, names, strict=True)}
    return lambda row: by_run.get(row.run.path)
