"""The columns of the table of runs: those filled by the window, and any setting or figure, read in a thread."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from lab.base.problems import LabError, Problem
from lab.base.units import duration, short
from lab.host import Plugins
from lab.runs.library.columns import column, column_names
from lab.runs.library.recipe_fields import Value
from lab.shell.runs.offering import distinct_titles, offered_figures, offered_settings, path_title, setting_titles
from lab.shell.runs.rows import (
    LIFE,
    LOSS,
    TRAIN,
    has_unit,
    heading,
    lineage,
    measured,
    measures,
    row_of,
    verification_of,
)
from lab.shell.runs.search import ViewRow, rows_of
from lab.shell.runtime.background import Background
from lab.shell.session.runs.formatting import corpus_label, loss_text, state_label
from lab.shell.session.runs.loss_unit import NATS, convert_one, unit_label
from lab.shell.session.runs.model import RunModel
from lab.widgets.core.i18n import localized, number_text, tr, tr_registered
from lab.widgets.runs.table_model import Column, TableRow

if TYPE_CHECKING:
    from lab.base.jobs import Job

FIRST = ("loss", "state", "step", "created", "tags")
"""The default columns."""
WHICH = ("step of best", "best", "mean", "last")
"""The figures of a series."""
Cell = tuple[str, Any]


@dataclass(frozen=True)
class OwnColumn:
    """A column that needs nothing from disk.

    Args:
        title: Its header.
        cell: Returns the text and the sort key of its cell for a run.
        number: True if its cells are numbers.
    """

    title: str
    cell: Callable[[RunModel], Cell]
    number: bool = False


def own_columns(unit: str = NATS) -> dict[str, OwnColumn]:
    """Return the columns that need nothing from disk, by key.

    Args:
        unit: The unit of the losses.
    """
    columns = {"parameters": OwnColumn(tr("parameters"), _parameters_cell, True)}
    for key, title in measures().items():
        shown = heading(key, unit) if key in (LOSS, TRAIN) else title
        columns[key] = OwnColumn(shown, partial(_measured_cell, key, unit), True)
    return columns | {
        "state": OwnColumn(tr("state"), lambda run: (state_label(run), LIFE.index(run.state))),
        "step": OwnColumn(tr("step"), lambda run: (number_text(run.step), run.step), True),
        "seconds": OwnColumn(tr("training time"), _time_cell, True),
        "created": OwnColumn(tr("date"), lambda run: (_date(run.created), run.created or "~")),
        "tags": OwnColumn(tr("tags"), lambda run: _text_cell(", ".join(run.label.tags))),
        "note": OwnColumn(tr("note"), lambda run: _text_cell(" ".join(run.label.note.split()))),
        "architecture": OwnColumn(tr("architecture"), lambda run: _text_cell(run.recipe.architecture.name)),
        "corpus": OwnColumn(tr("corpus"), lambda run: _text_cell(corpus_label(run))),
        "parent": OwnColumn(tr("from"), lambda run: _text_cell(lineage(run))),
        "verified": OwnColumn(tr("verified"), lambda run: _text_cell(verification_of(run))),
    }


def _parameters_cell(run: RunModel) -> Cell:
    return ("", None) if run.parameters is None else (localized(short(run.parameters)), run.parameters)


def _time_cell(run: RunModel) -> Cell:
    seconds = run.training_seconds
    return ("", None) if seconds is None else (localized(duration(seconds)), seconds)


def _measured_cell(measure: str, unit: str, run: RunModel) -> Cell:
    value = measured(run, measure, unit)
    if value is None or math.isnan(value):
        return "", None
    return row_of(run, measure, unit).value, value


class _Cells(Sequence[Cell]):
    """The cells of a run, each made when it is first read: of a thousand runs only about thirty are visible.

    Args:
        run: The run.
        keys: The keys of the columns.
        version: The version of everything on which the cells depend; equal versions have equal cells.
        cell: Makes a cell.
    """

    def __init__(
        self,
        run: RunModel,
        keys: Sequence[str],
        version: object,
        cell: Callable[[RunModel, str], Cell],
    ) -> None:
        self._run, self._keys, self._version, self._cell = run, keys, version, cell
        self._made: dict[int, Cell] = {}

    def __len__(self) -> int:
        return len(self._keys)

    def __getitem__(self, index: int) -> Cell:  # type: ignore[override]
        if index not in self._made:
            self._made[index] = self._cell(self._run, self._keys[index])
        return self._made[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Cells) and self._version == other._version

    def __hash__(self) -> int:
        return hash(self._version)


class RunsColumns(QObject):
    """The content of the selected columns.

    Args:
        background: Runs the reading in threads.
        plugins: The plugins whose cards have settings.
        parent: Its parent.

    Attributes:
        settings: The titles of the settings that can be selected, by path.
        figures: The titles of the figures that can be selected, by name.
    """

    found = Signal()
    """More values were read."""

    def __init__(self, background: Background, plugins: Plugins, parent: QObject) -> None:
        super().__init__(parent)
        self._background, self._plugins = background, plugins
        self._unit = NATS
        self._own = own_columns()
        self._known: dict[tuple[str, str], tuple[Any, Value]] = {}  # by run and column: version of the run, and value
        self._requested: Any = None
        self._revision = 0
        self._rows: dict[str, tuple[object, TableRow]] = {}
        self.settings: dict[str, str] = {}
        self.figures: dict[str, str] = {}
        self._titles: dict[str, str] = {}  # of all settings, by path
        self.problem: Problem | None = None

    def show_losses_in(self, unit: str) -> None:
        """Show losses in another unit from the next call of `columns` and `rows` on."""
        self._unit, self._own = unit, own_columns(unit)

    @property
    def own(self) -> dict[str, OwnColumn]:
        """The columns that need nothing from disk, by key."""
        return self._own

    def columns(self, keys: Sequence[str]) -> list[Column]:
        """Return the columns with these keys."""
        return [
            Column(key, self._own[key].title, self._own[key].number) if key in self._own else self._other(key)
            for key in keys
        ]

    def rows(self, runs: Sequence[RunModel], keys: Sequence[str]) -> list[TableRow]:
        """Return a row for each run; cells that must be read first are empty until `found` is emitted."""
        others = [key for key in keys if key not in self._own]
        if others:
            self._request(runs, others)
        made: dict[str, tuple[object, TableRow]] = {}
        for run in runs:
            version = (tuple(keys), self._revision, self._unit, run.state, run.step, run.version())
            known = self._rows.get(run.key)
            row = known[1] if known is not None and known[0] == version else None
            made[run.key] = version, row or TableRow(row_of(run), _Cells(run, keys, version, self._cell))
        self._rows = made
        return [row for _, row in made.values()]

    def find_names(self, runs: Sequence[RunModel]) -> None:
        """Find the settings and figures that can be selected, in a thread."""
        work = partial(_find_offered, rows_of(runs), self._plugins)
        self._background.run(tr("Finding columns"), work, self._set_names, replaces="column names")

    def _set_names(self, found: Offered) -> None:
        self.figures = {name: figure_title(name, self._unit) for name in found.figures}
        self._titles = found.titles
        self.settings = distinct_titles({path: self.title_of(path) for path in found.settings})
        self.found.emit()

    def title_of(self, key: str) -> str:
        """Return the title of a setting or figure that can be selected or was entered by name."""
        if key in self.settings:
            return self.settings[key]
        if key in self._titles or key.startswith(("training.", "architecture.", "corpus.", "tokenizer.", "objective.")):
            return self._titles.get(key) or path_title(key)
        return figure_title(key, self._unit)

    def _other(self, key: str) -> Column:
        values = [value for (_, name), (_, value) in self._known.items() if name == key and value is not None]
        number = bool(values) and all(isinstance(value, int | float) for value in values)
        return Column(key, self.title_of(key), number)

    def _cell(self, run: RunModel, key: str) -> Cell:
        own = self._own.get(key)
        if own is not None:
            return own.cell(run)
        value = self._known.get((run.key, key), (None, None))[1]
        if is_loss(key) and isinstance(value, float):
            value = convert_one(value, run, self._unit) if has_unit(run, self._unit) else math.nan
            return ("", None) if math.isnan(value) else (loss_text(value), value)
        return cell_of(value)

    def _request(self, runs: Sequence[RunModel], names: Sequence[str]) -> None:
        stale = [
            run for run in runs if any(self._known.get((run.key, name), (None,))[0] != _version(run) for name in names)
        ]
        request = (tuple(names), [(run.key, _version(run)) for run in stale])
        if not stale or request == self._requested:
            return
        self._requested = request
        work = partial(_read_values, rows_of(runs), {run.key: _version(run) for run in stale}, names)
        self._background.run(tr("Reading columns"), work, self._take, replaces="columns")

    def _take(self, values: dict[tuple[str, str], tuple[Any, Value]]) -> None:
        self._known |= values
        self._revision += 1
        self.found.emit()


def _parts_of(name: str) -> tuple[str, str]:
    """Return which figure a name asks for, "" if it is that of the last value, and the name of its series."""
    which = next((one for one in WHICH if name.startswith(f"{one} ")), "")
    return which, name.removeprefix(f"{which} ")


def is_loss(name: str) -> bool:
    """Return True if a figure is a loss: "best validation loss", and not "step of best validation loss"."""
    which, series = _parts_of(name)
    return series.endswith("loss") and which != "step of best"


def figure_title(name: str, unit: str = NATS) -> str:
    """Return the title of a figure of a series with its unit: "best validation loss (nats per token)"."""
    which, english = _parts_of(name)
    series = tr("training loss") if english == "train loss" else tr_registered(english)
    title = {
        "best": tr("best {series}", series=series),
        "step of best": tr("step of best {series}", series=series),
        "mean": tr("mean {series}, last 100 points", series=series),
    }.get(which, series)
    return tr("{loss} ({unit})", loss=title, unit=unit_label(unit)) if is_loss(name) else title


@dataclass(frozen=True)
class Offered:
    """The settings and figures that the menus of columns offer.

    Args:
        settings: The paths of settings.
        figures: The names of figures.
        titles: The titles of all settings, by path.
    """

    settings: list[str]
    figures: list[str]
    titles: dict[str, str]


def _find_offered(rows: list[ViewRow], plugins: Plugins, job: Job) -> Offered:
    """Return what some runs have as columns; in a thread."""
    del job
    series = [name.removeprefix("best ") for name in column_names(rows) if name.startswith("best ")]
    titles = setting_titles(plugins, tr_registered)
    return Offered(offered_settings([row.settings for row in rows]), offered_figures(series), titles)


def _read_values(
    rows: list[ViewRow], versions: dict[str, Any], names: Sequence[str], job: Job
) -> dict[tuple[str, str], tuple[Any, Value]]:
    """Return the values of some runs; an unknown column has empty cells; in a thread.

    Args:
        rows: All runs of the table.
        versions: The version of each run whose values are read, by key.
        names: The names of the columns.
        job: The job of the thread.
    """
    values: dict[tuple[str, str], tuple[Any, Value]] = {}
    for name in names:
        try:
            value_of = column(name, rows)
        except LabError:
            value_of = _no_value
        for row in rows:
            if job.cancelled:
                return values
            if row.key in versions:
                values[row.key, name] = versions[row.key], value_of(row)
    return values


def _no_value(row: Any) -> Value:
    del row
    return None


def cell_of(value: Value) -> Cell:
    """Return the text and the sort key of a value."""
    if value is None:
        return "", None
    if isinstance(value, bool):
        return (tr("yes") if value else tr("no")), int(value)
    if isinstance(value, int):
        return number_text(value), value
    if isinstance(value, float):
        if not math.isfinite(value):
            return str(value), None
        return (
            loss_text(value) if 0.1 <= abs(value) < 100 and len(f"{value:g}") > 5 else number_text(value, ".4g")
        ), value
    text = ", ".join(value) if isinstance(value, tuple) else value
    return _text_cell(text[:200])


def _text_cell(text: str) -> Cell:
    return text, text.casefold() or None


def _version(run: RunModel) -> Any:
    """Return the version of a run's values; a training run gets a new version every hundred steps."""
    return run.state, run.step // 100 if run.works or run.elsewhere else run.step, run.label


@lru_cache(maxsize=10_000)
def _date(created: str) -> str:
    try:
        return f"{datetime.fromisoformat(created).astimezone():%Y-%m-%d %H:%M}"
    except ValueError:
        return ""
