"""The speed of this machine, from which the durations of recipes are estimated before any run was made."""

from __future__ import annotations

import contextlib
import time

from lab.base.problems import LabError
from lab.base.settings import change_section, read_section
from lab.base.system.profile import usable_cores

SECTION = "machine"
"""The section of the settings with the speed that was measured."""
SIZE, ROUNDS, TRIES = 60, 1000, 5
"""Width of the matrices of the measurement, which numpy multiplies in one thread, how many, and how often."""
GAIN = 1.6
"""The factor by which a small model trains faster on two and more cores than on one; more than two hardly help it."""


def core_seconds() -> float:
    """Return the CPU time that one core needs for a fixed piece of arithmetic, the least of some tries."""
    import numpy as np

    rng = np.random.default_rng(0)
    weights = (rng.normal(size=(SIZE, SIZE)) / SIZE**0.5).astype(np.float32)
    best = float("inf")
    for _ in range(TRIES):
        values = np.ones((SIZE, SIZE), np.float32)
        before = time.thread_time()
        for _ in range(ROUNDS):
            values = np.tanh(values @ weights)
        best = min(best, time.thread_time() - before)
    return best


def read_speed(reference: float) -> float | None:
    """Return the stored speed of this machine as a multiple of one core of the reference; None before `measure_speed`.

    Args:
        reference: `core_seconds` of the reference.
    """
    seconds = read_section(SECTION).get("core_seconds")
    return _speed(reference, seconds) if isinstance(seconds, int | float) and seconds > 0 else None


def measure_speed(reference: float) -> float:
    """Measure the speed of this machine, store it, and return it; see `read_speed`."""
    seconds = core_seconds()
    with contextlib.suppress(LabError):  # it is measured again at the next start
        change_section(SECTION, lambda _: {"core_seconds": round(seconds, 5)})
    return _speed(reference, seconds)


def _speed(reference: float, seconds: float) -> float:
    return reference / seconds * (GAIN if usable_cores() > 1 else 1.0)
