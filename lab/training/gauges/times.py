"""The seconds that the parts of a step take, from a clock that is read where one part ends and the next begins."""

from __future__ import annotations

import time
from collections.abc import Callable

import torch

from lab.runs.metrics.gauges import STEP_PARTS


class StepTimes:
    """A stopwatch for the parts of a step.

    An accelerator works on after a call has returned. There the clock waits for it, and only while `measuring`.

    Args:
        device: The device that computes.
        clock: Returns increasing seconds.

    Attributes:
        measuring: Whether parts are measured now.
    """

    def __init__(self, device: torch.device, clock: Callable[[], float] = time.perf_counter) -> None:
        self.measuring = True
        self._device, self._clock = device, clock
        self._seconds = dict.fromkeys(STEP_PARTS, 0.0)
        self._last: float | None = None
        self._steps = 0

    def start(self) -> None:
        """Start a step; what passed since the last part ended was between two steps."""
        self.passed("between steps")
        self._steps += self.measuring

    def passed(self, part: str) -> None:
        """Add the time since the last call to a part of STEP_PARTS."""
        if not self.measuring:
            self._last = None
            return
        if self._device.type == "cuda":
            torch.cuda.synchronize(self._device)
        now = self._clock()
        if self._last is not None:
            self._seconds[part] += now - self._last
        self._last = now

    def take(self) -> dict[str, float]:
        """Return the mean seconds of each part in the steps since the last call; {} if none was measured."""
        steps, self._steps = self._steps, 0
        taken, self._seconds = self._seconds, dict.fromkeys(STEP_PARTS, 0.0)
        return {part: seconds / steps for part, seconds in taken.items()} if steps else {}
