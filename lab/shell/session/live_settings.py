"""The live settings of a run: which of its recipe's settings may change while it trains, and their values in force."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lab.api import ModelConfig, Setting, settings_of, without_effect
from lab.base.problems import LabError
from lab.host import Plugins
from lab.recipes import Recipe

OF_GRADIENTS = ("Optimizer", "Schedule", "Regularisation", "Adapter", "Distillation")
"""Groups without effect on a model that counts."""
FIRST = ("training.optimizer.learning_rate", "training.clip", "training.batch_size")
"""The settings that are changed most often, in the order of the strip."""
MISSING = object()


@dataclass(frozen=True)
class LivePart:
    """A config of a recipe that has live settings.

    Args:
        path: Its path in the recipe ("training.optimizer").
        config: The config, with the values of the recipe.
        settings: Its live settings that have an effect, without those of configs inside it.
    """

    path: str
    config: ModelConfig
    settings: tuple[Setting, ...]


def live_parts_of(config: ModelConfig, path: str) -> Iterator[LivePart]:
    """Yield a config and those inside it, as far as they have live settings."""
    kind, stored = type(config), config.stored()
    idle = without_effect(kind, stored)
    used = [one for one in settings_of(kind, nested=False) if one.name not in idle]
    live = tuple(one for one in used if one.live)
    if live:
        yield LivePart(path, config, live)
    for one in used:
        inner = getattr(config, one.name)
        if isinstance(inner, ModelConfig):
            yield from live_parts_of(inner, f"{path}.{one.name}")


def live_parts(recipe: Recipe, plugins: Plugins, *, counts: bool = False) -> list[LivePart]:
    """Return the parts of a recipe that have live settings: optimizer, training, architecture, corpus.

    Args:
        recipe: The recipe.
        plugins: The plugins that provide its cards; the part of a missing card is left out.
        counts: True for a model that counts, which has no gradients.
    """
    found: list[LivePart] = []
    if not counts:
        found += _of_card(recipe, "training.optimizer", plugins)
    training = recipe.training
    settings = [one for one in settings_of(type(training), nested=False) if one.live]
    of_training = tuple(one for one in settings if not (counts and one.group in OF_GRADIENTS))
    found += [LivePart("training", training, of_training), *_of_card(recipe, "architecture", plugins)]
    return found if counts else [*found, *_of_card(recipe, "corpus", plugins)]


def _of_card(recipe: Recipe, field: str, plugins: Plugins) -> list[LivePart]:
    kind, choice = recipe.choices()[field]
    try:
        config = plugins.card(kind, choice.name).config.read(choice.settings, version=choice.version)
    except LabError:  # of a plugin that is not installed any more
        return []
    return list(live_parts_of(config, field))


def rank(path: str) -> int:
    """Return the position of a setting in the strip: first those that are changed most often."""
    return FIRST.index(path) if path in FIRST else len(FIRST)


class LiveValues:
    """The values in force of a run's live settings, with those that were given and are not recorded yet."""

    def __init__(self) -> None:
        self._given: dict[str, tuple[Any, Any]] = {}  # by path: the value, and the recorded one when it was given

    def give(self, path: str, value: Any, changed: Mapping[str, Any]) -> None:
        """Note a value that was sent to the run.

        Args:
            path: The path of the setting.
            value: Its new value.
            changed: The changes that the run has recorded so far, by path.
        """
        self._given[path] = value, changed.get(path, MISSING)

    def of(self, part: LivePart, changed: Mapping[str, Any]) -> dict[str, Any]:
        """Return all values of a part in the format of `ModelConfig.stored()`.

        Args:
            part: The part.
            changed: The changes that the run has recorded so far, by path.
        """
        values = dict(part.config.stored())
        for setting in part.settings:
            path = f"{part.path}.{setting.name}"
            if path in changed:
                values[setting.name] = changed[path]
            value, recorded = self._given.get(path, (None, None))
            if path in self._given and changed.get(path, MISSING) == recorded:
                values[setting.name] = value
            else:
                self._given.pop(path, None)
        return values
