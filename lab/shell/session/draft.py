"""The draft: the recipe of the next run, its history, and its differences from a base."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from lab.base.problems import BadInput, LabError, Problem
from lab.host import Plugins
from lab.recipes import LIGHT_QUICK_START, QUICK_START, Choice, Recipe, quick_start_name, shipped, shipped_titles
from lab.recipes.assignments import assigned
from lab.shell.session.draft_changes import assignments_of, differences, shown_short
from lab.shell.session.setting_labels import setting_label
from lab.training.resolution import Resolved, resolve, resolve_all
from lab.widgets.core.i18n import language, tr, tr_registered
from lab.workbench.launch.baselines import baselines
from lab.workbench.launch.known_corpora import load_recipe

TOGETHER = 1.0
"""Seconds within which edits of one setting (a slider's drag) are undone together."""
HISTORY = 500
"""Most recipes in the history."""
OWN_TEXT = "own-text"
"""The name of a recipe that the lab suggests for a text."""
LONGEST = 60
"""Most characters of a name made of the differences."""


@dataclass(frozen=True)
class BranchPoint:
    """The checkpoint of another run from which the next run starts.

    Args:
        name: The name of that run.
        run: Its folder.
        step: The step of the checkpoint.
        recipe: The recipe in force there.
        weights_only: Whether the next run begins at step 0, with the weights alone.
    """

    name: str
    run: Path
    step: int
    recipe: Recipe
    weights_only: bool = False


class Draft(QObject):
    """The recipe of the next run. Every edit makes a new recipe, so undo and redo move along a list.

    Args:
        plugins: The plugins that provide its cards.
        parent: Its parent.

    Attributes:
        plugins: The plugins.
        recipe: The current recipe.
        base: The recipe with which it is compared: the one it started from, or that of the selected run.
        base_name: The name of the base; `origin_label` returns its label.
        original: The recipe from which the draft started, with which its user's changes are counted.
        original_name: The name of the original.
        branch_point: The checkpoint from which the next run starts; None for a new run.
    """

    changed = Signal()
    replaced = Signal()
    """Another recipe became the draft; emitted before `changed`."""
    corpus_selected = Signal()
    """The draft got another corpus, or another setting of it; emitted before `changed`."""

    def __init__(self, plugins: Plugins, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._plugins = self.plugins = plugins
        self.recipe = quick_start()
        self.base, self.base_name = self.recipe, quick_start_name()
        self.original, self.original_name = self.base, self.base_name
        self._history: list[Recipe] = [self.recipe]
        self._index = 0
        self._last_edit = ("", 0.0)
        self.branch_point: BranchPoint | None = None
        self._note: tuple[Recipe, str] | None = None
        self._model: Recipe | None = None  # the last recipe that was replaced by a baseline

    # ----------------------------------------------------------------------------------------------------------- edits

    def edit(self, path: str, value: Any) -> Problem | None:
        """Set one setting by its path in the recipe; None restores its default.

        Returns:
            The problem if it cannot be set, with the draft unchanged; None if it was set.
        """
        now = time.monotonic()
        before, at = self._last_edit
        together = before == path and now - at < TOGETHER and self._index > 0
        pieces = [assigned(path, value)]
        if isinstance(value, Mapping):  # another variant or card: remove the settings of the previous one
            pieces.insert(0, assigned(path, None))
        recipe = self.recipe
        problem = self.apply(*pieces, together=together)
        if self.recipe is not recipe:
            self._last_edit = (path, now)
        return problem

    def apply(self, *pieces: Mapping[str, Any], together: bool = False) -> Problem | None:
        """Apply parts of a recipe, such as a preset, to the draft.

        Args:
            *pieces: Tables of settings.
            together: True to undo this edit together with the previous one.

        Returns:
            The problem if they cannot be applied, with the draft unchanged; None if they were applied.
        """
        try:
            recipe = self.recipe.with_values(*pieces)
            resolve_all(recipe, self._plugins)
        except LabError as error:
            return error.problem
        self._push(recipe, together=together)
        return None

    def replace_edit(self, recipe: Recipe, note: str) -> None:
        """Replace the result of the last edit, so that both are undone together.

        Args:
            recipe: The recipe.
            note: What was replaced, and why.

        Raises:
            LabError: The recipe cannot be used; the draft is unchanged.
        """
        resolve_all(recipe, self._plugins)
        self.recipe = self._history[self._index] = recipe
        self._note = recipe, note
        self.changed.emit()

    @property
    def note(self) -> str:
        """What was replaced in the draft by the lab, and why; "" if nothing was, or the draft changed since."""
        return self._note[1] if self._note is not None and self._note[0] is self.recipe else ""

    @property
    def previous(self) -> Recipe:
        """The recipe before the last edit; the current one if there is none."""
        return self._history[max(0, self._index - 1)]

    def resolved(self, *pieces: Mapping[str, Any]) -> dict[str, Resolved]:
        """Return the cards, by field, that the draft would name with parts of a recipe applied; it stays unchanged.

        Raises:
            BadInput: The parts cannot be applied.
        """
        return resolve_all(self.recipe.with_values(*pieces), self._plugins)

    def take(self, recipe: Recipe, name: str) -> Problem | None:
        """Make another recipe the draft, and its own base.

        Returns:
            The problem if the recipe is refused; None if it was taken.
        """
        try:
            resolve_all(recipe, self._plugins)
        except LabError as error:
            return error.problem
        self.replaced.emit()
        self._take(recipe, name)
        return None

    def take_preset(self, name: str, settings: Mapping[str, Any]) -> Problem | None:
        """Apply a preset of the architecture, and make the result its own base.

        Returns:
            The problem if the preset cannot be applied, with the draft unchanged; None if it was applied.
        """
        try:
            recipe = self.recipe.with_values(settings, {"title": ""})
            resolve_all(recipe, self._plugins)
        except LabError as error:
            return error.problem
        self._take(recipe, name)
        return None

    def _take(self, recipe: Recipe, name: str) -> None:
        recipe = self.recipe if recipe == self.recipe else recipe
        self.base, self.base_name = recipe, name
        self.original, self.original_name = recipe, name
        self.branch_point = None
        self._push(recipe)

    def branch_from(self, branch_point: BranchPoint) -> Problem | None:
        """Make the recipe in force at a checkpoint the draft; the next run starts with the weights of the checkpoint.

        Returns:
            The problem if that is refused; None if it was done.
        """
        problem = self.take(branch_point.recipe, branch_point.name)
        if problem is None:
            self.branch_point = branch_point
            steps = branch_point.recipe.training.steps
            if steps <= branch_point.step and not branch_point.weights_only:  # a branch has to make more steps
                more = {"steps": branch_point.step + steps, "budget": ""}  # a budget would pay for no more
                problem = self.apply({"training": more})
            self.changed.emit()
        return problem

    def clear_branch_point(self) -> None:
        """Let the next run start with new weights again."""
        self.branch_point = None
        self.changed.emit()

    def baselines(self) -> tuple[list[str], str]:
        """Return the baselines of the draft's model.

        Returns:
            The names of the baselines, [] if they cannot be made; and the one that is the current draft, "" if none is.
        """
        model, baseline = self._model_and_baseline()
        try:
            return list(baselines(model, self._plugins)), baseline
        except LabError:  # raised by a plugin; the draft is valid without baselines
            return [], ""

    def take_baseline(self, name: str) -> Problem | None:
        """Replace the model of the draft with one of its baselines; if it is that baseline already, restore the model.

        Returns:
            The problem if that fails, with the draft unchanged; None if it was done.
        """
        model, baseline = self._model_and_baseline()
        try:
            recipe = model if name == baseline else baselines(model, self._plugins)[name]
        except LabError as error:
            return error.problem
        self._model = model
        self._push(recipe)
        return None

    def _model_and_baseline(self) -> tuple[Recipe, str]:
        """Return the draft with the model that a baseline replaced, and the baseline's name, or the draft and "".

        Later edits apply to both, as long as the draft is still the baseline of the edited model.
        """
        model = self._model
        if model is None or model.architecture.name != self.recipe.architecture.name:
            return self.recipe, ""
        model = self.recipe.with_values({"architecture": None}, model.model_dump(include={"architecture", "title"}))
        try:
            now = self.card("architecture").config.stored()
            for name, recipe in baselines(model, self._plugins).items():
                settings = recipe.architecture.settings
                edited = {path: value for path, value in now.items() if settings.get(path) != value}
                edited_model = model.with_values({"architecture": edited})
                again = baselines(edited_model, self._plugins).get(name)
                if again is not None and again.architecture.settings == now:
                    return edited_model, name
        except LabError:  # these edits cannot be made in the model
            pass
        return self.recipe, ""

    def take_file(self, file: Path) -> Problem | None:
        """Make the recipe in a file the draft.

        Returns:
            The problem if the recipe is refused; None if it was taken.
        """
        try:
            recipe = load_recipe(file)
        except LabError as error:
            return error.problem
        return self.take(recipe, file.stem)

    # --------------------------------------------------------------------------------------------------------- storing

    def state_dict(self) -> dict[str, Any]:
        """Return the draft, the recipe from which it started, and its branch point, JSON-safe."""
        state: dict[str, Any] = {
            "recipe": self.recipe.to_toml(),
            "original": self.original.to_toml(),
            "name": self.original_name,
        }
        point = self.branch_point
        if point is not None:
            state["branch_point"] = {
                "name": point.name, "run": str(point.run), "step": point.step, "recipe": point.recipe.to_toml(),
                "weights_only": point.weights_only,
            }  # fmt: skip
        return state

    def load_state_dict(self, state: Mapping[str, Any]) -> Problem | None:
        """Restore what `state_dict` returned.

        Returns:
            The problem if the draft cannot be used, with the draft unchanged; None if it was restored.
        """
        try:
            recipe, original = (Recipe.from_toml(str(state[name])) for name in ("recipe", "original"))
            name, point = _stored_name(str(state["name"]), original), _branch_point(state.get("branch_point"))
            resolve_all(recipe, self._plugins)
        except LabError as error:
            return error.problem
        except (KeyError, TypeError, ValueError) as error:
            return Problem(tr("the stored configuration cannot be read: {reason}", reason=error), field="window.draft")
        recipe = original if recipe == original else recipe
        self.recipe, self._history, self._index = recipe, [original, recipe], 1
        if recipe is original:
            self._history, self._index = [original], 0
        self.original, self.original_name = original, name
        self.base, self.base_name = original, name
        self.branch_point, self._model = point, None
        self.changed.emit()
        return None

    def compare_with(self, recipe: Recipe, name: str) -> None:
        """Compare the draft with a recipe, or with that of the branch point if there is one."""
        if self.branch_point is not None:
            recipe, name = self.branch_point.recipe, self.branch_point.name
        self.base, self.base_name = recipe, name
        self.changed.emit()

    def compare_with_original(self) -> None:
        """Compare the draft with the recipe from which it started."""
        self.compare_with(self.original, self.original_name)

    def undo(self) -> None:
        """Undo one edit."""
        self._walk(-1)

    def redo(self) -> None:
        """Redo one edit."""
        self._walk(1)

    @property
    def origin(self) -> str:
        """The name of the recipe from which the draft started; "" if that was undone."""
        so_far = self._history[: self._index + 1]
        return self.original_name if any(recipe is self.original for recipe in so_far) else ""

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
            BadInput: The card does not exist any more.
        """
        kind, choice = self.recipe.choices()[field]
        return resolve(self._plugins, kind, choice, field)

    def base_settings(self, field: str) -> dict[str, Any]:
        """Return the settings that a card has in the base, or its defaults if the base names another card."""
        kind, mine = self.recipe.choices()[field]
        theirs = self.base.choices().get(field, (kind, mine))[1]
        same = theirs.name == mine.name
        try:
            other = resolve(self._plugins, kind, theirs if same else Choice(name=mine.name), field)
            return dict(other.config.stored())
        except BadInput:
            return {}

    def changes(self) -> dict[str, tuple[Any, Any]]:
        """Return the differences from the base as (before, now) by path; another card differs only in its name."""
        try:
            return differences(self.recipe, self.base, self._plugins)
        except LabError:
            return {}

    def edited(self) -> list[str]:
        """Return the paths of the settings that differ from the original, and the fields of the cards that do."""
        if self.recipe is self.original:
            return []
        try:
            paths = differences(self.recipe, self.original, self._plugins)
        except LabError:  # a card of the original is missing
            return []
        fields = self.recipe.choices()
        return [field if (field := path.removesuffix(".name")) in fields else path for path in paths]

    def assignments(self) -> list[str]:
        """Return the differences from the base as assignments, "path=value" each."""
        found = []
        for path, (_, now) in self.changes().items():
            found += assignments_of(path, now)
            field = path.removesuffix(".name")
            if field != path and field in self.recipe.choices():  # include the settings of another card
                for name, value in self.recipe.choices()[field][1].settings.items():
                    found += assignments_of(f"{field}.{name}", value)
        return found

    def ready(self) -> Recipe:
        """Return the recipe to start: with the title of the base if they are equal, or a title of the differences."""
        changes = self.changes()
        if changes and self.recipe == self.original:
            return self.recipe
        return self.recipe.with_values({"title": self._name(changes) if changes else shown_title(self.base.title)})

    def _name(self, changes: Mapping[str, tuple[Any, Any]]) -> str:
        title = tr_registered(str(self._plugins.card("architectures", self.recipe.architecture.name).title))
        label = _english_label if language.code == "en" else setting_label(self._plugins)
        model, baseline = self._model_and_baseline()
        named = {"architecture.name", *(differences(self.recipe, model, self._plugins) if baseline else ())}
        parts = [tr_registered(baseline)] if baseline else []
        changed = {path: now for path, (_, now) in changes.items() if path not in named}
        file = str(self.recipe.corpus.settings.get("path") or "")
        if file and "corpus.name" in changed:
            changed["corpus.name"] = Path(file).name  # which says more than the kind of the corpus
        parts += [label(path, now, shown_short(now)) for path, now in changed.items()]
        title_parts: list[str] = []
        for part in [part.replace(":", "") for part in parts]:
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
        self._index = len(self._history) - 1
        is_of_corpus = recipe.corpus != self.recipe.corpus
        self.recipe = recipe
        self._last_edit = ("", 0.0)
        if is_of_corpus:
            self.corpus_selected.emit()
        self.changed.emit()

    def _walk(self, by: int) -> None:
        if 0 <= self._index + by < len(self._history):
            self._index += by
            self.recipe = self._history[self._index]
            self._last_edit = ("", 0.0)
            self.changed.emit()


def _branch_point(state: Mapping[str, Any] | None) -> BranchPoint | None:
    if state is None:
        return None
    recipe = Recipe.from_toml(str(state["recipe"]))
    weights_only = state.get("weights_only") is True
    return BranchPoint(str(state["name"]), Path(state["run"]), int(state["step"]), recipe, weights_only)


def _stored_name(name: str, original: Recipe) -> str:
    """Return the name of a stored recipe; earlier versions stored the label of the quick start instead of its name."""
    is_label = name in ("quick start", origin_label(QUICK_START))
    return QUICK_START if is_label and original == shipped(QUICK_START) else name


def _english_label(path: str, value: object, text: str) -> str:
    """Return a setting as part of a name in English."""
    del value
    return f"{path.removesuffix('.name').rpartition('.')[2].replace('_', ' ')} {text}"


def origin_label(name: str) -> str:
    """Return the label of a recipe or preset from which a draft started, or with which it is compared."""
    quick = tr("quick start")
    labels = {QUICK_START: quick, LIGHT_QUICK_START: quick, OWN_TEXT: tr("own text")}
    return labels.get(name) or tr_registered(name)


def shown_title(title: str) -> str:
    """Return the title of a recipe in the language of the window if the lab ships a recipe of that title."""
    return tr_registered(title) if title in _titles() else title


@cache
def _titles() -> frozenset[str]:
    return frozenset(shipped_titles().values())


def quick_start() -> Recipe:
    """Return the recipe with which the window starts."""
    return shipped(quick_start_name())
