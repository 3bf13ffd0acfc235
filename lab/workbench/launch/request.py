"""What was asked for at the start of a run, as plain data, for another process or another day to begin it from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lab.base import BadInput
from lab.recipes import Recipe
from lab.runs import RunFolder
from lab.workbench.launch.origins import BranchedRun, NewRun, ResumedRun


def origin_of(asked: Mapping[str, Any]) -> NewRun:
    """Where the training comes from of a run that was asked for so (`Anew.asked`).

    Raises:
        BadInput: It is nothing that can be asked for, or cannot be begun any more: a run or a corpus is gone.
        LabError: A run is damaged.
    """
    match asked:
        case {"recipe": str(text), "out": str() | None as out}:
            return NewRun(Recipe.from_toml(text, name="the recipe that waited"), path_of(out))
        case {"resume": str(run), "steps": int() | None as steps, "corpus": str() | None as corpus}:
            return ResumedRun(RunFolder.open(Path(run)), steps, path_of(corpus))
        case {"branch": str(run), "step": int(step), "changes": list(changes), "out": str() | None as out}:
            return BranchedRun(RunFolder.open(Path(run)), step, [str(change) for change in changes], path_of(out))
        case _:
            raise BadInput("this is no start of a run", remedy="Start it anew")


def path_of(text: str | None) -> Path | None:
    """A path that may be left to the lab."""
    return None if text is None else Path(text)
