"""The file in which the runs that wait outlive the lab: what was asked for, with paths as they are on this machine."""

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
    """A run that waits for its turn.

    Args:
        origin: Where its training comes from.
        command: The words of the command line it came from.
    """

    origin: NewRun
    command: Sequence[str] | None


class QueueFile:
    """`queue.json` in the lab's home. One process has it: that of the window."""

    def __init__(self) -> None:
        self._path = home() / "queue.json"

    def write(self, waiting: Sequence[Waiting]) -> None:
        """Keeps what waits, the next one first, in place of what was kept before.

        Raises:
            LabError: It could not be written; what was kept before stands.
        """
        if waiting:
            make_folder(self._path.parent)
            write_json(self._path, {"format": FORMAT, "waiting": [_stored(one) for one in waiting]})
        else:
            with write_errors_as_problems(self._path):
                self._path.unlink(missing_ok=True)

    def read(self) -> list[Waiting]:
        """What waited when the lab was closed. What of it cannot be read is told, and the file set aside."""
        try:
            listed = _listed(json.loads(self._path.read_bytes()))
        except FileNotFoundError:
            return []
        except (OSError, ValueError, RecursionError) as error:
            self._set_aside(error)
            return []
        found, wrong = [], []
        for stored in listed:
            try:
                found.append(_waiting(stored))
            except (LabError, ValueError, TypeError, KeyError) as error:
                wrong.append(error)
        if wrong:
            self._set_aside(wrong[0])
        return found

    def _set_aside(self, why: Exception) -> None:
        aside = self._path.with_name("queue.damaged.json")
        with contextlib.suppress(OSError):
            self._path.replace(aside)
        what = f"not all runs that waited can be read: {why}"
        remedy = f"The file is kept as {aside.name} in the lab's home"
        notify("warning", Problem(what, field=self._path.name, remedy=remedy))


def _listed(record: Any) -> list[Any]:
    if not isinstance(record, dict) or record.get("format") != FORMAT or not isinstance(record.get("waiting"), list):
        raise ValueError(f"it is no queue of format {FORMAT}")
    waiting: list[Any] = record["waiting"]
    return waiting


def _stored(one: Waiting) -> dict[str, Any]:
    return {"asked": one.origin.asked, "command": None if one.command is None else list(one.command)}


def _waiting(stored: Mapping[str, Any]) -> Waiting:
    command = stored["command"]
    return Waiting(origin_of(stored["asked"]), None if command is None else [str(word) for word in command])
