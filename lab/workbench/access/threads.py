"""The threads in which torch computes for a question to a model."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator


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
