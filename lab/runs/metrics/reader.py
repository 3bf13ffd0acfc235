"""The reader of a run's metrics: works during writing, after a killed writer, and on read-only media."""

from __future__ import annotations

import contextlib
import difflib
import errno
import itertools
import math
import os
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from lab.base.notices import notify
from lab.base.problems import BadInput, LabError, Problem
from lab.runs.metrics.file import (
    BLOCKS,
    DTYPE,
    LONGEST_NAME,
    MOST_SERIES,
    Steps,
    Values,
    bound_work,
    check_format,
    check_journals,
    connect,
    read_tail,
    unpack,
)

_SUMMARY = """
SELECT count, first_step, last_step, minimum, maximum, first, last FROM block WHERE series=:series
UNION ALL
SELECT count(*), min(step), max(step), min(value), max(value),
  (SELECT value FROM tail WHERE series=:series ORDER BY step LIMIT 1),
  (SELECT value FROM tail WHERE series=:series ORDER BY step DESC LIMIT 1)
FROM tail WHERE series=:series GROUP BY series
ORDER BY first_step
"""


@dataclass(frozen=True)
class SeriesInfo:
    """A summary of a series.

    Args:
        name: Its name ("train/loss").
        unit: The unit of its values; "" without one.
        count: The number of its points.
        first_step: Its first step; None without points.
        last_step: Its last step; None without points.
        minimum: The smallest value that is not NaN; NaN without one.
        maximum: The largest value that is not NaN; NaN without one.
        first: The value at the first step; NaN without one.
        last: The value at the last step; NaN without one.
    """

    name: str
    unit: str
    count: int = 0
    first_step: int | None = None
    last_step: int | None = None
    minimum: float = math.nan
    maximum: float = math.nan
    first: float = math.nan
    last: float = math.nan


class MetricReader:
    """A reader of the series of one run. Every call opens the file again: nothing to close, and writers never wait.

    All calls raise LabError, with a problem that names the file, if it is missing, damaged or newer than this lab.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._log_reported = False

    def series(self) -> dict[str, SeriesInfo]:
        """Return all series by name, in the order in which they were added; reads no values."""
        with self._opened() as db:
            return {name: _info(db, series, name, unit) for series, name, unit, _ in _listed(db)}

    def summary(self, name: str) -> SeriesInfo:
        """Return the summary of one series; reads no values.

        Raises:
            BadInput: There is no such series; the problem lists similar names.
        """
        with self._opened() as db:
            series, unit = self._find(db, name)
            return _info(db, series, name, unit)

    def step_of(self, name: str, value: float) -> int | None:
        """Return the first step at which a series has this value; only blocks that may hold it are read.

        Raises:
            BadInput: There is no such series; the problem lists similar names.
        """
        with self._opened() as db:
            series, _ = self._find(db, name)
            blocks = db.execute(
                "SELECT count, first_step, last_step, step_blob, value_blob FROM block"
                " WHERE series=:series AND minimum <= :value AND maximum >= :value ORDER BY first_step",
                {"series": series, "value": value},
            )
            for steps, values in itertools.chain((unpack(*columns) for columns in blocks), [read_tail(db, series)]):
                found = np.flatnonzero(values == value)
                if len(found):
                    return int(steps[found[0]])
        return None

    def read(self, name: str, first: int | None = None, last: int | None = None) -> tuple[Steps, Values]:
        """Return steps and values of a series, in order: (N,) int64 and (N,) float64.

        Args:
            name: The series.
            first: The first step; None for no limit.
            last: The last step; None for no limit.

        Raises:
            BadInput: There is no such series; the problem lists similar names.
        """
        low, high = -(2**63) if first is None else first, 2**63 - 1 if last is None else last
        with self._opened() as db:
            series, _ = self._find(db, name)
            return _points(db, series, low, high)

    def read_after(self, ends: Mapping[str, int], otherwise: int | None = None) -> dict[str, tuple[str, Steps, Values]]:
        """Return the new points of every series, read in one transaction: unit, steps and values as in `read`.

        Args:
            ends: The last known step of each series, by name.
            otherwise: The last known step of the other series; None returns all their points.
        """
        known = -(2**63) - 1 if otherwise is None else otherwise
        with self._opened() as db:
            return {
                name: (unit, *_points(db, series, ends.get(name, known) + 1, 2**63 - 1))
                for series, name, unit, dtype in _listed(db)
                if dtype == DTYPE
            }

    def copy_to(self, path: Path) -> None:
        """Write a consistent copy as one complete file that needs no log.

        Args:
            path: A new file.

        Raises:
            OSError: The disk is full.
        """
        with self._opened() as db, contextlib.closing(connect(path, "mode=rwc")) as copy:
            try:
                copy.execute("PRAGMA synchronous=OFF")  # the caller syncs it if it must survive a power cut
                db.backup(copy)
                copy.execute("PRAGMA journal_mode=DELETE")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_FULL:
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from None
                raise

    def _find(self, db: sqlite3.Connection, name: str) -> tuple[int, str]:
        row = db.execute("SELECT id, unit, dtype FROM series WHERE name=?", (name,)).fetchone()
        if row is None:
            names = [known for _, known, _, _ in _listed(db)]
            near = difflib.get_close_matches(name, names, n=5, cutoff=0.4) or names[:20]
            raise BadInput("this run has no such series", field="series", value=name, allowed=", ".join(near) or None)
        series, unit, dtype = row
        if dtype != DTYPE:
            raise ValueError(f"the series {name!r} holds {dtype}, but this lab reads {DTYPE}")
        return series, unit

    @contextlib.contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        """Open the file in one transaction, so that all reads are consistent."""
        try:
            if not self._path.is_file():
                raise LabError(self._unreadable("it is missing"))
        except OSError as error:  # a folder without permission
            raise LabError(self._unreadable(error.strerror or error)) from None
        check_journals(self._path)
        try:
            with contextlib.closing(self._connect()) as db:
                db.execute("PRAGMA trusted_schema=OFF")
                db.execute("BEGIN")
                if not check_format(db, self._path):
                    raise LabError(self._unreadable("it is empty"))
                bound_work(db)
                yield db
        except (sqlite3.Error, ValueError, TypeError, OverflowError) as error:
            raise LabError(self._unreadable(error)) from None

    def _connect(self) -> sqlite3.Connection:
        db = connect(self._path, "mode=ro")
        try:
            db.execute("SELECT 1 FROM sqlite_master")
        except sqlite3.OperationalError as error:
            db.close()
            if error.sqlite_errorcode == sqlite3.SQLITE_READONLY_ROLLBACK:
                return self._rolled_back()
            if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
                raise
        except BaseException:
            db.close()
            raise
        else:
            return db
        # Read-only media: the file has a log that is missing, or no room for the log's index.
        log = self._path.with_name(self._path.name + "-wal")
        if not self._log_reported and log.exists() and log.stat().st_size:
            self._log_reported = True
            what = f"the content of {log.name} cannot be read on this drive, and is left out"
            notify(
                "warning", Problem(what, field="run", value=self._path.parent.name, remedy="Copy the run to your disk")
            )
        return connect(self._path, "mode=ro&immutable=1")

    def _rolled_back(self) -> sqlite3.Connection:
        """Open the file and roll back what a killed writer left half written, on drives without a log."""
        db = connect(self._path, "mode=rw")
        try:
            db.execute("SELECT 1 FROM sqlite_master")
        except sqlite3.OperationalError:
            db.close()
            what = "a killed process left it half written, and that cannot be rolled back on this drive"
            raise LabError(replace(self._unreadable(what), remedy="Copy the run to your disk")) from None
        return db

    def _unreadable(self, why: object) -> Problem:
        return Problem(
            f"{self._path.name} cannot be read: {why}",
            field="run",
            value=self._path.parent.name,
            remedy="The rest of the run still opens; restore this file from a copy",
        )


def _listed(db: sqlite3.Connection) -> list[tuple[int, str, str, str]]:
    """Return id, name, unit and dtype of all series, in the order in which they were added."""
    found: list[tuple[int, str, str, str]] = []
    for row in db.execute("SELECT id, name, unit, dtype FROM series ORDER BY id"):  # one by one, to save memory
        is_proper = all(isinstance(text, str) and len(text) <= LONGEST_NAME for text in row[1:])
        if len(found) >= MOST_SERIES or not is_proper:
            raise ValueError(f"it has more than {MOST_SERIES:,} series, or one without a proper name")
        found.append(row)
    return found


def _info(db: sqlite3.Connection, series: int, name: str, unit: str) -> SeriesInfo:
    rows = db.execute(_SUMMARY, {"series": series}).fetchmany(BLOCKS + 2)
    if not rows:
        return SeriesInfo(name, unit)
    _check_blocks(len(rows) - 1)
    if not all(type(number) is int and number >= 0 for row in rows for number in row[:3]):
        raise ValueError(f"the series {name!r} has counts or steps that are not whole numbers from 0 on")
    counts, first_steps, last_steps, minima, maxima, firsts, lasts = zip(*rows, strict=True)
    return SeriesInfo(
        *(name, unit, sum(counts), first_steps[0], last_steps[-1]),
        minimum=min((_real(value) for value in minima if value is not None), default=math.nan),
        maximum=max((_real(value) for value in maxima if value is not None), default=math.nan),
        first=_real(firsts[0]),
        last=_real(lasts[-1]),
    )


def _points(db: sqlite3.Connection, series: int, low: int, high: int) -> tuple[Steps, Values]:
    where, bounds = "FROM block WHERE series=? AND last_step >= ? AND first_step <= ?", (series, low, high)
    tail_steps, tail_values = read_tail(db, series, low)
    measured = f"SELECT count(*), coalesce(sum(length(value_blob)), 0) {where}"
    blocks, size = db.execute(measured, bounds).fetchone()  # the actual size, not the count that a damaged file states
    _check_blocks(blocks)
    count = size // 8
    steps, values = np.empty(count + len(tail_steps), np.int64), np.empty(count + len(tail_values))
    steps[count:], values[count:] = tail_steps, tail_values
    rows = db.execute(f"SELECT count, first_step, last_step, step_blob, value_blob {where} ORDER BY first_step", bounds)
    start = 0
    for columns in rows:  # one by one, to save memory
        here = slice(start, start + columns[0])
        steps[here], values[here] = unpack(*columns)
        start = here.stop
    selected = slice(np.searchsorted(steps, low), np.searchsorted(steps, high, side="right"))
    return steps[selected], values[selected]


def _check_blocks(count: int) -> None:
    if count > BLOCKS:
        raise ValueError(f"a series has more than {BLOCKS:,} blocks")


def _real(value: float | None) -> float:
    return math.nan if value is None else float(value)
