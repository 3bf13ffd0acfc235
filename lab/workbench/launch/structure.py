"""The parts of a recipe's model, and the settings that shape them, cached for the recipes that follow each other."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from lab.api import field_prefix, settings_of
from lab.base import BadInput
from lab.base.jobs import Cancelled, check_cancelled
from lab.base.model_parts import ModelPart
from lab.base.problems import LabError, problem_of
from lab.base.torch_lock import torch_lock
from lab.recipes import Recipe
from lab.training.resolution import Cards
from lab.workbench.launch.preflight import Checked, Estimator

CACHED = 32
"""Most models whose parts are cached."""


@dataclass(frozen=True)
class Structure:
    """The parts of a recipe's model.

    Args:
        tree: The parts.
        settings: Paths in the recipe of the settings that shape each part, by the part's path; None until they are
            found, which takes longer.
    """

    tree: ModelPart
    settings: Mapping[str, tuple[str, ...]] | None = None


class Structures:
    """Finds the parts of models. Only shapes are needed: no weights are made.

    Args:
        estimator: Reads the corpus of a recipe, for the size of its vocabulary.
    """

    def __init__(self, estimator: Estimator) -> None:
        self._estimator = estimator
        self._lock = threading.Lock()
        self._trees: deque[tuple[Any, ModelPart]] = deque(maxlen=CACHED)
        self._settings: deque[tuple[Any, Mapping[str, tuple[str, ...]]]] = deque(maxlen=CACHED)

    def structure(self, recipe: Recipe, cards: Cards) -> Structure:
        """Return the parts of a recipe's model, with their settings if these are known already.

        Raises:
            BadInput: Something in the recipe cannot be used; the problem names the field.
            LabError: A plugin's code raised.
        """
        checked = self._estimator.check(recipe, cards)
        key = _key(checked)
        tree = self._found(self._trees, key)
        if tree is None:
            tree = _built(checked)
            check_cancelled()  # torch or a plugin may have taken the interruption for an error of its own
            self._add(self._trees, key, tree)
        found = self._found(self._settings, key)
        return Structure(tree, None if found is None else _with_paths(found, checked))

    def with_settings(self, recipe: Recipe, cards: Cards, stop: Callable[[], bool]) -> Structure:
        """Return the parts of a recipe's model with the settings that shape them.

        Args:
            recipe: The recipe.
            cards: The cards that it names.
            stop: Returns True to return the parts without settings, as soon as possible.

        Raises:
            BadInput: Something in the recipe cannot be used; the problem names the field.
            LabError: A plugin's code raised.
        """
        from lab.diagnostics.structure.influences import influences

        made = self.structure(recipe, cards)
        if made.settings is not None:
            return made
        checked = self._estimator.check(recipe, cards)
        one = checked.architecture
        try:
            found = influences(one.card, one.config, checked.task, made.tree, stop)
        except Cancelled:
            raise
        except Exception as error:  # noqa: BLE001 - a plugin's code
            raise LabError(problem_of(error, plugin=one.plugin, doing="Comparing models")) from None
        if stop():
            return made
        self._add(self._settings, _key(checked), found)
        return Structure(made.tree, _with_paths(found, checked))

    def _found(self, cache: deque[tuple[Any, Any]], key: Any) -> Any:
        with self._lock:
            cached = tuple(cache)
        return next((value for known, value in cached if known == key), None)

    def _add(self, cache: deque[tuple[Any, Any]], key: Any, value: Any) -> None:
        with self._lock:
            cache.append((key, value))


def _key(checked: Checked) -> Any:
    one = checked.architecture
    return one.card, one.config.model_dump_json(), checked.task


def _built(checked: Checked) -> ModelPart:
    """Return the parts of a model.

    Raises:
        BadInput: The model cannot be built with these settings.
        LabError: The plugin's code raised.
    """
    from lab.diagnostics.cost import blueprint
    from lab.diagnostics.structure.tree import tree_of

    one = checked.architecture
    try:
        with field_prefix("architecture"):
            with torch_lock:
                model = blueprint(one.card, one.config, checked.task)
            with torch_lock:  # a training has its turn between the two
                return tree_of(one.card, one.config, checked.task, model=model)
    except (BadInput, Cancelled):
        raise
    except Exception as error:  # noqa: BLE001 - a plugin's code
        raise LabError(problem_of(error, plugin=one.plugin, doing="Finding the parts of the model")) from None


def _with_paths(found: Mapping[str, tuple[str, ...]], checked: Checked) -> Mapping[str, tuple[str, ...]]:
    """Return settings by their paths in the recipe."""
    from lab.diagnostics.structure.influences import CONTEXT, VOCABULARY

    names = [setting.name for setting in settings_of(type(checked.everything["tokenizer"].config))]
    size = next((name for name in names if "vocabulary" in name or "size" in name), "name")
    special = {CONTEXT: "training.context_length", VOCABULARY: f"tokenizer.{size}"}
    return {
        path: tuple(special.get(name, f"architecture.{name}") for name in settings) for path, settings in found.items()
    }
