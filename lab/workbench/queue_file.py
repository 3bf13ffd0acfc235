"""The file in which queued runs outlive the lab: their requests, with paths of this machine."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lab.base import LabError, Problem
from lab.base.folders import home
from lab.base.notices import notify
from lab.base.writing import make_folder, write_errors_as_problems, write_json
from lab.workbench.launch.origins import NewRun
from lab.workbench.launch.request import origin_of

FORMAT = 1


@dataclass(frozen=True)
class Waiting:
    """A queued run.

    Args:
        origin: Where its training comes from.
        command: The command line it came from, in words.
    """

    origin: NewRun
    command: Sequence[str] | None


class QueueFile:
    """`queue.json` in the lab's home. One process uses it: that of the window."""

    def __init__(self) -> None:
        self._path = home() / "queue.json"

    def write(self, waiting: Sequence[Waiting]) -> None:
        """Store what waits, the next one first, in place of what was stored before.

        Raises:
            LabError: It could not be written; the old file stands.
        """
        if waiting:
            make_folder(self._path.parent)
            write_json(self._path, {"format": FORMAT, "waiting": [_stored(one) for one in waiting]})
        else:
            with write_errors_as_problems(self._path):
                self._path.unlink(missing_ok=True)

    def read(self) -> list[Waiting]:
        """Return what waited when the lab was closed. Report what cannot be read, and rename the file."""
        try:
            listed = _listed(json.loads(self._path.read_bytes()))
        except FileNotFoundError:
            return []
        except (OSError, ValueError, RecursionError) as error:
            self._rename_damaged(error)
            return []
        found, wrong = [], []
        for stored in listed:
            try:
                found.append(_waiting(stored))
            except (LabError, ValueError, TypeError, KeyError) as error:
                wrong.append(error)
        if wrong:
            self._rename_damaged(wrong[0])
        return found

    def _rename_damaged(self, why: Exception) -> None:
        damaged = self._path.with_name("queue.damaged.json")
        with contextlib.suppress(OSError):
            self._path.replace(damaged)
        what = f"not all runs that waited can be read: {why}"
        remedy = f"The file is now {damaged.name} in the lab's home"
        notify("warning", Problem(what, field=self._path.name, remedy=remedy))


def _listed(record: Any) -> list[Any]:
    if not isinstance(record, dict) or record.get("format") != FORMAT or not isinstance(record.get("waiting"), list):
        raise ValueError(f"it is no queue of format {FORMAT}")
    waiting: list[Any] = record["waiting"]
    return waiting


def _stored(one: Waiting) -> dict[str, Any]:
    return {"asked": one.origin.request, "command": None if one.command is None else list(one.command)}


def _waiting(stored: Mapping[str, Any]) -> Waiting:
    command = stored["command"]
    return Waiting(origin_of(stored["asked"]), None if command is None else [str(word) for word in command])
