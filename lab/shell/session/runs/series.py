"""The series of a run in the window: its curves, their completeness, and the rows added by the training."""

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
"""Number of steps over which the speed is measured."""


class SeriesState(Enum):
    """The completeness of a run's curves."""

    NOT_READ = auto()
    """The curves have only the rows added while this process trains the run; none for a run on disk."""
    READ = auto()
    """The curves have all rows of the run's file, or these are being read."""
    PAST_NOT_READ = auto()
    """The curves are empty: the run resumes from a checkpoint, and its series up to there are not read yet."""


class RunSeries:
    """The curves of a run.

    Attributes:
        state: Their completeness.
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
        """A version that changes whenever the curves change."""
        return self._replaced, self.curves.revision

    def replace(self, curves: Curves) -> None:
        """Replace the curves."""
        self.curves = curves
        self._replaced += 1

    def take(self, ring: Ring, facts: Mapping[str, Any]) -> bool:
        """Add the rows that a training wrote since the last call, starting with its first row; in the main thread.

        Args:
            ring: The ring into which the training writes.
            facts: The facts of the run, which may have the FLOPs per token.

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
        """Prepare for a training that continues from a checkpoint with a new ring."""
        self._reader, self._has_gaps, self.state = None, False, SeriesState.PAST_NOT_READ

    def take_past(self, curves: Curves) -> None:
        """Set the series up to the checkpoint; rows of the same steps that follow are dropped."""
        self.replace(curves)
        self.state = SeriesState.READ

    def skip_past(self) -> None:
        """Continue without the series up to the checkpoint, which cannot be read."""
        self.state = SeriesState.NOT_READ

    def end(self) -> bool:
        """End the training. Return True if the curves have gaps and must be read from the file."""
        is_incomplete = self._has_gaps or self.state is SeriesState.PAST_NOT_READ
        self.state = SeriesState.NOT_READ if is_incomplete else SeriesState.READ
        return is_incomplete

    def last(self, name: str) -> float | None:
        """Return the newest value of a series, which may be infinite; None if it is NaN or there is none."""
        if name not in self.curves.names():
            return None
        values = self.curves.values(name)
        value = float(values[-1]) if len(values) else math.nan
        return None if math.isnan(value) else value

    def tokens_per_second(self) -> float | None:
        """Return the speed over the last steps; None if it is unknown."""
        if not {"seconds", "tokens"} <= set(self.curves.names()):
            return None
        seconds, tokens = self.curves.values("seconds"), self.curves.values("tokens")
        count = min(len(seconds), len(tokens))
        if count < 2:
            return None
        first = max(0, count - 1 - LATELY)
        elapsed = float(seconds[count - 1] - seconds[first])
        return float(tokens[count - 1] - tokens[first]) / elapsed if elapsed > 0 else None
