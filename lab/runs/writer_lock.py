"""The lock that lets one process at a time write a run."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from lab.base.files.reading import read_text
from lab.base.files.writing import write_file, writing_problem
from lab.base.problems import BadInput, LabError, Problem

if TYPE_CHECKING:
    from filelock import BaseFileLock

NAME = ".writer.lock"
NUMBER = ".writer.pid"
"""Name of the file with the id of the locking process, which status.json names only after training starts."""


def written_by(writer: str, run: str) -> Problem:
    """Return the problem of a second writer."""
    remedy = "Stop it there first, or wait until it ends"
    return Problem(f"this run is being written by {writer}", field="run", value=run, remedy=remedy)


class WriterLock:
    """A lock held by the process that writes a run; excludes other processes and a second writer in this process.

    Args:
        run: The run's folder.
        writer: The presumed writer, for the message if the lock does not name its process.

    Raises:
        BadInput: Another writer holds the lock.
        LabError: The folder cannot be written to.
    """

    def __init__(self, run: Path, writer: str) -> None:
        from filelock import FileLock, Timeout  # imported late: the window opens sooner

        self._file, self._number = run / NAME, run / NUMBER
        self._lock: BaseFileLock | None = FileLock(self._file, timeout=0, thread_local=False)
        try:
            self._lock.acquire()
        except Timeout:
            with contextlib.suppress(OSError, ValueError):
                writer = f"process {int(read_text(self._number))}"
            raise BadInput(written_by(writer, run.name)) from None
        except OSError as error:
            raise LabError(writing_problem(error, self._file)) from None
        except NotImplementedError:  # a drive without locks: status.json, which names the writer, must suffice
            self._lock = None
        with contextlib.suppress(LabError):
            write_file(self._number, str(os.getpid()))

    @property
    def is_sure(self) -> bool:
        """True if the lock excludes others; some network drives have no locks."""
        return self._lock is not None

    def release(self) -> None:
        """Release the lock; a second call does nothing."""
        if self._lock is not None:
            with contextlib.suppress(OSError):
                self._number.unlink()
            with contextlib.suppress(OSError):
                self._file.unlink()  # while held: a file left behind would lock out later writers
            self._lock.release()
            self._lock = None
