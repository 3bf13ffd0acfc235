"""The series of a run in the window: its curves, whether they are complete, and what the training adds to them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import Enum, auto
from typing import TYPE_CHECKING, Any

from lab.runs.metrics.clocks import flops_per_token
from lab.workbench.analysis.curves import Curves

if TYPE_CHECKING:
    from lab.training.recording.telemetry import Ring

LATELY = 50
"""Steps over which the speed is taken."""


class SeriesState(Enum):
    """How much of the series of a run is in its curves."""

    NOT_READ = auto()
    """What its training adds while this process trains it; of a run on disk nothing yet."""
    READ = auto()
    """All that stands in its file, or is being read from there."""
    PAST_NOT_READ = auto()
    """Nothing: the run resumes from a checkpoint, and its series up to there are not read yet."""


class RunSeries:
    """The curves of a run.

    Attributes:
        state: How much is in them.
        curves: The curves.
    """

    def __init__(self) -> None:
        self.state = SeriesState.NOT_READ
        self.curves = Curves()
        self._replaced = 0
        self._reader: Any = None  # lab.training.recording.telemetry.Reader
        self._has_gaps = False  # rows of the ring were overwritten before they were taken

    @property
    def version(self) -> tuple[int, int]:
        """Differs whenever something in the curves differs."""
        return self._replaced, self.curves.revision

    def replace(self, curves: Curves) -> None:
        """Take other curves."""
        self.curves = curves
        self._replaced += 1

    def take(self, ring: Ring, facts: Mapping[str, Any]) -> bool:
        """Add the rows that a training wrote since the last call, from its first row on; in the main thread.

        Args:
            ring: Where the training writes them.
            facts: The facts of the run, which may have the FLOPs of a token.

        Returns:
            True if there were any.
        """
        if self._reader is None:
            self._reader = ring.reader()
            self._reader.read = 0
            self.curves.flops_per_token = flops_per_token(facts)
        rows = self._reader.take()
        self._has_gaps = self._has_gaps or bool(rows.missed)
        if len(rows):
            self.curves.feed(rows, ring.names)
        return bool(len(rows))

    def resume(self) -> None:
        """Note that the run trains again from a checkpoint, with a ring of its own."""
        self._reader, self._has_gaps, self.state = None, False, SeriesState.PAST_NOT_READ

    def take_past(self, curves: Curves) -> None:
        """Take the series up to the checkpoint; rows of the same steps are dropped when they come."""
        self.replace(curves)
        self.state = SeriesState.READ

    def skip_past(self) -> None:
        """Note that the series up to the checkpoint cannot be read; the run continues without them."""
        self.state = SeriesState.NOT_READ

    def end(self) -> bool:
        """Note that the training ended; return True if the curves have gaps, so that the file is to be read."""
        is_incomplete = self._has_gaps or self.state is SeriesState.PAST_NOT_READ
        self.state = SeriesState.NOT_READ if is_incomplete else SeriesState.READ
        return is_incomplete

    def last(self, name: str) -> float | None:
        """Return the newest value of a series, which may be infinite; None where it is nan, or there is none."""
        if name not in self.curves.names():
            return None
        values = self.curves.values(name)
        value = float(values[-1]) if len(values) else math.nan
        return None if math.isnan(value) else value

    def tokens_per_second(self) -> float | None:
        """Return the speed over the last steps; None where it is not known."""
        if not {"seconds", "tokens"} <= set(self.curves.names()):
            return None
        seconds, tokens = self.curves.values("seconds"), self.curves.values("tokens")
        count = min(len(seconds), len(tokens))
        if count < 2:
            return None
        first = max(0, count - 1 - LATELY)
        elapsed = float(seconds[count - 1] - seconds[first])
        return float(tokens[count - 1] - tokens[first]) / elapsed if elapsed > 0 else None
