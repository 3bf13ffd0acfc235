"""Names for runs made from what differs between their recipes: "lr 3e-4 · 6 layers"."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

from lab.runs.library.recipe_fields import Value, fields_of

WORDS = 4
"""Settings that a name tells at most."""
LENGTH = 24
"""Characters of a value at most."""

_FIRST = (
    "architecture.name",
    "objective.name",
    "corpus.name",
    "corpus.path",
    "tokenizer.name",
    "training.optimizer.name",
    "training.optimizer.learning_rate",
)
"""What tells most comes first; then the architecture's settings, those of the others, and at last the seed."""
_LAST = ("training.steps", "training.seed")
_SILENT = ("format", "title", "readings.", "observers.", "training.edits", "training.checkpoint_", "training.keep_")
"""What decides nothing of a result; it makes no names."""
_SHORT = {
    "learning_rate": "lr",
    "batch_size": "batch",
    "context_length": "context",
    "accumulation": "pieces",
    "validation_share": "validation",
    "weight_decay": "decay",
}
_COUNTED = ("layers", "heads", "steps", "experts", "threads", "pieces")


def names_by_difference(recipes: Sequence[Mapping[str, Any]]) -> list[str]:
    """A short name for each of several runs, of the settings in which it differs from the others.

    The same recipes give the same names, in whatever order they come, but for equal ones: of those the first has the
    name alone and the others a number.

    Args:
        recipes: Their recipes, or what `fields_of` made of them; the oldest run first.
    """
    fields = [_telling(fields_of(recipe)) for recipe in recipes]
    chosen = _chosen(fields)
    names = [" · ".join(_word(path, each[path]) for path in chosen if path in each) for each in fields]
    names = [name or _text(each.get("architecture.name", "run")) for name, each in zip(names, fields, strict=True)]
    seen: Counter[str] = Counter()
    for number, name in enumerate(names):
        seen[name] += 1
        if seen[name] > 1:
            names[number] = f"{name} ({seen[name]})"
    return names


def _telling(fields: dict[str, Value]) -> dict[str, Value]:
    return {path: value for path, value in fields.items() if not path.startswith(_SILENT)}


def _chosen(fields: list[dict[str, Value]]) -> list[str]:
    """The settings that tell the runs apart, as few as do, in the order in which a name tells them.

    A setting differs if those runs that have it do not agree; that a model has no such setting says its name.
    """
    paths = {path for each in fields for path in each}
    differing = [path for path in paths if len({each[path] for each in fields if path in each}) > 1]
    differing.sort(key=_rank)
    chosen: list[str] = []
    groups = 1
    while len(chosen) < WORDS:
        counts = {path: _groups(fields, [*chosen, path]) for path in differing if path not in chosen}
        best = max(counts, key=lambda path: counts[path], default=None)  # of equal ones the first
        if best is None or counts[best] <= groups:
            break
        # A setting that comes first in a name is taken also where another one would tell a few more apart.
        first = next(path for path in differing if path not in chosen and counts[path] > groups)
        best = first if first in _FIRST else best
        chosen.append(best)
        groups = counts[best]
    return sorted(chosen, key=_rank)


def _groups(fields: list[dict[str, Value]], paths: list[str]) -> int:
    return len({tuple(each.get(path) for path in paths) for each in fields})


def _rank(path: str) -> tuple[int, str]:
    if path in _FIRST:
        return _FIRST.index(path), path
    if path in _LAST:
        return len(_FIRST) + 2 + _LAST.index(path), path
    return len(_FIRST) + (not path.startswith("architecture.")), path


def _word(path: str, value: Value) -> str:
    """One setting as a name tells it: what says itself alone, numbers beside what they count."""
    *_, owner, name = f".{path}".split(".")
    if name in ("name", "path"):
        return _text(value)
    word = _SHORT.get(name, name.replace("_", " "))
    if name == "learning_rate" and owner == "schedule":
        word = "schedule lr"
    if isinstance(value, bool):
        return word if value else f"no {word}"
    if word in _COUNTED and isinstance(value, int):
        return f"{value:,} {word if value != 1 else word.removesuffix('s')}"
    return f"{word} {_text(value)}"


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
