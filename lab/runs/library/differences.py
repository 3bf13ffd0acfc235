"""Names for runs made from the differences between their recipes: "lr 3e-4 · 6 layers"."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any, TypeAlias

from lab.api import HeadSettings, StackConfig, settings_of
from lab.base.units import counted as with_noun
from lab.recipes import Training
from lab.runs.library.recipe_fields import Value, fields_of

SettingLabel: TypeAlias = Callable[[str, Value, str], str]
"""Returns a setting as part of a name by its path, its value, and its value as a short text."""
SETTINGS = 4
"""Most settings in a name."""
LENGTH = 24
"""Most characters of a value."""

_FIRST = (
    "architecture.name",
    "objective.name",
    "corpus.name",
    "corpus.path",
    "tokenizer.name",
    "training.optimizer.name",
    "training.optimizer.learning_rate",
)
"""The settings that come first in a name, followed by those of the architecture, others, and _LAST."""
_SEED = "training.seed"
_LAST = ("training.steps", _SEED)
_SILENT = (
    "format", "title", "readings.", "observers.", "decoding.", "training.edits", "training.checkpoint_",
    "training.keep_",
)  # fmt: skip
"""Settings that do not affect the result and are never part of a name."""
CORPUS = "corpus."
_OF_FILE = ("corpus.name", "corpus.path")
_SHORT = {
    "learning_rate": "lr",
    "batch_size": "batch",
    "context_length": "context",
    "validation_share": "validation",
    "weight_decay": "decay",
}


def names_by_difference(
    recipes: Sequence[Mapping[str, Any]], title: str = "", label: SettingLabel | None = None
) -> list[str]:
    """Return a short name for each of several runs, made of the settings in which it differs from the others.

    The names do not depend on the order of the recipes, except that all but the first of equal recipes get a number.

    Args:
        recipes: Their recipes, or the result of `fields_of`; the oldest run first.
        title: A title that they share, which follows the corpus in the name: "story.txt · Transformer · 120 steps".
        label: Returns the parts of a name that are not the name of a card or file; None for English ones, which know
            what the settings of every recipe and of stacks count.
    """
    label = label or english_label({})
    fields = [_with_file_name(_relevant(fields_of(recipe))) for recipe in recipes]
    selected = _distinguishing(fields)
    names = []
    for each in fields:
        parts = {
            path: _text(each[path]) if path.endswith((".name", ".path")) else label(path, each[path], _text(each[path]))
            for path in selected
            if path in each
        }
        corpus = [text for path, text in parts.items() if path.startswith(CORPUS)]
        others = [text for path, text in parts.items() if not path.startswith(CORPUS)]
        names.append(" · ".join([*corpus, *([title] if title else []), *others]))
    names = [name or _text(each.get("architecture.name", "run")) for name, each in zip(names, fields, strict=True)]
    seen: Counter[str] = Counter()
    for number, name in enumerate(names):
        seen[name] += 1
        if seen[name] > 1:
            names[number] = f"{name} ({seen[name]})"
    return names


def settings_without_seed(recipe: Mapping[str, Any]) -> dict[str, Value]:
    """Return the settings that affect the result, without the seed: runs in which they are equal are repetitions.

    Args:
        recipe: A recipe, or the result of `fields_of`.
    """
    return {path: value for path, value in _relevant(fields_of(recipe)).items() if path != _SEED}


def _relevant(fields: dict[str, Value]) -> dict[str, Value]:
    return {path: value for path, value in fields.items() if not path.startswith(_SILENT)}


def _with_file_name(fields: dict[str, Value]) -> dict[str, Value]:
    """Return settings in which a corpus read from a file is called by the name of the file."""
    path = fields.get("corpus.path")
    if fields.get("corpus.name") != "file" or not isinstance(path, str):
        return fields
    return {
        "corpus.name": path,
        **{name: value for name, value in fields.items() if not name.startswith("corpus.")},
        **{name: value for name, value in fields.items() if name.startswith("corpus.") and name not in _OF_FILE},
    }


def _distinguishing(fields: list[dict[str, Value]]) -> list[str]:
    """Return as few settings as suffice to distinguish the runs, in the order of a name.

    A setting differs if the runs that have it disagree; the architecture's name explains missing settings.
    """
    paths = {path for each in fields for path in each}
    differing = [path for path in paths if len({each[path] for each in fields if path in each}) > 1]
    differing.sort(key=_rank)
    selected: list[str] = []
    groups = 1
    while len(selected) < SETTINGS:
        counts = {path: _groups(fields, [*selected, path]) for path in differing if path not in selected}
        best = max(counts, key=lambda path: counts[path], default=None)  # the first of equal ones
        if best is None or counts[best] <= groups:
            break
        # A setting of _FIRST is taken even if another one distinguishes a few more runs.
        first = next(path for path in differing if path not in selected and counts[path] > groups)
        best = first if first in _FIRST else best
        selected.append(best)
        groups = counts[best]
    return sorted(selected, key=_rank)


def _groups(fields: list[dict[str, Value]], paths: list[str]) -> int:
    return len({tuple(each.get(path) for path in paths) for each in fields})


def _rank(path: str) -> tuple[int, str]:
    if path in _FIRST:
        return _FIRST.index(path), path
    if path in _LAST:
        return len(_FIRST) + 2 + _LAST.index(path), path
    return len(_FIRST) + (not path.startswith("architecture.")), path


def english_label(counted: Mapping[str, str]) -> SettingLabel:
    """Return what writes settings in English, with counts before their nouns: "8 experts".

    Args:
        counted: What settings of plugins count (`Setting.counted`), by path.
    """
    return partial(_english_label, counted)


def _english_label(counted: Mapping[str, str], path: str, value: Value, text: str) -> str:
    *_, owner, name = f".{path}".split(".")
    label = _SHORT.get(name, name.replace("_", " "))
    if name == "learning_rate" and owner == "schedule":
        label = "schedule lr"
    if isinstance(value, bool):
        return label if value else f"no {label}"
    noun = counted.get(path) or _common_nouns().get(name, "")
    if noun and isinstance(value, int):
        return with_noun(value, noun)
    return f"{label} {text}"


@cache
def _common_nouns() -> dict[str, str]:
    """Return what the settings of every recipe and of stacks count, by the last name of their paths."""
    configs = (Training, StackConfig, HeadSettings)
    return {each.name: each.counted for config in configs for each in settings_of(config) if each.counted}


def _text(value: Value) -> str:
    if isinstance(value, float) and math.isfinite(value):
        digits = f"{value:.6g}"
        mantissa, sign, exponent = f"{value:.5e}".partition("e")
        scientific = f"{mantissa.rstrip('0').rstrip('.')}{sign}{int(exponent)}"
        return scientific if len(scientific) < len(digits) else digits
    if isinstance(value, tuple):
        return ", ".join(map(_text, value))[:LENGTH] or "none"
    text = str(value)
    last = PureWindowsPath(PurePosixPath(text).name).name if "/" in text or "\\" in text else text
    return last if len(last) <= LENGTH else f"{last[: LENGTH - 1]}…"
