"""The gallery of the recipes of the lab and of the machine: their topics, what they show, and recorded trainings."""

from __future__ import annotations

import functools
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from lab.base.folders import resources
from lab.recipes.shared import shared_recipes

SHARED = "shared"
"""The topic of the recipes that an administrator shares."""

Points = tuple[tuple[float, float], ...]
"""(step, nats per token) along a training."""


@dataclass(frozen=True)
class Recording:
    """A training of a recipe that was recorded when the lab was made.

    Args:
        seconds: CPU time of the training on one core of the machine that recorded it.
        train: The smoothed training loss.
        validation: The validation loss.
        floors: The floors of the validation loss in nats per token, by name.
    """

    seconds: float
    train: Points = ()
    validation: Points = ()
    floors: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class GalleryEntry:
    """A recipe in the gallery.

    Args:
        name: The name of a shipped recipe, the path of a shared one.
        title: A short title.
        topic: The key of its topic.
        shows: A sentence that says what will be seen; the path of a shared recipe.
    """

    name: str
    title: str
    topic: str
    shows: str


@dataclass(frozen=True)
class Gallery:
    """All recipes by topic.

    Args:
        topics: Titles of the topics by key, in order.
        entries: The recipes, in the order of their topics.
        recordings: Recorded trainings by the name of the recipe.
        sample: Tokens of a text that the model of the quick start wrote, with the surprisal of each in bits.
        core_seconds: The speed of the machine that recorded them.
    """

    topics: Mapping[str, str]
    entries: tuple[GalleryEntry, ...]
    recordings: Mapping[str, Recording]
    sample: tuple[tuple[str, float], ...]
    core_seconds: float


def gallery() -> Gallery:
    """Return the gallery: the shipped recipes, which are read once, and the shared ones under a topic of their own."""
    found, shared = _shipped(), shared_recipes()
    if not shared:
        return found
    entries = [GalleryEntry(str(file), title, SHARED, str(file)) for file, title in shared.items()]
    topics = {**found.topics, SHARED: "Shared on this machine"}
    return replace(found, topics=topics, entries=(*found.entries, *entries))


@functools.cache
def _shipped() -> Gallery:
    written = tomllib.loads((resources() / "gallery.toml").read_text(encoding="utf-8"))
    recorded = json.loads((resources() / "gallery.json").read_text(encoding="utf-8"))
    topics = {str(key): str(title) for key, title in written["topics"].items()}
    entries = [
        GalleryEntry(name, str(entry["title"]), str(entry["topic"]), str(entry["shows"]))
        for name, entry in written["recipes"].items()
    ]
    order = list(topics)
    entries.sort(key=lambda entry: order.index(entry.topic))
    recordings = {str(name): _recording(one) for name, one in recorded["curves"].items()}
    sample = tuple((str(text), float(bits)) for text, bits in recorded["sample"])
    return Gallery(topics, tuple(entries), recordings, sample, float(recorded["core_seconds"]))


def _recording(recorded: Mapping[str, Any]) -> Recording:
    train, validation = (
        tuple((float(step), float(nats)) for step, nats in recorded[name]) for name in ("train", "validation")
    )
    return Recording(float(recorded["seconds"]), train, validation, recorded["floors"])
