"""The floors of a run that were found in the background, in a file of its folder."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lab.base.files.writing import write_json
from lab.base.problems import LabError
from lab.runs.records import read_record

FILE = "floors.json"
FORMAT = 1


def write_floors(run: Path, floors: Mapping[str, float], protocol: str, *, complete: bool = False) -> None:
    """Write floors into the folder of a run.

    Args:
        run: The folder.
        floors: Nats per scored token, by name.
        protocol: The protocol under which losses of models were evaluated.
        complete: True if all floors were found.

    Raises:
        LabError: The file cannot be written.
    """
    write_json(run / FILE, {"format": FORMAT, "protocol": protocol, "floors": dict(floors), "whole": complete})


def has_all(run: Path) -> bool:
    """Return True if all floors of a run were found; False if the file is missing or damaged."""
    try:
        return read_record(run / FILE).get("whole") is True
    except LabError:
        return False


def read_floors(run: Path, stored: Any = None) -> dict[str, float]:
    """Return all floors of a run in nats per scored token, by name: those in run.json and those found later.

    Args:
        run: The folder.
        stored: The floors of run.json; invalid values are ignored.

    Raises:
        LabError: The file is damaged or of a newer format.
    """
    found: Any = None
    if (run / FILE).exists():
        found = read_record(run / FILE).get("floors")
    return known_losses(stored) | known_losses(found)


def known_losses(stored: Any) -> dict[str, float]:
    """Return the valid losses in what a file stores as floors."""
    if not hasattr(stored, "items"):
        return {}
    return {str(name): float(value) for name, value in stored.items() if _is_loss(value)}


def _is_loss(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max
