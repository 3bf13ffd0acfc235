"""The file that stores the queue between two sessions: the requests of its runs, with paths of this machine."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lab.base import LabError, Problem
from lab.base.files.reading import read_json
from lab.base.files.writing import make_folder, write_errors_as_problems, write_json
from lab.base.folders import home
from lab.base.notices import notify
from lab.runs.library.labels import checked_label
from lab.workbench.launch.origins import NewRun
from lab.workbench.launch.request import origin_of

FORMAT = 1
LABELS = ("name", "note", "star", "tags")
"""The fields of a label that a queued run can have."""


@dataclass(frozen=True)
class QueuedRun:
    """A queued run.

    Args:
        origin: Where its training comes from.
        command: The arguments of the command line it came from; None if there was none.
        label: Its name, note, star and tags, as far as the user has given them; see lab.runs.library.labels.Label.
    """

    origin: NewRun
    command: Sequence[str] | None
    label: Mapping[str, Any] = field(default_factory=dict)


class QueueFile:
    """`queue.json` in the lab's home. Only the window's process uses it."""

    def __init__(self) -> None:
        self._path = home() / "queue.json"

    def write(self, waiting: Sequence[QueuedRun]) -> None:
        """Store the queued runs, the next one first, and replace what was stored before.

        Raises:
            LabError: The file could not be written; the old one is unchanged.
        """
        if waiting:
            make_folder(self._path.parent)
            write_json(self._path, {"format": FORMAT, "waiting": [_stored(run) for run in waiting]})
        else:
            with write_errors_as_problems(self._path):
                self._path.unlink(missing_ok=True)

    def read(self) -> list[QueuedRun]:
        """Return the runs that were queued when the lab was closed.

        If some of them cannot be read, that is reported, and the file is renamed.
        """
        try:
            listed = _listed(read_json(self._path))
        except FileNotFoundError:
            return []
        except (OSError, ValueError) as error:
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
        what = f"not all queued runs can be read: {why}"
        remedy = f"The file is now {damaged.name} in the lab's home"
        notify("warning", Problem(what, field=self._path.name, remedy=remedy))


def _listed(record: Any) -> list[Any]:
    if not isinstance(record, dict) or record.get("format") != FORMAT or not isinstance(record.get("waiting"), list):
        raise ValueError(f"it is not a queue of format {FORMAT}")
    waiting: list[Any] = record["waiting"]
    return waiting


def _stored(run: QueuedRun) -> dict[str, Any]:
    command = None if run.command is None else list(run.command)
    return {"asked": run.origin.request, "command": command, "label": dict(run.label)}


def _waiting(stored: Mapping[str, Any]) -> QueuedRun:
    command = stored["command"]
    label = checked_label(**{name: value for name, value in dict(stored.get("label", {})).items() if name in LABELS})
    return QueuedRun(origin_of(stored["asked"]), None if command is None else [str(word) for word in command], label)
