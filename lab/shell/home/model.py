"""The state of Home without widgets: durations of recipes on this machine, recent runs, and the size for a text."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lab.recipes import QUICK_START, Gallery, GalleryEntry, Recipe, shipped

COMPARED = ("compare-transformer", "compare-mamba")
"""The recipes that are compared with each other: the same text, steps and number of parameters."""
SMALL_TEXT, LARGE_TEXT = 60_000, 3_000_000
"""Bytes of a text below which a smaller model than that of the quick start is suitable, and above which a larger."""
SIZES: tuple[dict[str, Any], ...] = (
    {"architecture": {"layers": 2, "width": 64, "heads": 4}, "training": {"steps": 400}},
    {},
    {"architecture": {"layers": 4, "width": 192, "heads": 6}, "training": {"steps": 1500, "context_length": 96}},
)
"""Settings for a small, a medium and a large text, next to those of the quick start."""


@dataclass(frozen=True)
class PastRun:
    """A finished training, from which the duration of its recipe is known.

    Args:
        title: The title of its recipe.
        steps: The steps of its recipe.
        seconds: The duration of its training.
    """

    title: str
    steps: int
    seconds: float


class HomeModel:
    """What Home shows.

    Args:
        found: The gallery of the shipped recipes.

    Attributes:
        gallery: The gallery.
        topic: The key of the topic that is shown; "" for all.
        speed: The speed of this machine as a multiple of the one that recorded the gallery; None if it is unknown.
    """

    def __init__(self, found: Gallery) -> None:
        self.gallery = found
        self.topic = ""
        self.speed: float | None = None
        self._titles: dict[str, tuple[str, int]] = {}  # title and steps of recipes by name
        self._past: dict[tuple[str, int], float] = {}

    @property
    def entries(self) -> list[GalleryEntry]:
        """The recipes of the topic."""
        return [entry for entry in self.gallery.entries if self.topic in ("", entry.topic)]

    def take_past(self, runs: Sequence[PastRun]) -> None:
        """Use the durations of finished runs, the newest first."""
        self._past = {(run.title, run.steps): run.seconds for run in reversed(runs)}

    def seconds(self, *names: str) -> tuple[float, bool] | None:
        """Return the duration of recipes one after the other, and True if it was measured on this machine.

        Returns:
            The seconds, and whether all of them were measured; None if the speed of this machine is not known yet.
        """
        known = [self._past.get(self._title(name)) for name in names] if self._past else [None] * len(names)
        if all(seconds is not None for seconds in known):
            return sum(filter(None, known)), True
        if self.speed is None:
            return None
        recorded = [self.gallery.recordings.get(name) for name in names]
        if any(recording is None for recording in recorded):
            return None
        return sum(recording.seconds for recording in recorded if recording is not None) / self.speed, False

    def _title(self, name: str) -> tuple[str, int]:
        """Return title and steps of a recipe, read when a finished run may have them."""
        if name not in self._titles:
            recipe = shipped(name)
            self._titles[name] = recipe.title, recipe.training.steps
        return self._titles[name]


def text_size(path: Path, is_cancelled: Callable[[], bool]) -> int:
    """Return the bytes of a file or of all files in a folder; what cannot be read counts as nothing.

    Args:
        path: The file or folder.
        is_cancelled: Returns True if the size is no longer wanted; the rest is not counted then.

    Returns:
        The bytes, or those of the first files if they reach LARGE_TEXT.
    """
    size = 0
    for file in path.rglob("*") if path.is_dir() else [path]:
        if is_cancelled() or size >= LARGE_TEXT:
            break
        with contextlib.suppress(OSError):
            size += file.stat().st_size if file.is_file() else 0
    return size


def recipe_for_text(size: int) -> Recipe:
    """Return the quick start with a model and a number of steps that suit a text.

    Args:
        size: The bytes of the text.
    """
    settings: Mapping[str, Any] = SIZES[(size >= SMALL_TEXT) + (size >= LARGE_TEXT)]
    return shipped(QUICK_START).with_values(settings, {"title": ""} if settings else {})
