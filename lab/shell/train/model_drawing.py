"""The content of the drawing of a model: the parts of the draft's model, or of a run's, found in the background."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, QTimer, Signal

from lab.base.jobs import Job, interruptible
from lab.base.problems import LabError, Problem
from lab.recipes import Recipe
from lab.shell.runtime.background import Background
from lab.shell.session.draft import Draft
from lab.shell.session.draft_changes import differences
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.widgets.core.i18n import tr

if TYPE_CHECKING:
    from lab.workbench.launch.structure import Structure

AFTER_EDIT = 200
"""Milliseconds without an edit after which the draft's model is drawn."""


class FindStructure(Protocol):
    """A function that finds the parts of a recipe's model, as `Workbench.structure` does."""

    def __call__(self, recipe: Recipe, *, settings: bool = False, stop: Callable[[], bool] = bool) -> Structure:
        """Return the parts, and the settings that shape them if these are wanted."""


class ModelDrawing(QObject):
    """The state of the drawing. Nothing is computed before `begin`, nor while the drawing is hidden.

    The model of the selected run is drawn from its selection on until the draft is edited.

    Args:
        draft: The draft.
        registry: The runs; the selected one can be drawn instead of the draft.
        background: Runs the work in threads.
        find: Finds the parts of a model.
        parent: Its parent.

    Attributes:
        structure: The parts that are drawn; None before the first ones are found, and after a problem.
        problem: Why the model cannot be drawn; None if it can.
        computing: True while newer parts are being found.
    """

    changed = Signal()
    """Something of the drawing changed."""

    def __init__(
        self,
        draft: Draft,
        registry: RunRegistry,
        background: Background,
        find: FindStructure,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.structure: Structure | None = None
        self.problem: Problem | None = None
        self.computing = False
        self._draft, self._registry, self._background, self._find = draft, registry, background, find
        self._ready = self._shown = False
        self._prefers_run = True
        self._known_draft, self._known_run = draft.recipe, registry.selected
        self._drawn: Recipe | None = None  # the recipe of the drawing, or of the one that is being made
        self._edited = QTimer(self)
        self._edited.setSingleShot(True)
        self._edited.setInterval(AFTER_EDIT)
        self._edited.timeout.connect(self._update)
        draft.changed.connect(self._follow_draft)
        registry.selection_changed.connect(self._follow_selection)

    @property
    def of_run(self) -> bool:
        """True if the model of the selected run is drawn, False if that of the draft is."""
        return self._prefers_run and self.run is not None

    @property
    def of_form(self) -> bool:
        """True if the drawn model has the settings in the form: that of the draft, or of a run that equals it."""
        if not self.of_run:
            return True
        try:
            return not differences(self._draft.recipe, self.recipe, self._draft.plugins)
        except LabError:  # a card of the run is missing
            return False

    @property
    def recipe(self) -> Recipe:
        """The recipe whose model is drawn."""
        run = self.run
        return run.recipe_here if run is not None and self.of_run else self._draft.recipe

    @property
    def run(self) -> RunModel | None:
        """The selected run."""
        return self._registry.selected

    def begin(self) -> None:
        """Start, once torch and the plugins are loaded."""
        self._ready = True
        self._update()

    def set_shown(self, shown: bool) -> None:
        """Find the parts while the drawing is shown, and only then."""
        self._shown = shown
        self._update()

    def show_run(self, of_run: bool) -> None:
        """Draw the model of the selected run, or that of the draft."""
        self._prefers_run = of_run
        self.changed.emit()
        self._update()

    def _follow_draft(self) -> None:
        """Draw the model of the draft once it is edited."""
        recipe = self._draft.recipe
        is_edited, self._known_draft = recipe != self._known_draft, recipe
        if is_edited and self.of_run:
            self.show_run(False)
        else:
            self._edited.start()

    def _follow_selection(self) -> None:
        """Draw the model of a run once it is selected; the signal is emitted for other reasons, too."""
        is_selected, self._known_run = self.run is not self._known_run, self.run
        self.show_run(self._prefers_run or is_selected)

    def _update(self) -> None:
        recipe = self.recipe
        if not self._ready or not self._shown or recipe is self._drawn:
            return
        self._drawn, self.computing = recipe, True
        self.changed.emit()
        work = partial(_find, self._find, recipe)
        self._background.run(tr("Drawing the model"), work, self._take, self._refuse, replaces="model drawing")

    def _take(self, structure: Structure) -> None:
        self.structure, self.problem, self.computing = structure, None, False
        self.changed.emit()
        if structure.settings is None and self._drawn is not None:
            work = partial(_find_settings, self._find, self._drawn)
            title = tr("Finding the settings of each part")
            self._background.run(title, work, self._take_settings, self._ignore, replaces="model settings")

    def _take_settings(self, structure: Structure) -> None:
        if self.structure is not None and structure.tree == self.structure.tree and structure.settings is not None:
            self.structure = structure
            self.changed.emit()

    def _refuse(self, problem: Problem) -> None:
        self.structure, self.problem, self.computing = None, problem, False
        self.changed.emit()

    def _ignore(self, _problem: Problem) -> None:
        """Show the drawing without settings."""


def _find(find: FindStructure, recipe: Recipe, job: Job) -> Structure:
    """Find the parts of a model; in a thread."""
    with interruptible(job):
        return find(recipe)


def _find_settings(find: FindStructure, recipe: Recipe, job: Job) -> Structure:
    """Find the settings that shape the parts of a model, too; in a thread."""
    with interruptible(job):
        return find(recipe, settings=True, stop=lambda: job.cancelled)
