"""The draft: the recipe of the next run, its history, and where it differs from what it is compared with."""

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
KEPT = 500
"""Recipes of the history."""
LONGEST = 60
"""Characters of a name that is made of what differs."""


@dataclass(frozen=True)
class BranchPoint:
    """The checkpoint of another run with which the next run begins.

    Args:
        name: What that run is called.
        run: Its folder.
        step: The step of the checkpoint.
        recipe: What held there.
    """

    name: str
    run: Path
    step: int
    recipe: Recipe


class Draft(QObject):
    """The recipe of the next run. Every edit makes a new one, so undo and redo walk along a list.

    Args:
        plugins: Where its cards are found.
        parent: Its parent.

    Attributes:
        recipe: It, as it is now.
        base: What it is compared with: the recipe it began as, or that of the selected run.
        base_name: What people call that.
        beginning: The checkpoint with which the next run begins; None where it begins anew.
    """

    changed = Signal()
    edited = Signal(str, object)
    """A setting was edited, or an edit of it undone or done again: its path, and its value now."""

    def __init__(self, plugins: Plugins, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._plugins = plugins
        self.recipe = quick_start()
        self.base, self.base_name = self.recipe, "quick start"
        self._original, self._original_name = self.base, self.base_name  # the one whose title the draft bears
        self._history: list[Recipe] = [self.recipe]
        self._paths: list[str] = [""]  # of the one setting in which a recipe of the history differs from that before it
        self._place = 0
        self._last_edit = ("", 0.0)
        self.beginning: BranchPoint | None = None
        self._model: Recipe | None = None  # what was made a baseline last

    # ----------------------------------------------------------------------------------------------------------- edits

    def edit(self, path: str, value: Any) -> Problem | None:
        """Sets one setting by its path in the recipe; None as a value gives its default back.

        Returns:
            Why it cannot be; the draft is then as it was.
        """
        now = time.monotonic()
        before, at = self._last_edit
        together = before == path and now - at < TOGETHER and self._place > 0
        pieces = [assigned(path, value)]
        if isinstance(value, Mapping):  # another variant or card: nothing of the one that stood there stays
            pieces.insert(0, assigned(path, None))
        recipe = self.recipe
        problem = self.lay(*pieces, together=together)
        if self.recipe is not recipe:
            self._last_edit = (path, now)
            self._paths[self._place] = path
            self.edited.emit(path, self._value(path))
        return problem

    def lay(self, *pieces: Mapping[str, Any], together: bool = False) -> Problem | None:
        """Lays pieces of a recipe (a preset) over the draft.

        Args:
            *pieces: Tables of settings.
            together: Whether this edit is undone with the one before.

        Returns:
            Why they cannot be; the draft is then as it was.
        """
        try:
            recipe = self.recipe.with_values(*pieces)
            resolve_all(recipe, self._plugins)
        except LabError as error:
            return error.problem
        self._push(recipe, together=together)
        return None

    def take(self, recipe: Recipe, name: str) -> Problem | None:
        """Makes another recipe the draft, and compares it with itself from here on.

        Returns:
            Why it cannot be.
        """
        try:
            resolve_all(recipe, self._plugins)
        except LabError as error:
            return error.problem
        recipe = self.recipe if recipe == self.recipe else recipe
        self.base, self.base_name = recipe, name
        self._original, self._original_name = recipe, name
        self.beginning = None
        self._push(recipe)
        return None

    def branch_from(self, beginning: BranchPoint) -> Problem | None:
        """Makes what held at a checkpoint the draft; its run begins with the weights there.

        Returns:
            Why it cannot be.
        """
        problem = self.take(beginning.recipe, beginning.name)
        if problem is None:
            self.beginning = beginning
            steps = beginning.recipe.training.steps
            if steps <= beginning.step:  # a branch makes further steps
                problem = self.edit("training.steps", beginning.step + steps)
            self.changed.emit()
        return problem

    def clear_branch_point(self) -> None:
        """Its run begins with weights of its own again."""
        self.beginning = None
        self.changed.emit()

    def baselines(self) -> tuple[list[str], str]:
        """What the model of the draft is to be compared with.

        Returns:
            Names of plainer models, none where they cannot be made; and which of them it is now, "" for none.
        """
        model, held = self._model_and_baseline()
        try:
            return list(baselines(model, self._plugins)), held
        except LabError:  # of a plugin: the draft is sound without them
            return [], ""

    def take_baseline(self, name: str) -> Problem | None:
        """Makes the model of the draft one of its baselines; the model itself again where it is that one already.

        Returns:
            Why it cannot be; the draft is then as it was.
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
        """The draft with the model that was made a baseline, and the baseline's name; the draft and "" if it is none.

        What was edited since belongs to both, as long as the baseline of the model so edited is what the draft is.
        """
        model = self._model
        if model is None or model.architecture.name != self.recipe.architecture.name:
            return self.recipe, ""
        model = self.recipe.with_values({"architecture": None}, model.model_dump(include={"architecture", "title"}))
        try:
            now = self.card("architecture").config.stored()
            for name, one in baselines(model, self._plugins).items():
                edited = {path: value for path, value in now.items() if one.architecture.settings.get(path) != value}
                whole = model.with_values({"architecture": edited})
                again = baselines(whole, self._plugins).get(name)
                if again is not None and again.architecture.settings == now:
                    return whole, name
        except LabError:  # the model cannot be so edited
            pass
        return self.recipe, ""

    def take_file(self, file: Path) -> Problem | None:
        """Makes the recipe in a file the draft.

        Returns:
            Why it cannot be.
        """
        try:
            recipe = load_recipe(file)
        except LabError as error:
            return error.problem
        return self.take(recipe, file.stem)

    def compare_with(self, recipe: Recipe, name: str) -> None:
        """Marks from here on where the draft differs from this recipe; a branch differs from what it begins with."""
        if self.beginning is not None:
            recipe, name = self.beginning.recipe, self.beginning.name
        self.base, self.base_name = recipe, name
        self.changed.emit()

    def compare_with_original(self) -> None:
        """Marks from here on where the draft differs from the recipe it began as."""
        self.compare_with(self._original, self._original_name)

    def undo(self) -> None:
        """Goes one edit back."""
        self._walk(-1)

    def redo(self) -> None:
        """Goes one edit forth again."""
        self._walk(1)

    @property
    def origin(self) -> str:
        """What the recipe is called that it began as, a preset for example; "" where beginning so was undone."""
        so_far = self._history[: self._place + 1]
        return self._original_name if any(recipe is self._original for recipe in so_far) else ""

    @property
    def can_undo(self) -> bool:
        """Whether there is an edit to undo."""
        return self._place > 0

    @property
    def can_redo(self) -> bool:
        """Whether there is an undone edit."""
        return self._place + 1 < len(self._history)

    # --------------------------------------------------------------------------------------------------------- looking

    def card(self, field: str) -> Resolved:
        """The card that the draft names in a field, with its settings.

        Raises:
            BadInput: There is no such card any more.
        """
        kind, choice = self.recipe.choices()[field]
        return resolve(self._plugins, kind, choice, field)

    def base_settings(self, field: str) -> dict[str, Any]:
        """The settings of a card as the base has them; its defaults where the base names another card."""
        kind, mine = self.recipe.choices()[field]
        theirs = self.base.choices().get(field, (kind, mine))[1]
        same = theirs.name == mine.name
        try:
            other = resolve(self._plugins, kind, theirs if same else Choice(name=mine.name), field)
            return dict(other.config.stored())
        except BadInput:
            return {}

    def changes(self) -> dict[str, tuple[Any, Any]]:
        """Where the draft differs from the base: (before, now) by path; of another card only its name."""
        try:
            return differing(self.recipe, self.base, self._plugins)
        except LabError:
            return {}

    def assignments(self) -> list[str]:
        """Where the draft differs from what it begins with, "path=value" each."""
        found = []
        for path, (_, now) in self.changes().items():
            found += assignments_of(path, now)
            field = path.removesuffix(".name")
            if field != path and field in self.recipe.choices():  # the settings of another card come with it
                for name, value in self.recipe.choices()[field][1].settings.items():
                    found += assignments_of(f"{field}.{name}", value)
        return found

    def ready(self) -> Recipe:
        """The recipe to start: named as the base where it is the same, else by what differs, or by its own title."""
        changes = self.changes()
        if changes and self.recipe == self._original:
            return self.recipe
        return self.recipe.with_values({"title": self._name(changes) if changes else self.base.title})

    def _name(self, changes: Mapping[str, tuple[Any, Any]]) -> str:
        title = str(self._plugins.card("architectures", self.recipe.architecture.name).title)
        model, held = self._model_and_baseline()
        told_so = {"architecture.name", *(differing(self.recipe, model, self._plugins) if held else ())}
        parts = [held] if held else []
        parts += [
            f"{path.removesuffix('.name').rpartition('.')[2].replace('_', ' ')} {shown_short(now)}"
            for path, (_, now) in changes.items()
            if path not in told_so
        ]
        told: list[str] = []
        for part in [one.replace(":", "") for one in parts]:
            if len(" · ".join([*told, part, title])) > LONGEST:
                return " · ".join([*told, "…", title.replace(":", "")])
            told.append(part)
        return " · ".join([*told, title.replace(":", "")])

    def _push(self, recipe: Recipe, *, together: bool = False) -> None:
        if recipe == self.recipe:
            self.changed.emit()
            return
        count = self._place + (0 if together else 1)
        self._history = [*self._history[:count], recipe][-KEPT:]
        self._paths = [*self._paths[:count], ""][-KEPT:]
        self._place = len(self._history) - 1
        self.recipe = recipe
        self._last_edit = ("", 0.0)
        self.changed.emit()

    def _walk(self, by: int) -> None:
        if 0 <= self._place + by < len(self._history):
            self._place += by
            self.recipe = self._history[self._place]
            self._last_edit = ("", 0.0)
            self.changed.emit()
            path = self._paths[self._place + (1 if by < 0 else 0)]
            if path:
                self.edited.emit(path, self._value(path))

    def _value(self, path: str) -> Any:
        """What stands at a path now, defaults included."""
        return value_at(self.recipe, path, self._plugins)


def quick_start() -> Recipe:
    """The recipe with which the window begins."""
    return shipped(QUICK_START)
