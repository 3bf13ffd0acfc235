"""The draft: the recipe of the next run, its history, and where it differs from its base."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from lab.base.problems import BadInput, LabError, Problem
from lab.host import Plugins
from lab.recipes import QUICK_START, Choice, Recipe, shipped
from lab.recipes.assignments import assigned
from lab.shell.session.draft_changes import assignments_of, differing, shown_short, value_at
from lab.training.resolution import Resolved, resolve, resolve_all
from lab.workbench.launch.baselines import baselines
from lab.workbench.launch.known_corpora import load_recipe

TOGETHER = 1.0
"""Seconds within which edits of one setting (a slider's drag) are undone together."""
HISTORY = 500
"""Recipes in the history."""
LONGEST = 60
"""Characters of a name made of what differs."""


@dataclass(frozen=True)
class BranchPoint:
    """The checkpoint of another run from which the next run starts.

    Args:
        name: The name of that run.
        run: Its folder.
        step: The step of the checkpoint.
        recipe: The recipe in force there.
    """

    name: str
    run: Path
    step: int
    recipe: Recipe


class Draft(QObject):
    """The recipe of the next run. Every edit makes a new recipe, so undo and redo move along a list.

    Args:
        plugins: Where its cards are found.
        parent: Its parent.

    Attributes:
        recipe: The current recipe.
        base: The recipe with which it is compared: the one it started from, or that of the selected run.
        base_name: The name of that for people.
        branch_point: The checkpoint from which the next run starts; None for a new run.
    """

    changed = Signal()
    edited = Signal(str, object)
    """A setting was edited, or an edit of it undone or redone: its path, and its value now."""

    def __init__(self, plugins: Plugins, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._plugins = plugins
        self.recipe = quick_start()
        self.base, self.base_name = self.recipe, "quick start"
        self._original, self._original_name = self.base, self.base_name  # the one whose title the draft has
        self._history: list[Recipe] = [self.recipe]
        self._paths: list[str] = [""]  # of the setting in which each recipe of the history differs from the one before
        self._index = 0
        self._last_edit = ("", 0.0)
        self.branch_point: BranchPoint | None = None
        self._model: Recipe | None = None  # the recipe that was made a baseline last

    # ----------------------------------------------------------------------------------------------------------- edits

    def edit(self, path: str, value: Any) -> Problem | None:
        """Set one setting by its path in the recipe; None restores its default.

        Returns:
            Why it cannot be set, and the draft is as it was; None where it is set.
        """
        now = time.monotonic()
        before, at = self._last_edit
        together = before == path and now - at < TOGETHER and self._index > 0
        pieces = [assigned(path, value)]
        if isinstance(value, Mapping):  # another variant or card: no settings of the one before it stay
            pieces.insert(0, assigned(path, None))
        recipe = self.recipe
        problem = self.lay(*pieces, together=together)
        if self.recipe is not recipe:
            self._last_edit = (path, now)
            self._paths[self._index] = path
            self.edited.emit(path, self._value(path))
        return problem

    def lay(self, *pieces: Mapping[str, Any], together: bool = False) -> Problem | None:
        """Apply parts of a recipe (a preset) to the draft.

        Args:
            *pieces: Tables of settings.
            together: Undo this edit together with the one before.

        Returns:
            Why they cannot be applied, and the draft is as it was; None where they are.
        """
        try:
            recipe = self.recipe.with_values(*pieces)
            resolve_all(recipe, self._plugins)
        except LabError as error:
            return error.problem
        self._push(recipe, together=together)
        return None

    def take(self, recipe: Recipe, name: str) -> Problem | None:
        """Make another recipe the draft, and its own base.

        Returns:
            Why that is refused; None where it is not.
        """
        try:
            resolve_all(recipe, self._plugins)
        except LabError as error:
            return error.problem
        recipe = self.recipe if recipe == self.recipe else recipe
        self.base, self.base_name = recipe, name
        self._original, self._original_name = recipe, name
        self.branch_point = None
        self._push(recipe)
        return None

    def branch_from(self, branch_point: BranchPoint) -> Problem | None:
        """Make the recipe in force at a checkpoint the draft; its run starts with the weights there.

        Returns:
            Why that is refused; None where it is not.
        """
        problem = self.take(branch_point.recipe, branch_point.name)
        if problem is None:
            self.branch_point = branch_point
            steps = branch_point.recipe.training.steps
            if steps <= branch_point.step:  # a branch makes further steps
                problem = self.edit("training.steps", branch_point.step + steps)
            self.changed.emit()
        return problem

    def clear_branch_point(self) -> None:
        """Have the next run start with new weights again."""
        self.branch_point = None
        self.changed.emit()

    def baselines(self) -> tuple[list[str], str]:
        """Return the baselines of the draft's model.

        Returns:
            Names of simpler models, none where they cannot be made; and the one that is the draft now, "" for none.
        """
        model, held = self._model_and_baseline()
        try:
            return list(baselines(model, self._plugins)), held
        except LabError:  # of a plugin: the draft is valid without them
            return [], ""

    def take_baseline(self, name: str) -> Problem | None:
        """Replace the model of the draft by one of its baselines, or by the model itself if it is that one already.

        Returns:
            Why it cannot be set, and the draft is as it was; None where it is set.
        """
        model, held = self._model_and_baseline()
        try:
            recipe = model if name == held else baselines(model, self._plugins)[name]
        except LabError as error:
            return error.problem
        self._model = model
        self._push(recipe)
        return None

    def _model_and_baseline(self) -> tuple[Recipe, str]:
        """Return the draft with the model that a baseline replaced, and the baseline's name; else the draft and "".

        Edits since then apply to both, as long as the draft is the baseline of the model so edited.
        """
        model = self._model
        if model is None or model.architecture.name != self.recipe.architecture.name:
            return self.recipe, ""
        model = self.recipe.with_values({"architecture": None}, model.model_dump(include={"architecture", "title"}))
        try:
            now = self.card("architecture").config.stored()
            for name, one in baselines(model, self._plugins).items():
                edited = {path: value for path, value in now.items() if one.architecture.settings.get(path) != value}
                edited_model = model.with_values({"architecture": edited})
                again = baselines(edited_model, self._plugins).get(name)
                if again is not None and again.architecture.settings == now:
                    return edited_model, name
        except LabError:  # the model cannot be so edited
            pass
        return self.recipe, ""

    def take_file(self, file: Path) -> Problem | None:
        """Make the recipe in a file the draft.

        Returns:
            Why that is refused; None where it is not.
        """
        try:
            recipe = load_recipe(file)
        except LabError as error:
            return error.problem
        return self.take(recipe, file.stem)

    def compare_with(self, recipe: Recipe, name: str) -> None:
        """Make a recipe the base; the base of a branch is always the recipe of its branch point."""
        if self.branch_point is not None:
            recipe, name = self.branch_point.recipe, self.branch_point.name
        self.base, self.base_name = recipe, name
        self.changed.emit()

    def compare_with_original(self) -> None:
        """Make the recipe from which the draft started the base."""
        self.compare_with(self._original, self._original_name)

    def undo(self) -> None:
        """Undo one edit."""
        self._walk(-1)

    def redo(self) -> None:
        """Redo one edit."""
        self._walk(1)

    @property
    def origin(self) -> str:
        """The name of the recipe from which it started, a preset for example; "" where that was undone."""
        so_far = self._history[: self._index + 1]
        return self._original_name if any(recipe is self._original for recipe in so_far) else ""

    @property
    def can_undo(self) -> bool:
        """True if there is an edit to undo."""
        return self._index > 0

    @property
    def can_redo(self) -> bool:
        """True if there is an edit to redo."""
        return self._index + 1 < len(self._history)

    # --------------------------------------------------------------------------------------------------------- queries

    def card(self, field: str) -> Resolved:
        """Return the card that the draft names in a field, with its settings.

        Raises:
            BadInput: There is no such card any more.
        """
        kind, choice = self.recipe.choices()[field]
        return resolve(self._plugins, kind, choice, field)

    def base_settings(self, field: str) -> dict[str, Any]:
        """Return the settings of a card in the base; its defaults where the base names another card."""
        kind, mine = self.recipe.choices()[field]
        theirs = self.base.choices().get(field, (kind, mine))[1]
        same = theirs.name == mine.name
        try:
            other = resolve(self._plugins, kind, theirs if same else Choice(name=mine.name), field)
            return dict(other.config.stored())
        except BadInput:
            return {}

    def changes(self) -> dict[str, tuple[Any, Any]]:
        """Return where the draft differs from the base: (before, now) by path; of another card only its name."""
        try:
            return differing(self.recipe, self.base, self._plugins)
        except LabError:
            return {}

    def assignments(self) -> list[str]:
        """Return where the draft differs from the base, as "path=value" each."""
        found = []
        for path, (_, now) in self.changes().items():
            found += assignments_of(path, now)
            field = path.removesuffix(".name")
            if field != path and field in self.recipe.choices():  # the settings of another card come with it
                for name, value in self.recipe.choices()[field][1].settings.items():
                    found += assignments_of(f"{field}.{name}", value)
        return found

    def ready(self) -> Recipe:
        """Return the recipe to start, with the title of the base if it is the same, else a title of what differs."""
        changes = self.changes()
        if changes and self.recipe == self._original:
            return self.recipe
        return self.recipe.with_values({"title": self._name(changes) if changes else self.base.title})

    def _name(self, changes: Mapping[str, tuple[Any, Any]]) -> str:
        title = str(self._plugins.card("architectures", self.recipe.architecture.name).title)
        model, held = self._model_and_baseline()
        named = {"architecture.name", *(differing(self.recipe, model, self._plugins) if held else ())}
        parts = [held] if held else []
        parts += [
            f"{path.removesuffix('.name').rpartition('.')[2].replace('_', ' ')} {shown_short(now)}"
            for path, (_, now) in changes.items()
            if path not in named
        ]
        title_parts: list[str] = []
        for part in [one.replace(":", "") for one in parts]:
            if len(" · ".join([*title_parts, part, title])) > LONGEST:
                return " · ".join([*title_parts, "…", title.replace(":", "")])
            title_parts.append(part)
        return " · ".join([*title_parts, title.replace(":", "")])

    def _push(self, recipe: Recipe, *, together: bool = False) -> None:
        if recipe == self.recipe:
            self.changed.emit()
            return
        count = self._index + (0 if together else 1)
        self._history = [*self._history[:count], recipe][-HISTORY:]
        self._paths = [*self._paths[:count], ""][-HISTORY:]
        self._index = len(self._history) - 1
        self.recipe = recipe
        self._last_edit = ("", 0.0)
        self.changed.emit()

    def _walk(self, by: int) -> None:
        if 0 <= self._index + by < len(self._history):
            self._index += by
            self.recipe = self._history[self._index]
            self._last_edit = ("", 0.0)
            self.changed.emit()
            path = self._paths[self._index + (1 if by < 0 else 0)]
            if path:
                self.edited.emit(path, self._value(path))

    def _value(self, path: str) -> Any:
        """Return the value at a path now, defaults included."""
        return value_at(self.recipe, path, self._plugins)


def quick_start() -> Recipe:
    """Return the recipe with which the window starts."""
    return shipped(QUICK_START)
