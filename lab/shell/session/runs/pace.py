"""The pace of a training over its last steps, evaluations included."""

from __future__ import annotations

from collections import deque

WINDOW, LONGEST = 10.0, 30.0
"""Seconds over which the pace is measured: half of the time so far within these two, so that it soon follows a machine
that becomes busy or idle; longer while these have fewer than LEAST_STEPS steps."""
LEAST_STEPS, LEAST_SECONDS = 5, 3.0
"""Steps and seconds that must be measured before the pace is known."""


class Pace:
    """The pace of a training in steps per second. Times are seconds of any one clock.

    The first step counts only as the start of the measurement, since it also loads and compiles what later ones use.
    """

    def __init__(self) -> None:
        self._start: int | None = None  # the step that had been made when the training started or was resumed
        self._first = 0.0  # the time at which the first step counted
        self._steps: deque[tuple[float, int]] = deque()  # time and step, newest last

    def add(self, now: float, step: int) -> None:
        """Record the step that the training has reached."""
        if self._start is None:
            self._start = step
        if step == self._start or (self._steps and self._steps[-1][1] == step):
            return
        if not self._steps:
            self._first = now
        self._steps.append((now, step))
        window = min(LONGEST, max(WINDOW, (now - self._first) / 2))
        while now - self._steps[0][0] > window and len(self._steps) > 1 and step - self._steps[1][1] >= LEAST_STEPS:
            self._steps.popleft()

    def clear(self) -> None:
        """Forget all steps, since the training is paused or has ended."""
        self._start = None
        self._steps.clear()

    def seconds_for(self, steps: int) -> float | None:
        """Return the seconds that so many steps take; None while the pace is unknown."""
        if len(self._steps) < 2:
            return None
        (start, first), (end, last) = self._steps[0], self._steps[-1]
        if last - first < LEAST_STEPS or end - start < LEAST_SECONDS:
            return None
        return (end - start) / (last - first) * steps
