"""The state of Home without widgets: the recipes of a topic, and the size of a model for a text."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from lab.base.system import profile
from lab.recipes import QUICK_START, Gallery, GalleryEntry, Recipe, shipped

COMPARED = ("compare-transformer", "compare-mamba")
"""The recipes that are compared with each other: as many parameters, and all but the architecture is equal."""
SMALL_TEXT, LARGE_TEXT = 60_000, 3_000_000
"""Bytes of a text below which a smaller model than that of the quick start is suitable, and above which a larger."""
SIZES: tuple[dict[str, Any], ...] = (
    {"architecture": {"layers": 2, "width": 64, "heads": 4}, "training": {"steps": 400}},
    {},
    {"architecture": {"layers": 4, "width": 192, "heads": 6}, "training": {"steps": 1500, "context_length": 96}},
)
"""Settings for a small, a medium and a large text, next to those of the quick start."""


class HomeModel:
    """The content of Home.

    Args:
        found: The gallery of the shipped recipes.

    Attributes:
        gallery: The gallery.
        topic: The key of the topic that is shown; "" for all.
    """

    def __init__(self, found: Gallery) -> None:
        self.gallery = found
        self.topic = ""

    @property
    def entries(self) -> list[GalleryEntry]:
        """The recipes of the topic."""
        return [entry for entry in self.gallery.entries if self.topic in ("", entry.topic)]


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
    """Return the quick start with a model and a number of steps that suit a text; smaller ones in the light profile.

    Args:
        size: The bytes of the text.
    """
    index = (size >= SMALL_TEXT) + (size >= LARGE_TEXT)
    settings: Mapping[str, Any] = SIZES[max(0, index - 1) if profile.now() is profile.LIGHT else index]
    return shipped(QUICK_START).with_values(settings, {"title": ""} if settings else {})
