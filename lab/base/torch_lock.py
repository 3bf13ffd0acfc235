"""The lock on torch's default random generators, which the whole process shares.

Hold it to draw from them (initialisation, dropout); use a generator of your own where you can. The lock is fair: a
training loop that releases it and requests it again at once goes to the end of the queue, so two runs take turns, and
a third thread waits for one step, not for a run.
"""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Iterator


class FairLock:
    """A re-entrant lock that threads get in the order of their requests."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()
        self._owner: int | None = None
        self._depth = 0

    def __enter__(self) -> None:
        me = threading.get_ident()
        with self._guard:
            if self._owner is None or self._owner == me:
                self._owner, self._depth = me, self._depth + 1
                return
            turn = threading.Lock()
            turn.acquire()
            self._waiting.append(turn)
        try:
            turn.acquire()  # released by the thread that hands the lock over
        except BaseException:  # Ctrl+C: the lock must not be handed to a thread that has left
            with self._guard:
                if turn in self._waiting:
                    self._waiting.remove(turn)
                else:
                    self._hand_on()
            raise
        with self._guard:
            self._owner, self._depth = me, 1

    def __exit__(self, *_: object) -> None:
        with self._guard:
            self._depth -= 1
            if not self._depth:
                self._hand_on()

    def _hand_on(self) -> None:
        if self._waiting:
            self._owner = -1  # handed over: no other thread may take it in between
            self._waiting.popleft().release()
        else:
            self._owner = None


torch_lock = FairLock()
_seeded = 0


def mixed(*numbers: int) -> int:
    """Mix several numbers into one 64-bit seed, by splitmix64: neighbours give unrelated seeds."""
    state = 0
    mask = 0xFFFFFFFFFFFFFFFF
    for number in numbers:
        state = (state ^ (number & mask)) + 0x9E3779B97F4A7C15 & mask
        state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & mask
        state = (state ^ state >> 27) * 0x94D049BB133111EB & mask
        state ^= state >> 31
    return state


def seed_torch(*numbers: int, device: str = "cpu") -> None:
    """Seed torch's default generators of the CPU and of `device` from numbers. Hold torch_lock."""
    global _seeded
    import torch

    _seeded += 1
    seed = mixed(*numbers) >> 1
    torch.default_generator.manual_seed(seed)
    kind = device.partition(":")[0]
    if kind == "cuda":
        torch.cuda.manual_seed_all(seed)
    elif kind == "mps":
        torch.mps.manual_seed(seed)


def times_seeded() -> int:
    """Return how often the lab has seeded torch's default generators. Hold torch_lock."""
    return _seeded


@contextlib.contextmanager
def own_draws(*numbers: int, device: str = "cpu") -> Iterator[None]:
    """Take the lock and seed torch from `numbers`, so that draws inside are a pure function of them."""
    with torch_lock:
        seed_torch(*numbers, device=device)
        yield
