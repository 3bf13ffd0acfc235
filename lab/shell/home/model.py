"""The state of Home without widgets: durations of recipes on this machine, recent runs, and the size for a text."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lab.recipes import QUICK_START, Gallery, GalleryEntry, Recipe, shipped, shipped_titles

COMPARED = ("compare-transformer", "compare-mamba")
"""The recipes that are compared with each other: as many parameters, and all but the architecture is equal."""
WORK = 3.18e12
"""Operations of the training of the quick start."""
NEWEST = 3
"""Most finished runs that tell the speed of this machine."""
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
    """The content of Home.

    Args:
        found: The gallery of the shipped recipes.

    Attributes:
        gallery: The gallery.
        topic: The key of the topic that is shown; "" for all.
        speed: The speed of this machine as a multiple of the one that recorded the gallery, by a short measurement;
            None if it is unknown. Finished runs of shipped recipes replace it.
    """

    def __init__(self, found: Gallery) -> None:
        self.gallery = found
        self.topic = ""
        self.speed: float | None = None
        self._titles: dict[str, tuple[str, int]] = {}  # title and steps of recipes by name
        self._past: dict[tuple[str, int], float] = {}
        self._names: dict[str, str] = {}  # names of the shipped recipes by title, once a run has finished
        self._ratio: float | None = None  # the speed of this machine by finished runs, like `speed`

    @property
    def entries(self) -> list[GalleryEntry]:
        """The recipes of the topic."""
        return [entry for entry in self.gallery.entries if self.topic in ("", entry.topic)]

    def take_past(self, runs: Sequence[PastRun]) -> None:
        """Use the durations of finished runs, the newest first."""
        self._past = {(run.title, run.steps): run.seconds for run in reversed(runs)}
        recorded, seconds, count = 0.0, 0.0, 0
        for run in runs:
            recording = self._recorded(run)
            if recording is not None and run.seconds > 0:
                recorded, seconds, count = recorded + recording, seconds + run.seconds, count + 1
            if count == NEWEST:
                break
        self._ratio = recorded / seconds if seconds else None

    def seconds(self, *names: str) -> tuple[float, bool] | None:
        """Return the duration of recipes one after the other, and True if it was measured on this machine.

        Returns:
            The seconds, and whether all of them were measured; None if the speed of this machine is not known yet.
        """
        total, measured = 0.0, True
        speed = self.speed if self._ratio is None else self._ratio
        for name in names:
            past = self._past.get(self._title(name)) if self._past else None
            recording = self.gallery.recordings.get(name)
            if past is not None:
                total += past
            elif speed is None or recording is None:
                return None
            else:
                total, measured = total + recording.seconds / speed, False
        return total, measured

    def operations_per_second(self) -> float | None:
        """Return the speed of this machine in a training, from that of the quick start; None if it is not known."""
        found = self.seconds(QUICK_START)
        return None if found is None else WORK / found[0]

    def _recorded(self, run: PastRun) -> float | None:
        """Return the seconds in which the recipe of a finished run was recorded; None if it is not a shipped one."""
        if not self._names:
            self._names = {title: name for name, title in shipped_titles().items()}
        name = self._names.get(run.title, "")
        recording = self.gallery.recordings.get(name)
        is_same = recording is not None and self._title(name) == (run.title, run.steps)
        return recording.seconds if recording is not None and is_same else None

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
