"""The search over runs: words are searched at once, conditions, which may read files, in a thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from lab.base.problems import Problem
from lab.runs import RunFolder, Status
from lab.runs.library.columns import Row
from lab.runs.library.labels import Label
from lab.runs.library.queries import Query
from lab.runs.library.recipe_fields import Value, fields_of
from lab.shell.runtime.background import Background
from lab.shell.session.runs.formatting import state_label
from lab.shell.session.runs.model import RunModel
from lab.widgets.core.i18n import tr

if TYPE_CHECKING:
    from lab.base.jobs import Job


class ViewRow(Row):
    """A run of the window as a row of a query; it reads from disk only what the window does not know.

    Args:
        run: The run.
        folder: Its folder.
    """

    def __init__(self, run: RunModel, folder: RunFolder) -> None:
        super().__init__(folder)
        self.key = run.key
        self._run = run
        self._status = None if run.active is None else self._current()  # a thread must not read growing series

    def _current(self) -> Status:
        return Status(self._run.stored_state, self._run.step, self._run.figures())

    @property
    def label(self) -> Label:
        """Its label, with the name that the window shows."""
        return replace(self._run.label, name=self._run.name)

    @property
    def status(self) -> Status:
        """Its status."""
        if self._status is None:
            self._status = self._current()
        return self._status

    @property
    def state(self) -> Value:
        """Its state, including those that a folder never has."""
        return self._run.state

    @property
    def settings(self) -> dict[str, Value]:
        """The settings of its recipe by path."""
        return self._run.settings

    @property
    def search_text(self) -> str:
        """The text in which words are searched."""
        return searched_text(self._run)

    @property
    def summary(self) -> dict[str, Value]:
        """Its figures by name."""
        return fields_of(self.status.summary)


class _SearchedRow(ViewRow):
    """A run as a row of a search, which finds its state by its key and by its label in the language of the window."""

    @property
    def state(self) -> Value:
        """The key and the label of its state."""
        return self._run.state, state_label(self._run)


def rows_of(runs: Sequence[RunModel]) -> list[ViewRow]:
    """Return a row for each run that has a folder."""
    return [ViewRow(run, folder) for run in runs if (folder := run.source.folder) is not None]


class RunsSearch(QObject):
    """A search over the runs, repeated when its text or the runs change.

    Args:
        background: Runs the check of conditions in a thread.
        parent: Its parent.

    Attributes:
        text: The text of the search.
        problem: The problem of an invalid search; None if it is valid.
    """

    found = Signal()
    """A thread found other runs than those that `select` returned last."""

    def __init__(self, background: Background, parent: QObject) -> None:
        super().__init__(parent)
        self._background = background
        self.text = ""
        self.problem: Problem | None = None
        self._keys: set[str] | None = None  # keys of the runs that meet the conditions; None before the first result
        self._requested: Any = None

    def set_text(self, text: str) -> None:
        """Set the text of the search."""
        if text != self.text:
            self.text, self._requested = text, None
            self.problem = None
            if not Query.parse(text).conditions:
                self._keys = None

    def select(self, runs: Sequence[RunModel]) -> list[RunModel]:
        """Return the runs that match the search, as far as known, and none if it is invalid.

        Runs without a folder match all conditions.
        """
        query = Query.parse(self.text)
        if not query.terms and not query.conditions:
            return list(runs)
        if query.conditions:
            self._request(query, runs)
            if self.problem is not None:
                return []
            if self._keys is None:
                return list(runs)
            return [run for run in runs if run.key in self._keys or run.source.folder is None]
        return [run for run in runs if all(word in searched_text(run) for word in query.terms)]

    def _request(self, query: Query, runs: Sequence[RunModel]) -> None:
        request = (self.text, [(run.key, run.state, run.step, run.label, run.name) for run in runs])
        if request == self._requested:
            return
        self._requested = request
        rows = [_SearchedRow(run, folder) for run in runs if (folder := run.source.folder) is not None]
        work = partial(_select_keys, query, rows)
        self._background.run(tr("Searching runs"), work, self._take, self._refuse, replaces="search runs")

    def _take(self, keys: set[str]) -> None:
        if keys != self._keys or self.problem is not None:
            self._keys, self.problem = keys, None
            self.found.emit()

    def _refuse(self, problem: Problem) -> None:
        if problem != self.problem:
            self.problem = problem
            self.found.emit()


def _select_keys(query: Query, rows: Sequence[ViewRow], job: Job) -> set[str]:
    """Return the keys of the runs that a query with conditions selects; in a thread."""
    del job
    return {row.key for row in query.select(rows) if isinstance(row, ViewRow)}


def toggle_condition(text: str, condition: str) -> str:
    """Return a search with a condition added, or removed if it has it already."""
    terms = text.split()
    others = [term for term in terms if term != condition]
    return " ".join(others if condition in terms else [*terms, condition])


def searched_text(run: RunModel) -> str:
    """Return the text in which words are searched, in lower case; without the folder's name, whose date has digits."""
    return run.cached("search text", run.state, lambda: _searched_text(run))


def _searched_text(run: RunModel) -> str:
    label, recipe = run.label, run.recipe
    terms = (run.name, run.base_name, label.note, *label.tags, state_label(run), run.state)
    return "\n".join([*terms, recipe.architecture.name, recipe.corpus.name]).casefold()
