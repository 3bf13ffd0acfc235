"""What a run wrote and what happened to it, as its folder tells it piece by piece."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lab.base.problems import LabError
from lab.runs import RunFolder
from lab.shell.session.runs.formatting import flag_of
from lab.widgets.charts.chart import Flag

Place = tuple[int, int]
"""Bytes of samples and events."""


@dataclass(frozen=True)
class Texts:
    """A piece of what a run tells.

    Args:
        since: Where it begins.
        until: Where it ends.
        samples: (step, text) of what the model wrote.
        flags: Events for the curve.
        changed: Live settings that were changed, by path, to their last value.
        paused: Whether the last word of a pause is that it began; None where there is none.
    """

    since: Place
    until: Place
    samples: list[tuple[int, str]]
    flags: list[Flag]
    changed: dict[str, Any]
    paused: bool | None


def texts_since(folder: RunFolder, since: Place) -> Texts:
    """What a run has told since a place; nothing where that cannot be read, as the curves can be shown without."""
    try:
        samples, events, *read = folder.read_since(*since)
        texts = [(int(one["step"]), str(one["text"])) for one in samples if "text" in one]
    except (LabError, TypeError, ValueError, KeyError):
        return Texts(since, since, [], [], {}, None)
    pauses = [one["event"] == "pause" for one in events if one.get("event") in ("pause", "resume", "continued")]
    flags = [flag for event in events if (flag := flag_of(event)) is not None]
    changed = {str(one["path"]): one.get("value") for one in events if one.get("event") == "set" and "path" in one}
    return Texts(since, (read[0], read[1]), texts, flags, changed, pauses[-1] if pauses else None)
