"""Which runs a search means: words are looked for at once, conditions that may ask a file in a thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from lab.base.problems import Problem
from lab.runs import RunFolder, Status
from lab.runs.library.columns import Row
from lab.runs.library.labels import Label
from lab.runs.library.queries import Query
from lab.runs.library.recipe_fields import Value, fields_of
from lab.shell.runtime.background import Background
from lab.shell.session.runs.model import RunModel
from lab.widgets.core.i18n import tr

if TYPE_CHECKING:
    from lab.base.jobs import Job


class ViewRow(Row):
    """A run of the window as queries ask it: what the window knows of it, and only what it does not know from disk.

    Args:
        view: The run.
        folder: Its folder.
    """

    def __init__(self, view: RunModel, folder: RunFolder) -> None:
        super().__init__(folder)
        self.key = view.key
        self._view = view
        self._status = None if view.active is None else self._made()  # a thread must not look at what grows

    def _made(self) -> Status:
        return Status(self._view.stored_state, self._view.step, self._view.figures())

    @property
    def label(self) -> Label:
        """What a person says of it, under the name that the window shows."""
        return replace(self._view.label, name=self._view.name)

    @property
    def status(self) -> Status:
        """How far it is."""
        if self._status is None:
            self._status = self._made()
        return self._status

    @property
    def state(self) -> Value:
        """Where it is in its life, also where that is no state of a folder."""
        return self._view.state

    @property
    def settings(self) -> dict[str, Value]:
        """The settings of its recipe by path."""
        return self._view.settings

    @property
    def search_text(self) -> str:
        """All in which a search for words looks."""
        return words_of(self._view)

    @property
    def summary(self) -> dict[str, Value]:
        """Its figures by name."""
        return fields_of(self.status.summary)


def rows_of(views: Sequence[RunModel]) -> list[ViewRow]:
    """Those runs that have a folder, as queries ask them."""
    return [ViewRow(view, folder) for view in views if (folder := view.run.folder) is not None]


class RunsSearch(QObject):
    """One search over the runs, asked again when it or the runs change.

    Args:
        background: Brings conditions off the main thread.
        parent: Its parent.
    """

    found = Signal()
    """Something was found otherwise than in `of`."""

    def __init__(self, background: Background, parent: QObject) -> None:
        super().__init__(parent)
        self._background = background
        self.words = ""
        self.problem: Problem | None = None
        self._keys: set[str] | None = None  # what conditions mean; None before the first answer
        self._asked: Any = None

    def set_words(self, words: str) -> None:
        """Takes another search."""
        if words != self.words:
            self.words, self._asked = words, None
            self.problem = None
            if not Query.parse(words).conditions:
                self._keys = None

    def of(self, views: Sequence[RunModel]) -> list[RunModel]:
        """The runs that are meant, as far as it is known; runs that have no folder yet always are."""
        query = Query.parse(self.words)
        if not query.terms and not query.conditions:
            return list(views)
        if query.conditions:
            self._ask(query, views)
            if self._keys is None:
                return list(views)
            return [view for view in views if view.key in self._keys or view.run.folder is None]
        return [view for view in views if all(word in words_of(view) for word in query.terms)]

    def _ask(self, query: Query, views: Sequence[RunModel]) -> None:
        now = (self.words, [(view.key, view.state, view.step, view.label, view.name) for view in views])
        if now == self._asked:
            return
        self._asked = now
        asking = _Asking(query, rows_of(views))
        self._background.run(tr("Searching runs"), asking.work, self._take, self._refuse, replaces="search runs")

    def _take(self, keys: set[str]) -> None:
        if keys != self._keys or self.problem is not None:
            self._keys, self.problem = keys, None
            self.found.emit()

    def _refuse(self, problem: Problem) -> None:
        if problem != self.problem:
            self.problem = problem
            self.found.emit()


class _Asking:
    """One question with conditions."""

    def __init__(self, query: Query, rows: list[ViewRow]) -> None:
        self._query, self._rows = query, rows

    def work(self, job: Job) -> set[str]:
        """Finds the keys of those that are meant; in a thread of its own."""
        del job
        return {row.key for row in self._query.select(self._rows) if isinstance(row, ViewRow)}


def with_condition(words: str, condition: str) -> str:
    """A search with a condition more, or without it where it has it."""
    parts = words.split()
    kept = [part for part in parts if part != condition]
    return " ".join(kept if condition in parts else [*parts, condition])


def words_of(view: RunModel) -> str:
    """All in which a search for words looks, in small letters; not the folder, whose date has every number."""
    return view.cached("search text", view.state, lambda: _words(view))


def _words(view: RunModel) -> str:
    label, recipe = view.label, view.recipe
    told = (view.name, view.base_name, label.note, *label.tags, view.state_label, view.state)
    return "\n".join([*told, recipe.architecture.name, recipe.corpus.name]).casefold()
