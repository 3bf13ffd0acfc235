"""The floors of a run beside those of its making: found in the background, kept in a file of its folder."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lab.base.problems import LabError
from lab.base.writing import write_json
from lab.runs.records import read_record

FILE = "floors.json"
FORMAT = 1


def write_floors(run: Path, floors: Mapping[str, float], protocol: str, *, whole: bool = False) -> None:
    """Keeps floors in the folder of a run.

    Args:
        run: The folder.
        floors: Nats per scored token, by name.
        protocol: How those were evaluated that are losses of models.
        whole: Whether no more are to be found.

    Raises:
        LabError: The file cannot be written.
    """
    write_json(run / FILE, {"format": FORMAT, "protocol": protocol, "floors": dict(floors), "whole": whole})


def has_all(run: Path) -> bool:
    """Whether all floors of a run were found; not where the file is missing or damaged."""
    try:
        return read_record(run / FILE).get("whole") is True
    except LabError:
        return False


def read_floors(run: Path, told: Any = None) -> dict[str, float]:
    """All floors of a run in nats per scored token, by name: of its making, and those that were found since.

    Args:
        run: The folder.
        told: What run.json tells of floors; anything that is none is passed over.

    Raises:
        LabError: The file is damaged, or of a newer format.
    """
    found: Any = None
    if (run / FILE).exists():
        found = read_record(run / FILE).get("floors")
    return known_losses(told) | known_losses(found)


def known_losses(told: Any) -> dict[str, float]:
    """What a file tells of floors, without anything that is no loss."""
    if not hasattr(told, "items"):
        return {}
    return {str(name): float(value) for name, value in told.items() if _is_loss(value)}


def _is_loss(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max
