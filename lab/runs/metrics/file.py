"""The file `metrics.sqlite` of a run: its tables, its blocks and its version, for the writer and the reader.

Values are float64: float32 and float64 measurements and counts below 2^53 are restored bit for bit. A series is a list
of blocks of 4,096 points, each one blob with its minimum, maximum, first and last value, and an open tail of rows
(step, value); a full tail becomes a block in the transaction that fills it. Evenly spaced steps, the usual case, are
not stored. A NaN is NULL in rows and columns and itself inside a block; minima and maxima ignore NaNs.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import sqlite3
import stat
from pathlib import Path
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from lab.base.files.reading import read_bytes
from lab.base.problems import LabError

FORMAT = 1  # PRAGMA user_version
BLOCK = 4096  # points
BUSY = 5.0  # seconds a connection waits for the lock of another
DTYPE = "float64"
LONGEST_PATH = 504  # bytes; file systems allow more
BLOCKS = 2**14
"""Most blocks of a series: 67 million points."""
MOST_SERIES = 10_000
LONGEST_NAME = 1000  # characters of the name of a series, and of its unit

_NAMES_ANOTHER = bytes.fromhex("d9d505f920a163d7")
"""The end of a journal that names another one (https://www.sqlite.org/fileformat.html, "The Rollback Journal")."""

_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 2**18,  # bytes of a row: a block has two blobs of 32 KiB
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 2**14,
    sqlite3.SQLITE_LIMIT_COLUMN: 32,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 64,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 4,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
}
_OPENING = 1_000, 5
"""Instructions of SQLite's machine in a piece of work, and how many pieces it takes at most to open a file.

SQLite parses all tables of a file before it reads the first one; those of SCHEMA take some hundred instructions."""
_READING = 1_000_000, 2_000
"""The same for what is read: a piece takes milliseconds, the summaries of BLOCKS blocks of a series a few pieces."""

SCHEMA = (
    "CREATE TABLE series (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, unit TEXT NOT NULL, dtype TEXT NOT NULL)",
    # Figures precede the blobs, so a summary reads the first page of a row and none of its values.
    "CREATE TABLE block (series INTEGER NOT NULL, count INTEGER NOT NULL,"
    " first_step INTEGER NOT NULL, last_step INTEGER NOT NULL, minimum REAL, maximum REAL, first REAL, last REAL,"
    " step_blob BLOB, value_blob BLOB NOT NULL, PRIMARY KEY (series, first_step))",
    # No type for value: a column of reals would store -0.0 as the integer 0.
    "CREATE TABLE tail (series INTEGER NOT NULL, step INTEGER NOT NULL, value,"
    " PRIMARY KEY (series, step)) WITHOUT ROWID",
)

Steps = NDArray[np.int64]
Values = NDArray[np.float64]


def connect(path: Path, options: str) -> sqlite3.Connection:
    """Return a connection with explicit transactions, usable from any one thread at a time.

    Until `check_format` has seen the tables, it only works as much as that takes.

    Args:
        path: The file.
        options: Options of SQLite's URI ("mode=ro").

    Raises:
        LabError: The path is longer than SQLite allows.
    """
    name = path.absolute().as_posix()
    uri = f"file://{'' if name.startswith('/') else '/'}{quote(os.fsencode(name))}?{options}"
    try:
        db = sqlite3.connect(uri, timeout=BUSY, isolation_level=None, check_same_thread=False, uri=True)
    except sqlite3.OperationalError:
        size = len(os.fsencode(name))
        if os.name != "posix" or size <= LONGEST_PATH:
            raise
    else:
        for category, most in _LIMITS.items():
            db.setlimit(category, most)
        _bound(db, *_OPENING)
        return db
    what = f"the path of {path.name} is {size} bytes long, and SQLite allows {LONGEST_PATH}"
    raise LabError(what, field="run", value=path.parent.name, remedy="Move the run to a folder with a shorter path")


def check_journals(path: Path) -> None:
    """Refuse a log or journal that would have SQLite wait for ever, or change or delete files elsewhere.

    A journal names another file if its transaction changed several databases, which those of the lab never do; when
    SQLite rolls such a journal back, it deletes that file.

    Args:
        path: The file of metrics.

    Raises:
        LabError: The log or journal is a link, not a regular file, names another file, or cannot be read.
    """
    for journal in (path.with_name(path.name + ending) for ending in ("-journal", "-wal")):
        try:
            about = journal.lstat()
            if not stat.S_ISREG(about.st_mode):
                why = "is a link, or not a regular file"
            elif read_bytes(journal, start=max(about.st_size - len(_NAMES_ANOTHER), 0)) == _NAMES_ANOTHER:
                why = "names other files, as no journal of the lab does"
            else:
                continue
        except FileNotFoundError:
            continue
        except (OSError, ValueError) as error:
            why = f"cannot be read: {error}"
        remedy = "Do not use this run, unless you know who made it"
        raise LabError(f"{journal.name} {why}", field="run", value=path.parent.name, remedy=remedy)


def check_format(db: sqlite3.Connection, path: Path) -> bool:
    """Return True if the file holds metrics, False if it is new and empty; from then on, work is unbounded.

    Raises:
        LabError: The file is newer than this lab, or its tables are not exactly those of SCHEMA: generated columns,
            views and triggers would be code.
    """
    (version,) = db.execute("PRAGMA user_version").fetchone()
    run = path.parent.name
    if version > FORMAT:
        why = f"{path.name} has format {version}, and this lab reads formats up to {FORMAT}"
        raise LabError(why, field="run", value=run, remedy="Open the run with a newer version of the lab")
    own = _own_schema()
    found = _schema(db, len(own) + 1)
    if found != (own if version == FORMAT else frozenset()):
        raise LabError(
            f"{path.name} does not hold the metrics of a run", field="run", value=run, remedy="Restore it from a copy"
        )
    db.set_progress_handler(None, 0)
    return bool(found)


def bound_work(db: sqlite3.Connection) -> None:
    """Interrupt what is read from a file after more work than any run's metrics need; it raises OperationalError."""
    _bound(db, *_READING)


def _bound(db: sqlite3.Connection, piece: int, most: int) -> None:
    done = itertools.count()
    db.set_progress_handler(lambda: next(done) >= most, piece)


@functools.cache
def _own_schema() -> frozenset[tuple[str | None, ...]]:
    with contextlib.closing(sqlite3.connect(":memory:")) as db:
        for table in SCHEMA:
            db.execute(table)
        return _schema(db, -1)


def _schema(db: sqlite3.Connection, limit: int) -> frozenset[tuple[str | None, ...]]:
    return frozenset(db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master LIMIT ?", (limit,)))


def pack_steps(steps: Steps) -> bytes | None:
    """Return the steps of a block as little-endian int64; None if they are evenly spaced."""
    even = np.array_equal(steps, _even_steps(int(steps[0]), int(steps[-1]), len(steps)))
    return None if even else steps.astype("<i8").tobytes()


def unpack(count: int, first: int, last: int, step_blob: bytes | None, value_blob: bytes) -> tuple[Steps, Values]:
    """Return steps and values of a block, from its columns.

    Raises:
        ValueError: The columns contradict one another.
    """
    values = np.frombuffer(value_blob, "<f8")
    if len(values) != count or not count:
        raise ValueError("a block does not have its stated length")
    steps = _even_steps(first, last, count) if step_blob is None else np.frombuffer(step_blob, "<i8")
    if len(steps) != count or (steps[0], steps[-1]) != (first, last):
        raise ValueError("a block does not have its stated steps")
    return steps, values


def read_tail(db: sqlite3.Connection, series: int, first: int = -(2**63)) -> tuple[Steps, Values]:
    """Return the steps and values of a series from a step on that are in no block yet.

    Raises:
        ValueError: There are more than fit into a block, or values that are no numbers.
    """
    query = f"SELECT step, value FROM tail WHERE series=? AND step >= ? ORDER BY step LIMIT {BLOCK + 1}"
    rows = db.execute(query, (series, first)).fetchall()
    if len(rows) > BLOCK:
        raise ValueError("a series has a longer tail than a block")
    steps = np.fromiter((step for step, _ in rows), "<i8", len(rows))
    return steps, np.fromiter((np.nan if value is None else value for _, value in rows), "<f8", len(rows))


def _even_steps(first: int, last: int, count: int) -> Steps:
    """Return `count` steps from `first`, with the integer spacing that ends at `last` if there is one."""
    return first + np.arange(count, dtype=np.int64) * ((last - first) // max(count - 1, 1))
