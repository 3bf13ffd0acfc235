"""A run's recipe with its live edits: as settings at a checkpoint, or all of them as a schedule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lab.recipes import Edit, Recipe
from lab.runs import RunFolder


def edits_of(run: RunFolder) -> list[Edit]:
    """Return the live edits that the user made in a run, by step; those of one step in the order they were made in.

    They are sorted because a resumed run repeats the edits after its checkpoint, and others may be made before those.

    Raises:
        LabError: The file of its events is damaged.
    """
    made = [event for event in run.events() if event.get("event") == "set" and not event.get("scheduled")]
    edits = [Edit.read({name: event.get(name) for name in ("step", "path", "value")}, field="events") for event in made]
    return sorted(edits, key=lambda edit: edit.step)


def in_force(recipe: Recipe, facts: Mapping[str, Any]) -> Recipe:
    """Return a recipe with the live settings of a checkpoint, and the scheduled edits after it."""
    live = facts.get("live", {})
    for section, field in (
        ("architecture", "architecture"),
        ("training", "training"),
        ("optimizer", "training.optimizer"),
        ("corpus", "corpus"),
    ):
        for name, value in live.get(section, {}).items():
            recipe = recipe.with_values(_nested(f"{field}.{name}", value))
    done = facts.get("edits", {}).get("scheduled", 0)
    to_come = sorted(recipe.training.edits, key=lambda edit: edit.step)[done:]
    return recipe.with_values({"training": {"edits": [edit.model_dump() for edit in to_come]}})


def replayed(run: RunFolder) -> Recipe:
    """Return a recipe that repeats a run, with its live edits as a schedule.

    Raises:
        LabError: The run cannot be read.
    """
    recipe = run.read_recipe()
    edits = sorted([*recipe.training.edits, *edits_of(run)], key=lambda edit: edit.step)
    return recipe.with_values({"training": {"edits": [edit.model_dump() for edit in edits]}})


def _nested(path: str, value: Any) -> dict[str, Any]:
    for part in reversed(path.split(".")):
        value = {part: value}
    return dict(value)
