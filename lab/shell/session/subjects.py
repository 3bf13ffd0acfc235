"""The model that Inspect and Play ask: that of the selected run, now or before any training, or the draft's."""

from __future__ import annotations

from typing import Literal

from lab.host import Plugins
from lab.recipes import Recipe
from lab.runs import RunFolder
from lab.shell.session.draft import Draft
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.widgets.core.i18n import tr
from lab.workbench import SavedRun
from lab.workbench.access.model_access import ModelAccess
from lab.workbench.access.untrained import Untrained

Place = Literal["inspect", "play"]
"""Where a model is asked."""


class Subjects:
    """Who is asked now. Models that nobody asks any more are given back.

    Args:
        book: The runs.
        draft: The recipe that is asked where no run is selected.
        plugins: Where cards are found.
    """

    def __init__(self, book: RunRegistry, draft: Draft, plugins: Plugins) -> None:
        self.draft = draft
        self._book, self._plugins = book, plugins
        self._before: set[Place] = set()  # the places that ask the selected run's model before any training
        self._untrained: tuple[Recipe, Untrained] | None = None
        self._saved: SavedRun | None = None  # the run on disk that was asked last
        book.chosen.connect(self._give_back)
        book.grown.connect(self._give_back)

    def choose(self, place: Place, *, untrained: bool) -> None:
        """Says whether a place asks the selected run's model before any training, or as it is now."""
        if untrained:
            self._before.add(place)
        else:
            self._before.discard(place)
        self._give_back()

    def now(self, place: Place) -> tuple[ModelAccess, RunModel | None]:
        """The subject of a place, and its run; None for the untrained model of the draft."""
        view = self._book.selected
        if view is None:
            return self._untrained_of(self.draft.recipe), None
        run = view.run
        if place in self._before or _is_prepared(view):
            return self._untrained_of(run.recipe, run.folder if isinstance(run, SavedRun) else None), view
        if isinstance(run, SavedRun):
            self._saved = run
        return run, view

    def name(self, place: Place) -> str:
        """What the subject is called, with its step."""
        view = self._book.selected
        return model_name(view, 0 if view is None or place in self._before else view.step)

    def _untrained_of(self, recipe: Recipe, run: RunFolder | None = None) -> Untrained:
        untitled = recipe.model_copy(update={"title": ""})  # a name changes no weight
        if self._untrained is None or self._untrained[0] != untitled:
            self._untrained = untitled, Untrained(recipe, self._plugins, run)
        return self._untrained[1]

    def _give_back(self, *_: object) -> None:
        """Drops the untrained model once a trained one is asked in its stead, and that of a run left behind."""
        view = self._book.selected
        if view is not None and not self._before and not _is_prepared(view):
            self._untrained = None
        if self._saved is not None and (view is None or view.run is not self._saved):
            self._saved.forget_model()
            self._saved = None


def model_name(view: RunModel | None, step: int) -> str:
    """What the model of a run at a step is called; without a run, that of the draft."""
    if view is None:
        return tr("the untrained model")
    return (
        tr("{run} · step {step}", run=view.name, step=f"{step:,}") if step else tr("{run} · untrained", run=view.name)
    )


def _is_prepared(view: RunModel) -> bool:
    """Whether a run waits for its first step, so that it has no weights but the first ones."""
    return view.active is not None and view.active.ring is None
