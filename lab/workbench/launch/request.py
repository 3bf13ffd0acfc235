"""Requests for runs as plain data, from which another process or a later session can start them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lab.base import BadInput
from lab.recipes import Recipe
from lab.runs import RunFolder
from lab.workbench.launch.origins import BranchedRun, NewRun, ResumedRun


def origin_of(request: Mapping[str, Any]) -> NewRun:
    """Return the origin of a requested run; the inverse of `NewRun.request`.

    Raises:
        BadInput: The request is invalid, or the run or corpus that it names is gone.
        LabError: The run that it names is damaged.
    """
    name = str(request.get("name", ""))
    match request:
        case {"recipe": str(text), "out": str() | None as out}:
            return NewRun(Recipe.from_toml(text, name="the recipe of the queued run"), path_of(out), name)
        case {"resume": str(run), "steps": int() | None as steps, "corpus": str() | None as corpus}:
            return ResumedRun(RunFolder.open(Path(run)), steps, path_of(corpus))
        case {"branch": str(run), "step": int(step), "changes": list(changes), "out": str() | None as out}:
            parent = RunFolder.open(Path(run))
            weights_only = request.get("weights_only") is True
            return BranchedRun(
                parent, step, [str(change) for change in changes], path_of(out), name, weights_only=weights_only
            )
        case _:
            raise BadInput("this request for a run is invalid", remedy="Start the run again")


def path_of(text: str | None) -> Path | None:
    """Return the path of a text; None for None."""
    return None if text is None else Path(text)
