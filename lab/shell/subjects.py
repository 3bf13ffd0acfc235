"""The model that Inspect and Play ask: that of the selected run, or the draft's before any training."""

from __future__ import annotations

from lab.host import Plugins
from lab.recipes import Recipe
from lab.shell.draft import Draft
from lab.shell.run_book import RunBook
from lab.shell.run_view import RunView
from lab.widgets.words import text
from lab.workbench.look import Subject
from lab.workbench.untrained import Untrained


class Subjects:
    """Who is asked now.

    Args:
        book: The runs.
        draft: The recipe that is asked where no run is selected.
        plugins: Where cards are found.
    """

    def __init__(self, book: RunBook, draft: Draft, plugins: Plugins) -> None:
        self._book, self._draft, self._plugins = book, draft, plugins
        self._untrained: tuple[Recipe, Untrained] | None = None

    def now(self) -> tuple[Subject, RunView | None]:
        """The subject, and its run; None for the untrained model of the draft."""
        view = self._book.selected
        if view is None:
            return self._of_draft(self._draft.recipe), None
        if view.active is not None and view.active.trainer is None:  # it is being prepared: its first weights
            return self._of_draft(view.recipe), view
        return view.run, view

    def name(self) -> str:
        """What the subject is called, with its step."""
        view = self._book.selected
        if view is None:
            return text("untrained, as the configuration has it")
        return text("{run} · step {step}", run=view.name, step=f"{view.step:,}")

    def _of_draft(self, recipe: Recipe) -> Untrained:
        if self._untrained is None or self._untrained[0] != recipe:
            self._untrained = recipe, Untrained(recipe, self._plugins)
        return self._untrained[1]
