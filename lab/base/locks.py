"""Locks of files: what at most one thread of one process does at a time."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from lab.base.problems import LabError
from lab.base.writing import writing_problem

_PATIENCE = 0.05  # seconds between two tries


@contextlib.contextmanager
def alone(file: Path, taken: Callable[[], None]) -> Iterator[None]:
    """Inside, no other thread or process is inside with the same file; on a drive that knows no locks some may be.

    Args:
        file: Made for this alone; its folder is there.
        taken: Called again and again while another is inside; it raises where that is not waited for any more.

    Raises:
        LabError: The file cannot be written.
    """
    from filelock import FileLock, Timeout  # late: the window opens sooner without

    lock = FileLock(file, timeout=0, thread_local=False)
    while True:
        try:
            lock.acquire()
        except Timeout:
            taken()
            time.sleep(_PATIENCE)
        except OSError as error:
            raise LabError(writing_problem(error, file)) from None
        except NotImplementedError:  # a drive without locks
            break
        else:
            break
    try:
        yield
    finally:
        lock.release()
