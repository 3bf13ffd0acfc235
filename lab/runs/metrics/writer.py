"""The writer of a run's metrics: thousands of points in one transaction, about once a second."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import sqlite3
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np

from lab.base.files.writing import writing_problem
from lab.base.notices import notify
from lab.base.problems import LabError, Problem
from lab.runs.metrics.file import (
    BLOCK,
    BUSY,
    DTYPE,
    FORMAT,
    SCHEMA,
    check_format,
    check_journals,
    connect,
    pack_steps,
    read_tail,
    unpack,
)

NO_SPACE = 2**20  # a disk with less free bytes counts as full
_ERRNO = {
    sqlite3.SQLITE_FULL: errno.ENOSPC,
    sqlite3.SQLITE_IOERR: errno.EIO,
    sqlite3.SQLITE_READONLY: errno.EACCES,
    sqlite3.SQLITE_PERM: errno.EACCES,
    sqlite3.SQLITE_CANTOPEN: errno.EACCES,
}


class MetricWriter:
    """A writer of the series of one run; one writer per file, used by one thread at a time.

    Args:
        path: The file, created if missing.

    Raises:
        LabError: The file cannot be created or written, is damaged, or is newer than this lab.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._ids: dict[str, int] = {}
        self._ends: dict[int, tuple[int, int | None]] = {}  # id -> points in the tail, last step
        check_journals(path)
        with _errors_as_problems(path):
            self._db = connect(path, "mode=rwc")
        try:
            with _errors_as_problems(path):
                _start_log(self._db, path)
            with self._transaction():
                if not check_format(self._db, path):
                    for table in SCHEMA:
                        self._db.execute(table)
                self._db.execute(f"PRAGMA user_version={FORMAT}")  # also fails at once if the file is read-only
                self._read_series()
        except BaseException:
            self._db.close()
            raise

    def add_series(self, name: str, unit: str = "") -> None:
        """Add a series, or set the unit of an existing one.

        Raises:
            LabError: It could not be written.
        """
        with self._transaction():
            self._db.execute(
                "INSERT INTO series (name, unit, dtype) VALUES (?, ?, ?)"
                " ON CONFLICT (name) DO UPDATE SET unit=excluded.unit",
                (name, unit, DTYPE),
            )
        self._read_series()

    def append(self, rows: Iterable[tuple[int, str, float]]) -> None:
        """Append points, all or none, in one transaction, which survives a killed process.

        Args:
            rows: (step, name of the series, value); the steps of a series increase.

        Raises:
            LabError: They could not be written (a full disk); nothing has changed, so they may be appended again.
            ValueError: A step is not larger than the last step of its series; nothing was written.
            OverflowError: A step has more than 64 bits; nothing was written.
        """
        batches: dict[int, tuple[list[int], list[float]]] = {}
        for step, name, value in rows:
            if name not in self._ids:
                self.add_series(name)
            steps, values = batches.setdefault(self._ids[name], ([], []))
            steps.append(int(step))
            values.append(float(value))
        for series, (steps, _) in batches.items():
            self._check_increasing(series, steps)
        with self._transaction():
            ends = {series: (self._extend(series, *batch), batch[0][-1]) for series, batch in batches.items()}
        self._ends.update(ends)

    def truncate_after(self, step: int) -> None:
        """Remove every point after `step`, so that a run resumed there can write them again.

        Raises:
            LabError: It could not be written; nothing was removed.
        """
        with self._transaction():
            self._db.execute("DELETE FROM tail WHERE step > ?", (step,))
            cut = self._db.execute(
                "SELECT series, count, first_step, last_step, step_blob, value_blob FROM block"
                " WHERE first_step <= ? AND last_step > ?",
                (step, step),
            ).fetchall()
            self._db.execute("DELETE FROM block WHERE last_step > ?", (step,))
            for series, *columns in cut:
                steps, values = unpack(*columns)
                stays = steps <= step
                self._put_tail(series, steps[stays].tolist(), values[stays].tolist())
        self._read_series()

    def last_steps(self) -> dict[str, int]:
        """Return the last step of each series that has a point, by name."""
        ends = {name: self._ends[series][1] for name, series in self._ids.items()}
        return {name: last for name, last in ends.items() if last is not None}

    def sync(self) -> None:
        """Flush appended points to disk, so that they survive a power cut.

        Raises:
            LabError: It could not be written.
        """
        with _errors_as_problems(self._path):
            self._db.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def close(self) -> None:
        """Close the file, which is then complete without a log. A second call does nothing."""
        try:
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            _journal_mode(self._db, "DELETE")
            self._db.close()
            _sweep_empty_log(self._path)
        except sqlite3.ProgrammingError:  # closed before
            return
        except sqlite3.Error as error:  # nothing is lost: the log has the rest
            notify("warning", Problem(f"{self._path.name} still needs its log file: {error}", field="run"))
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        with _errors_as_problems(self._path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:  # False after SQLite itself rolled back, on a full disk
                    self._db.execute("ROLLBACK")
                raise

    def _read_series(self) -> None:
        """Read the names of the series and their last steps."""
        rows = self._db.execute(
            "SELECT name, id, (SELECT count(*) FROM tail WHERE series=id),"
            " coalesce((SELECT max(step) FROM tail WHERE series=id),"
            " (SELECT max(last_step) FROM block WHERE series=id)) FROM series"
        ).fetchall()
        self._ids = {name: series for name, series, _, _ in rows}
        self._ends = {series: (waiting, last) for _, series, waiting, last in rows}

    def _check_increasing(self, series: int, steps: list[int]) -> None:
        last = self._ends[series][1]
        for step in steps:
            if last is not None and step <= last:
                name = next(name for name, known in self._ids.items() if known == series)
                raise ValueError(f"the steps of a series must increase, but {name!r} got step {step} after {last}")
            last = step

    def _extend(self, series: int, steps: list[int], values: list[float]) -> int:
        """Append points to one series. Return the number of points in its tail."""
        waiting = self._ends[series][0]
        if waiting + len(steps) >= BLOCK:
            old_steps, old_values = read_tail(self._db, series)
            steps, values = [*old_steps.tolist(), *steps], [*old_values.tolist(), *values]
            self._db.execute("DELETE FROM tail WHERE series=?", (series,))
            waiting = 0
            full = len(steps) - len(steps) % BLOCK
            for start in range(0, full, BLOCK):
                self._put_block(series, steps[start : start + BLOCK], values[start : start + BLOCK])
            steps, values = steps[full:], values[full:]
        self._put_tail(series, steps, values)
        return waiting + len(steps)

    def _put_tail(self, series: int, steps: list[int], values: list[float]) -> None:
        rows = ((series, step, value) for step, value in zip(steps, values, strict=True))
        self._db.executemany("INSERT INTO tail VALUES (?, ?, ?)", rows)

    def _put_block(self, series: int, steps: list[int], values: list[float]) -> None:
        array = np.array(values, "<f8")
        least, largest = float(np.fmin.reduce(array)), float(np.fmax.reduce(array))
        key = (series, len(steps), steps[0], steps[-1])
        figures = (least, largest, values[0], values[-1])
        blobs = (pack_steps(np.array(steps, np.int64)), array.tobytes())
        self._db.execute("INSERT INTO block VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (*key, *figures, *blobs))


@contextlib.contextmanager
def _errors_as_problems(path: Path) -> Iterator[None]:
    """Turn SQLite's errors in writing `path` into LabErrors."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", None)
        if code is None:  # a bug
            raise
        refusal = _ERRNO.get(code & 0xFF)
        if refusal is not None:
            if not path.parent.is_dir():
                refusal = errno.ENOENT
            elif refusal == errno.EIO and shutil.disk_usage(path.parent).free < NO_SPACE:  # no room for the log's index
                refusal = errno.ENOSPC
            raise LabError(writing_problem(OSError(refusal, f"{os.strerror(refusal)} ({error})"), path)) from None
        if code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            remedy = "Close the other program that has this run open for writing"
        else:
            remedy = "Restore this file from a copy; the rest of the run does not need it"
        what = f"cannot write {path.name}: {error}"
        raise LabError(what, field="run", value=path.parent.name, remedy=remedy) from None


def _start_log(db: sqlite3.Connection, path: Path) -> None:
    """Switch to a write-ahead log, so that readers and the writer never wait; some network drives do not allow one."""
    try:
        mode = _journal_mode(db, "WAL")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_BUSY):
            raise
        mode = str(error)
        _journal_mode(db, "DELETE")
    if mode == "wal":
        db.execute("PRAGMA synchronous=NORMAL")  # a power cut may lose the last transactions, never the file
    else:
        what = f"this drive does not allow a write-ahead log for {path.name} ({mode})"
        notify(
            "info",
            Problem(what, field="run", remedy="Metrics are recorded all the same; reading them may wait briefly"),
        )


def _sweep_empty_log(path: Path) -> None:
    """Remove the empty log that a simultaneous reader may leave behind; SQLite ignores it but does not remove it."""
    log, index = (path.with_name(path.name + ending) for ending in ("-wal", "-shm"))
    if log.exists():
        with contextlib.closing(connect(path, "mode=rw")) as db, contextlib.suppress(OSError):
            db.execute("BEGIN EXCLUSIVE")  # fails while another process reads
            if log.stat().st_size == 0:
                log.unlink()
                index.unlink(missing_ok=True)


def _journal_mode(db: sqlite3.Connection, mode: str) -> str:
    """Set a journal mode, waiting for readers, which the pragma itself does not do. Return the mode in effect."""
    until = time.monotonic() + BUSY
    while True:
        try:
            return str(db.execute(f"PRAGMA journal_mode={mode}").fetchone()[0])
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.02)
