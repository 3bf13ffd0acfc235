"""The samples and events of a run, as they are read from its folder piece by piece."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lab.base.problems import LabError
from lab.runs import RunFolder
from lab.shell.session.runs.formatting import flag_of
from lab.widgets.charts.chart import Flag

Offsets = tuple[int, int]
"""Bytes of the files of samples and events."""


@dataclass(frozen=True)
class TextUpdate:
    """New samples and events of a run.

    Args:
        since: Where it starts.
        until: Where it ends.
        samples: Step and text of each sample.
        flags: Events for the curve.
        changed: The last value of each live setting that was changed, by path.
        paused: True if the training paused last, False if it resumed last; None where it did neither.
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
        offsets: Up to where they were read.
        samples: Step and text of each sample, oldest first.
        flags: The events on the curve.
        changed: The value of each live setting that was changed while it trained, by path.
        is_paused: True if the training paused last, and did not resume since.
    """

    def __init__(self) -> None:
        self.is_paused = False
        self.clear()

    def clear(self) -> None:
        """Forget all; they are read from the start again."""
        self.offsets: Offsets = (0, 0)
        self.samples: list[tuple[int, str]] = []
        self.flags: list[Flag] = []
        self.changed: dict[str, Any] = {}

    def add(self, update: TextUpdate) -> bool:
        """Add what is new, unless others were added since it was read; return True if there was any."""
        if update.since != self.offsets or update.until == update.since:
            return False
        self.offsets = update.until
        self.is_paused = self.is_paused if update.paused is None else update.paused
        self.samples, self.changed = self.samples + update.samples, {**self.changed, **update.changed}
        self.flags = list(dict.fromkeys([*self.flags, *update.flags]))  # a resumed run reports some again
        return True


def read_texts(folder: RunFolder, since: Offsets) -> TextUpdate:
    """Read what is new since some offsets; nothing where it cannot be read, as curves can be shown without it."""
    try:
        samples, events, *read = folder.read_since(*since)
        texts = [(int(one["step"]), str(one["text"])) for one in samples if "text" in one]
    except (LabError, TypeError, ValueError, KeyError):
        return TextUpdate(since, since, [], [], {}, None)
    pauses = [one["event"] == "pause" for one in events if one.get("event") in ("pause", "resume", "continued")]
    flags = [flag for event in events if (flag := flag_of(event)) is not None]
    changed = {str(one["path"]): one.get("value") for one in events if one.get("event") == "set" and "path" in one}
    return TextUpdate(since, (read[0], read[1]), texts, flags, changed, pauses[-1] if pauses else None)
