"""The limits of a machine that a run would reach: its memory, and the user's patience."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

DAY = 24 * 3600.0
"""Seconds from which a run is long enough to ask before it starts."""
TIGHT = 0.8
"""Share of the memory from which a run is called tight."""


class RunCost(Protocol):
    """The cost of a run that is compared: `lab.workbench.launch.preflight.Preflight`."""

    @property
    def memory_bytes(self) -> int | None:
        """Bytes that the training needs; None if unknown."""

    @property
    def device_bytes(self) -> int | None:
        """Bytes of memory of the device; None if unknown."""

    @property
    def seconds(self) -> float | None:
        """Seconds of the training; None if unknown."""


@dataclass(frozen=True)
class Limit:
    """A limit that a run would reach.

    Args:
        kind: The quantity.
        needed: What the run needs, in bytes or seconds.
        limit: What there is.
        asks: Whether the user is asked before the run starts; otherwise the figure is only marked.
    """

    kind: Literal["memory", "time"]
    needed: float
    limit: float
    asks: bool


def limits_of(cost: RunCost) -> list[Limit]:
    """Return the limits that a run of this cost would reach, memory first."""
    found = []
    needed, memory = cost.memory_bytes, cost.device_bytes
    if needed is not None and memory and needed > TIGHT * memory:
        found.append(Limit("memory", needed, memory, asks=needed > memory))
    if cost.seconds is not None and cost.seconds > DAY:
        found.append(Limit("time", cost.seconds, DAY, asks=True))
    return found
