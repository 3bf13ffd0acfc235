"""How a remedy of the doctor is applied: in which run, from which step, with which changes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lab.api import Finding, Remedy
from lab.runs import RunFolder


@dataclass(frozen=True)
class Plan:
    """A new run that applies a remedy.

    Args:
        step: The step of the checkpoint from which it branches; None for a run that starts from the recipe.
        changes: Its changed settings, "path=value" each.
    """

    step: int | None
    changes: tuple[str, ...]


def plan_of(folder: RunFolder, finding: Finding, remedy: Remedy) -> Plan:
    """Return the new run that applies a remedy.

    A remedy that acts before the finding branches from the last complete checkpoint before its step; without one, it
    starts again from the recipe.

    Raises:
        LabError: The checkpoints cannot be listed.
    """
    complete = [one.step for one in folder.checkpoints() if one.complete and 0 < one.step < finding.step]
    step = None if remedy.start == "beginning" or not complete else max(complete)
    return Plan(step, assignments(remedy.changes))


def assignments(changes: Mapping[str, Any]) -> tuple[str, ...]:
    """Return changes of settings as "path=value"."""
    return tuple(f"{path}={value if isinstance(value, str) else json.dumps(value)}" for path, value in changes.items())
