"""The state of Home without widgets: durations of recipes on this machine, recent runs, and the size for a text."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lab.base.problems import LabError
from lab.recipes import QUICK_START, Gallery, GalleryEntry, Recipe, shipped, shipped_names
from lab.runs.origin import is_of_this_machine

COMPARED = ("compare-transformer", "compare-mamba")
"""The recipes that are compared with each other: as many parameters, and all but the architecture is equal."""
WORK = 3.18e12
"""Operations of the training of the quick start."""
SEED = "training.seed"
"""The setting that does not change the duration."""
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
class FinishedRun:
    """A training that has finished, or whose duration is known by its pace, and that may be one of a shipped recipe.

    Args:
        key: Its key in the list of runs.
        recipe: Its recipe.
        facts: The facts about how it was made.
        seconds: The duration of its training.
    """

    key: str
    recipe: Recipe
    facts: Mapping[str, Any]
    seconds: float


@dataclass(frozen=True)
class PastRun:
    """A finished training of a shipped recipe on this machine, from which the duration of the recipe is known.

    Args:
        recipe: The name of the recipe.
        seconds: The duration of its training.
    """

    recipe: str
    seconds: float


def past_runs(
    runs: Sequence[FinishedRun], differs: Callable[[Recipe, Recipe], Collection[str]]
) -> dict[str, PastRun | None]:
    """Return what finished runs tell about shipped recipes, by key; in a thread.

    A run tells nothing if another machine made it, or if it differs from every shipped recipe in more than its seed.

    Args:
        runs: The runs.
        differs: Returns the paths of the settings in which a recipe differs from another one.
    """
    recipes = {name: shipped(name) for name in shipped_names()}
    found: dict[str, PastRun | None] = {}
    for run in runs:
        found[run.key] = None
        if is_of_this_machine(run.facts):
            similar = [name for name, recipe in recipes.items() if _names(recipe) == _names(run.recipe)]
            for name in similar:
                with contextlib.suppress(LabError):  # its plugin is missing
                    if not set(differs(run.recipe, recipes[name])) - {SEED}:
                        found[run.key] = PastRun(name, run.seconds)
    return found


def _names(recipe: Recipe) -> tuple[object, ...]:
    """Return what is quickly compared before all settings are."""
    return recipe.architecture.name, recipe.corpus.name, recipe.training.steps


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
        self._past: dict[str, float] = {}  # seconds by the name of the recipe
        self._ratio: float | None = None  # the speed of this machine by finished runs, like `speed`

    @property
    def entries(self) -> list[GalleryEntry]:
        """The recipes of the topic."""
        return [entry for entry in self.gallery.entries if self.topic in ("", entry.topic)]

    def take_past(self, runs: Sequence[PastRun]) -> None:
        """Use the durations of finished runs, the newest first."""
        self._past = {run.recipe: run.seconds for run in reversed(runs)}
        recorded, seconds, count = 0.0, 0.0, 0
        for run in runs:
            recording = self.gallery.recordings.get(run.recipe)
            if recording is not None and run.seconds > 0:
                recorded, seconds, count = recorded + recording.seconds, seconds + run.seconds, count + 1
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
            past = self._past.get(name)
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
