"""The samples and events of a run, read incrementally from its folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lab.base.problems import LabError
from lab.runs import RunFolder

Offsets = tuple[int, int]
"""Offsets in bytes in the files of samples and events."""


@dataclass(frozen=True)
class RunEvent:
    """A live edit or a problem of a run.

    Args:
        step: The step before which it happened.
        path: The path of the edited setting; "" for a problem.
        before: The value of the setting before the edit.
        value: Its new value.
        problem: What the problem is; "" for an edit.
    """

    step: int
    path: str = ""
    before: Any = None
    value: Any = None
    problem: str = ""


@dataclass(frozen=True)
class TextUpdate:
    """New samples and events of a run.

    Args:
        since: The offsets at which it starts.
        until: The offsets at which it ends.
        samples: Step and text of each sample.
        events: Live edits and problems.
        changed: The last value of each live setting that was changed, by path.
        paused: True if the training was last paused, False if it was last resumed; None if neither happened.
    """

    since: Offsets
    until: Offsets
    samples: list[tuple[int, str]]
    events: list[RunEvent]
    changed: dict[str, Any]
    paused: bool | None


class RunTexts:
    """The samples and events of a run.

    Attributes:
        offsets: The offsets up to which they were read.
        samples: Step and text of each sample, oldest first.
        events: The live edits and problems, oldest first.
        changed: The last values of live settings that were changed during the training, by path.
        is_paused: True if the training is paused.
    """

    def __init__(self) -> None:
        self.is_paused = False
        self.clear()

    def clear(self) -> None:
        """Forget all of them, so that they are read again from the start."""
        self.offsets: Offsets = (0, 0)
        self.samples: list[tuple[int, str]] = []
        self.events: list[RunEvent] = []
        self.changed: dict[str, Any] = {}

    def add(self, update: TextUpdate) -> bool:
        """Add an update, unless another one was added since it was read. Return True if something was added."""
        if update.since != self.offsets or update.until == update.since:
            return False
        self.offsets = update.until
        self.is_paused = self.is_paused if update.paused is None else update.paused
        self.samples, self.changed = self.samples + update.samples, {**self.changed, **update.changed}
        events = [*self.events, *update.events]  # a resumed run reports some again
        self.events = list({repr(event): event for event in events}.values())
        return True


def read_texts(folder: RunFolder, since: Offsets) -> TextUpdate:
    """Read the samples and events after some offsets; if they cannot be read, return an empty update."""
    try:
        samples, events, *read = folder.read_since(*since)
        texts = [(int(one["step"]), str(one["text"])) for one in samples if "text" in one]
    except (LabError, TypeError, ValueError, KeyError):
        return TextUpdate(since, since, [], [], {}, None)
    pauses = [one["event"] == "pause" for one in events if one.get("event") in ("pause", "resume", "continued")]
    shown = [event for stored in events if (event := _event_of(stored)) is not None]
    changed = {str(one["path"]): one.get("value") for one in events if "path" in one and _is_change(one)}
    return TextUpdate(since, (read[0], read[1]), texts, shown, changed, pauses[-1] if pauses else None)


def _event_of(stored: Mapping[str, Any]) -> RunEvent | None:
    """Return a stored event if it is a live edit or a problem; None for other events."""
    step = stored.get("step")
    if not isinstance(step, int):
        return None
    match stored.get("event"):
        case "set" if _is_change(stored):
            return RunEvent(step, str(stored.get("path")), stored.get("before"), stored.get("value"))
        case "problem":
            return RunEvent(step, problem=str(stored.get("what", "")))
    return None


def _is_change(stored: Mapping[str, Any]) -> bool:
    """Return True for an event that gave a live setting another value than it had."""
    return stored.get("event") == "set" and ("before" not in stored or stored["before"] != stored.get("value"))
