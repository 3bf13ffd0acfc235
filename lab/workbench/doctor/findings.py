"""A finding: one thing that a check found out, how bad it is, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """How bad a finding is; the values are those in JSON."""

    GOOD = "good"
    NOTE = "note"
    """Something that is missing or slow, and that the lab works without."""
    WRONG = "wrong"
    """Something that has to be repaired."""

    @property
    def rank(self) -> int:
        """How bad it is: 0 for good."""
        return list(Level).index(self)


@dataclass(frozen=True)
class Finding:
    """One thing that a check found out.

    Args:
        what: One sentence without names and paths, as a report holds it.
        level: How bad it is.
        remedy: What to do about it; "" for nothing.
        detail: Names, paths and texts of errors, which are shown on this machine alone and are in no report.
    """

    what: str
    level: Level = Level.GOOD
    remedy: str = ""
    detail: str = ""
