"""File locks, which at most one thread of one process holds at a time."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from lab.base.files.writing import writing_problem
from lab.base.problems import LabError

_PATIENCE = 0.05  # seconds between two tries


@contextlib.contextmanager
def file_lock(file: Path, waiting: Callable[[], None]) -> Iterator[None]:
    """Hold a file lock that excludes all other threads and processes, except on a drive without file locks.

    Args:
        file: The lock file, used for nothing else; its folder exists.
        waiting: Called repeatedly while another holds the lock; it raises to stop waiting.

    Raises:
        LabError: The file cannot be written.
    """
    from filelock import FileLock, Timeout  # late: the window opens sooner without it

    lock = FileLock(file, timeout=0, thread_local=False)
    while True:
        try:
            lock.acquire()
        except Timeout:
            waiting()
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
