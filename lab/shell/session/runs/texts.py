"""The samples and events of a run, read incrementally from its folder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lab.base.problems import LabError
from lab.runs import RunFolder
from lab.shell.session.runs.formatting import flag_of, is_change
from lab.widgets.charts.chart import Flag

Offsets = tuple[int, int]
"""Offsets in bytes in the files of samples and events."""


@dataclass(frozen=True)
class TextUpdate:
    """New samples and events of a run.

    Args:
        since: The offsets at which it starts.
        until: The offsets at which it ends.
        samples: Step and text of each sample.
        flags: Events for the curve.
        changed: The last value of each live setting that was changed, by path.
        paused: True if the training was last paused, False if it was last resumed; None if neither happened.
    """

    since: Offsets
    until: Offsets
    samples: list[tuple[int, str]]
    flags: list[Flag]
    changed: dict[str, Any]
    paused: bool | None


class RunTexts:
    """The samples and events of a run.

    Attributes:
        offsets: The offsets up to which they were read.
        samples: Step and text of each sample, oldest first.
        flags: The events, as flags on the curve.
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
        self.flags: list[Flag] = []
        self.changed: dict[str, Any] = {}

    def add(self, update: TextUpdate) -> bool:
        """Add an update, unless another one was added since it was read. Return True if something was added."""
        if update.since != self.offsets or update.until == update.since:
            return False
        self.offsets = update.until
        self.is_paused = self.is_paused if update.paused is None else update.paused
        self.samples, self.changed = self.samples + update.samples, {**self.changed, **update.changed}
        self.flags = list(dict.fromkeys([*self.flags, *update.flags]))  # a resumed run reports some again
        return True


def read_texts(folder: RunFolder, since: Offsets) -> TextUpdate:
    """Read the samples and events after some offsets; if they cannot be read, return an empty update."""
    try:
        samples, events, *read = folder.read_since(*since)
        texts = [(int(one["step"]), str(one["text"])) for one in samples if "text" in one]
    except (LabError, TypeError, ValueError, KeyError):
        return TextUpdate(since, since, [], [], {}, None)
    pauses = [one["event"] == "pause" for one in events if one.get("event") in ("pause", "resume", "continued")]
    flags = [flag for event in events if (flag := flag_of(event)) is not None]
    changed = {str(one["path"]): one.get("value") for one in events if "path" in one and is_change(one)}
    return TextUpdate(since, (read[0], read[1]), texts, flags, changed, pauses[-1] if pauses else None)
