"""How long counting tells how far it is, and how it is ended."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from lab.base.jobs import Cancelled

Step: TypeAlias = Callable[[int, int], object]
"""Called often with what is done and how much there is to do; what it raises ends the work."""

SLICE = 1 << 17
"""Characters or numbers worked on between two steps."""


def unseen(done: int, total: int) -> None:
    """A step that nobody watches."""
    del done, total


def watched(progress: Callable[[int, int], object], cancelled: Callable[[], bool]) -> Step:
    """The step that tells `progress`, and raises Cancelled once `cancelled` says so."""

    def step(done: int, total: int) -> None:
        if cancelled():
            raise Cancelled
        progress(done, total)

    return step
