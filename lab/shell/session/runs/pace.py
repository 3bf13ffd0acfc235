"""The pace of a training over the last half minute, evaluations included."""

from __future__ import annotations

from collections import deque

WINDOW = 30.0
"""Seconds over which the pace is measured."""


class Pace:
    """The pace of a training in steps per second. Times are seconds of any one clock."""

    def __init__(self) -> None:
        self._steps: deque[tuple[float, int]] = deque()  # time and step, newest last

    def add(self, now: float, step: int) -> None:
        """Record the step that the training has reached."""
        if self._steps and self._steps[-1][1] == step:
            return
        self._steps.append((now, step))
        while now - self._steps[0][0] > WINDOW:
            self._steps.popleft()

    def clear(self) -> None:
        """Forget all steps, since the training is paused or has ended."""
        self._steps.clear()

    def seconds_for(self, steps: int) -> float | None:
        """Return the seconds that so many steps take; None while the pace is unknown."""
        if len(self._steps) < 2:
            return None
        (start, first), (end, last) = self._steps[0], self._steps[-1]
        return (end - start) / (last - first) * steps if last > first else None
