"""The columns of the table of runs: those the window knows, and any setting or figure, which a thread looks up."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from lab.base.problems import LabError, Problem
from lab.runs.library.columns import column, column_names
from lab.runs.library.recipe_fields import Value
from lab.shell.runs.rows import LIFE, lineage, measured, measures, row_of, verified
from lab.shell.runs.search import ViewRow, rows_of
from lab.shell.runtime.background import Background
from lab.shell.session.runs.formatting import loss_text
from lab.shell.session.runs.model import RunModel
from lab.widgets.core.i18n import tr
from lab.widgets.runs.table_model import Column, TableRow

if TYPE_CHECKING:
    from lab.base.jobs import Job

FIRST = ("loss", "state", "step", "created", "tags")
"""The columns that are shown until a person chooses."""
FIGURES = ("best", "step of best", "mean")
"""What is asked of a series, beside its last value."""

Cell = tuple[str, Any]


@dataclass(frozen=True)
class OwnColumn:
    """A column that the window fills by itself.

    Args:
        title: Its head.
        cell: Its words for a run, and what it is sorted by.
        number: Whether its cells are numbers.
    """

    title: str
    cell: Callable[[RunModel], Cell]
    number: bool = False


def own_columns() -> dict[str, OwnColumn]:
    """The columns that need nothing from disk, by key."""
    found = {key: OwnColumn(one.name, _Measured(key), True) for key, one in measures().items()}
    return found | {
        "state": OwnColumn(tr("state"), lambda view: (view.state_label, LIFE.index(view.state))),
        "step": OwnColumn(tr("step"), lambda view: (f"{view.step:,}", view.step), True),
        "created": OwnColumn(tr("date"), lambda view: (_date(view.created), view.created or "~")),
        "tags": OwnColumn(tr("tags"), lambda view: _words(", ".join(view.label.tags))),
        "note": OwnColumn(tr("note"), lambda view: _words(" ".join(view.label.note.split()))),
        "architecture": OwnColumn(tr("architecture"), lambda view: _words(view.recipe.architecture.name)),
        "corpus": OwnColumn(tr("corpus"), lambda view: _words(_corpus(view))),
        "parent": OwnColumn(tr("from"), lambda view: _words(lineage(view))),
        "verified": OwnColumn(tr("resuming"), lambda view: _words(verified(view))),
    }


class _Measured:
    """What a run reached, as a cell."""

    def __init__(self, measure: str) -> None:
        self._measure = measure

    def __call__(self, view: RunModel) -> Cell:
        value = measured(view, self._measure)
        if value is None or math.isnan(value):
            return "", None
        return row_of(view, self._measure).value, value


class _Cells(Sequence[Cell]):
    """The cells of a run, each made when it is looked at: of a thousand runs thirty are seen."""

    def __init__(
        self,
        view: RunModel,
        chosen: Sequence[str],
        now: object,
        cell: Callable[[RunModel, str], Cell],
    ) -> None:
        self._view, self._chosen, self._of, self._cell = view, chosen, now, cell
        self._made: dict[int, Cell] = {}

    def __len__(self) -> int:
        return len(self._chosen)

    def __getitem__(self, place: int) -> Cell:  # type: ignore[override]
        if place not in self._made:
            self._made[place] = self._cell(self._view, self._chosen[place])
        return self._made[place]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Cells) and self._of == other._of

    def __hash__(self) -> int:
        return hash(self._of)


class RunsColumns(QObject):
    """What stands in the chosen columns.

    Args:
        background: Brings reading off the main thread.
        parent: Its parent.
    """

    found = Signal()
    """More is known."""

    def __init__(self, background: Background, parent: QObject) -> None:
        super().__init__(parent)
        self._background = background
        self._own = own_columns()
        self._known: dict[tuple[str, str], tuple[Any, Value]] = {}  # by run and column: of what moment, and the value
        self._asked: Any = None
        self._revision = 0
        self._rows: dict[str, tuple[object, TableRow]] = {}
        self.offered: dict[str, str] = {}
        self.problem: Problem | None = None

    def columns(self, chosen: Sequence[str]) -> list[Column]:
        """The chosen columns."""
        return [
            Column(key, self._own[key].title, self._own[key].number) if key in self._own else self._other(key)
            for key in chosen
        ]

    def rows(self, views: Sequence[RunModel], chosen: Sequence[str]) -> list[TableRow]:
        """A row for each run; what must be read first comes later."""
        others = [key for key in chosen if key not in self._own]
        if others:
            self._ask(views, others)
        made: dict[str, tuple[object, TableRow]] = {}
        for view in views:
            now = (tuple(chosen), self._revision, view.state, view.step, view.version())
            known = self._rows.get(view.key)
            row = known[1] if known is not None and known[0] == now else None
            made[view.key] = now, row or TableRow(row_of(view), _Cells(view, chosen, now, self._cell))
        self._rows = made
        return [row for _, row in made.values()]

    def look_for_names(self, views: Sequence[RunModel]) -> None:
        """Finds out which settings and figures there are to choose."""
        asking = _Names(rows_of(views))
        self._background.run(tr("Looking for columns"), asking.work, self._take_names, replaces="column names")

    def _take_names(self, names: dict[str, str]) -> None:
        self.offered = names

    def _other(self, key: str) -> Column:
        values = [value for (_, name), (_, value) in self._known.items() if name == key and value is not None]
        number = bool(values) and all(isinstance(value, int | float) for value in values)
        return Column(key, key.rpartition(".")[2].replace("_", " "), number)

    def _cell(self, view: RunModel, key: str) -> Cell:
        own = self._own.get(key)
        if own is not None:
            return own.cell(view)
        value = self._known.get((view.key, key), (None, None))[1]
        return cell_of(value)

    def _ask(self, views: Sequence[RunModel], names: Sequence[str]) -> None:
        wanted = [
            view
            for view in views
            if any(self._known.get((view.key, name), (None,))[0] != _moment(view) for name in names)
        ]
        now = (tuple(names), [(view.key, _moment(view)) for view in wanted])
        if not wanted or now == self._asked:
            return
        self._asked = now
        asking = _Values(rows_of(views), {view.key: _moment(view) for view in wanted}, names)
        self._background.run(tr("Reading columns"), asking.work, self._take, replaces="columns")

    def _take(self, found: dict[tuple[str, str], tuple[Any, Value]]) -> None:
        self._known |= found
        self._revision += 1
        self.found.emit()


class _Names:
    """The names that mean something for some runs."""

    def __init__(self, rows: list[ViewRow]) -> None:
        self._rows = rows

    def work(self, job: Job) -> dict[str, str]:
        """Finds them; in a thread of its own. Those of settings in which runs differ come first."""
        del job
        names = column_names(self._rows)
        return {name: says for name, says in names.items() if _differs(name, self._rows)} | names


class _Values:
    """What is known of some runs under some names."""

    def __init__(self, rows: list[ViewRow], moments: dict[str, Any], names: Sequence[str]) -> None:
        self._rows, self._moments, self._names = rows, moments, names

    def work(self, job: Job) -> dict[tuple[str, str], tuple[Any, Value]]:
        """Looks it up; in a thread of its own. A name that means nothing for these runs leaves empty cells."""
        found: dict[tuple[str, str], tuple[Any, Value]] = {}
        for name in self._names:
            try:
                asked = column(name, self._rows)
            except LabError:
                asked = _nothing
            for row in self._rows:
                if job.cancelled:
                    return found
                if row.key in self._moments:
                    found[row.key, name] = self._moments[row.key], asked(row)
        return found


def _nothing(row: Any) -> Value:
    del row
    return None


def cell_of(value: Value) -> Cell:
    """A value in words, and what it is sorted by."""
    if value is None:
        return "", None
    if isinstance(value, bool):
        return (tr("yes") if value else tr("no")), int(value)
    if isinstance(value, int):
        return f"{value:,}", value
    if isinstance(value, float):
        if not math.isfinite(value):
            return str(value), None
        return (loss_text(value) if 0.1 <= abs(value) < 100 and len(f"{value:g}") > 5 else f"{value:.4g}"), value
    words = ", ".join(value) if isinstance(value, tuple) else value
    return _words(words[:200])


def _words(words: str) -> Cell:
    return words, words.casefold() or None


def _moment(view: RunModel) -> Any:
    """What a value of a run may change with; of a run that trains only every hundred steps."""
    return view.state, view.step // 100 if view.works or view.elsewhere else view.step, view.label


def _differs(name: str, rows: Sequence[ViewRow]) -> bool:
    values = {row.settings.get(name) for row in rows if name in row.settings}
    return len(values) > 1


def _corpus(view: RunModel) -> str:
    folder = view.run.folder
    told = None if folder is None else folder.facts.get("corpus")
    name = told.get("name") if isinstance(told, dict) else None
    return name if isinstance(name, str) else view.recipe.corpus.name


@functools.lru_cache(maxsize=10_000)
def _date(created: str) -> str:
    try:
        return f"{datetime.fromisoformat(created).astimezone():%Y-%m-%d %H:%M}"
    except ValueError:
        return ""
