"""The request for a run as plain data, from which another process or a later session can start it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lab.base import BadInput
from lab.recipes import Recipe
from lab.runs import RunFolder
from lab.workbench.launch.origins import BranchedRun, NewRun, ResumedRun


def origin_of(request: Mapping[str, Any]) -> NewRun:
    """Return where the training of a requested run comes from; the inverse of `NewRun.request`.

    Raises:
        BadInput: It is no such request, or cannot be started any more: a run or a corpus is gone.
        LabError: A run is damaged.
    """
    match request:
        case {"recipe": str(text), "out": str() | None as out}:
            return NewRun(Recipe.from_toml(text, name="the recipe that waited"), path_of(out))
        case {"resume": str(run), "steps": int() | None as steps, "corpus": str() | None as corpus}:
            return ResumedRun(RunFolder.open(Path(run)), steps, path_of(corpus))
        case {"branch": str(run), "step": int(step), "changes": list(changes), "out": str() | None as out}:
            return BranchedRun(RunFolder.open(Path(run)), step, [str(change) for change in changes], path_of(out))
        case _:
            raise BadInput("this is no start of a run", remedy="Start it again")


def path_of(text: str | None) -> Path | None:
    """Return a path, or None where the lab chooses it."""
    return None if text is None else Path(text)
