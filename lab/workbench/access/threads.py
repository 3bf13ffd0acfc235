"""What a question to a model leaves to a training: threads of torch, and time."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator

NAP = 0.1
"""Seconds after which a rest notices that it has ended."""


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """Inside, torch computes in one thread: as fast as several for one token, and the others are free for a training.

    Never hold it across a yield: threads that start meanwhile inherit the number.
    """
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def rest(cost: float, share: float, trains: Callable[[], bool], ended: Callable[[], bool]) -> None:
    """Rest after a piece of work so long that the work has only a share of the time, in naps.

    Args:
        cost: Seconds that the work took.
        share: Its share of the time.
        trains: Returns True while a run trains; without one there is no rest.
        ended: Returns True once nothing more is wanted, which ends the rest.
    """
    end = time.perf_counter() + cost * (1 / share - 1)
    while not ended() and trains() and (left := end - time.perf_counter()) > 0:
        time.sleep(min(NAP, left))
