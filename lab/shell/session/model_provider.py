"""The model that Inspect and Play use: that of the selected run, in its current state or untrained, or the draft's."""

from __future__ import annotations

from typing import Literal

from lab.host import Plugins
from lab.recipes import Recipe
from lab.runs import RunFolder
from lab.shell.session.draft import Draft
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.widgets.core.i18n import number_text, tr
from lab.workbench import SavedRun
from lab.workbench.access.model_access import ModelAccess
from lab.workbench.access.untrained import Untrained

Place = Literal["inspect", "play"]
"""The pages that use a model."""


class ModelProvider:
    """Provides the model of each page, and releases models that no page uses any more.

    Args:
        registry: The runs.
        draft: The recipe whose untrained model is provided while no run is selected.
        plugins: The plugins that provide cards.
    """

    def __init__(self, registry: RunRegistry, draft: Draft, plugins: Plugins) -> None:
        self.draft = draft
        self._registry, self._plugins = registry, plugins
        self._use_untrained: set[Place] = set()  # the pages that use the untrained model of the selected run
        self._untrained: tuple[Recipe, Untrained] | None = None
        self._saved: SavedRun | None = None  # the run on disk that was provided last
        registry.selection_changed.connect(self._release)
        registry.data_changed.connect(self._release)

    def choose(self, place: Place, *, untrained: bool) -> None:
        """Let a page use the untrained model of the selected run, or its current model."""
        if untrained:
            self._use_untrained.add(place)
        else:
            self._use_untrained.discard(place)
        self._release()

    def is_untrained(self, place: Place) -> bool:
        """Return True if a page uses the untrained model of the selected run."""
        return place in self._use_untrained

    def current(self, place: Place) -> tuple[ModelAccess, RunModel | None]:
        """Return the model of a page and its run, which is None for the untrained model of the draft."""
        run = self._registry.selected
        if run is None:
            return self._untrained_of(self.draft.recipe), None
        model = run.source
        if place in self._use_untrained or _is_queued(run):
            return self._untrained_of(model.recipe, model.folder if isinstance(model, SavedRun) else None), run
        if isinstance(model, SavedRun):
            self._saved = model
        return model, run

    def name(self, place: Place) -> str:
        """Return the name of a page's model, with its step."""
        run = self._registry.selected
        return model_name(run, 0 if run is None or place in self._use_untrained else run.step)

    def _untrained_of(self, recipe: Recipe, folder: RunFolder | None = None) -> Untrained:
        untitled = recipe.model_copy(update={"title": ""})  # a title changes no weight
        if self._untrained is None or self._untrained[0] != untitled:
            self._untrained = untitled, Untrained(recipe, self._plugins, folder)
        return self._untrained[1]

    def _release(self, *_: object) -> None:
        """Release the untrained model once a trained one replaces it, and the model of a run no longer selected."""
        run = self._registry.selected
        if run is not None and not self._use_untrained and not _is_queued(run):
            self._untrained = None
        if self._saved is not None and (run is None or run.source is not self._saved):
            self._saved.forget_model()
            self._saved = None


def model_name(run: RunModel | None, step: int) -> str:
    """Return the name of a run's model at a step, or that of the draft's model if there is no run."""
    if run is None:
        return tr("the untrained model")
    return (
        tr("{run} · step {step}", run=run.name, step=number_text(step))
        if step
        else tr("{run} · untrained", run=run.name)
    )


def _is_queued(run: RunModel) -> bool:
    """Return True if a run has made no step yet, so that it has only its initial weights."""
    return run.active is not None and run.active.ring is None
