"""A run as one wide table with a row for each step: CSV and Parquet files, written in chunks."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lab.base.extras import need
from lab.runs import RunFolder
from lab.runs.metrics.clocks import flops_per_token

ROWS = 1 << 16
"""The number of rows in memory at a time."""
FIRST = {"step": "steps", "tokens": "tokens", "seconds": "s", "FLOPs": "FLOPs"}
"""The first columns, and their units; epochs and power are series like others, which not every run has."""


class Column(NamedTuple):
    """One column of a chunk of rows.

    Args:
        values: (N,) numbers; meaningless where the cell is empty.
        empty: (N,) True where there is no value.
    """

    values: NDArray[Any]
    empty: NDArray[np.bool_]


class RunTable:
    """The table of a run: step, tokens, seconds and FLOPs, then every series; empty at steps without a value.

    Tokens and seconds are the run's own series of these names. FLOPs are tokens times FLOPs per token, unless the run
    has a series of that name, too. At step 0 all of them are 0. The run may still be training: the table has the steps
    that existed when it was made.

    Args:
        run: The run.

    Raises:
        LabError: Its metrics are missing or damaged.

    Attributes:
        units: Unit of each column by name, "" for none.
        integers: The columns of whole numbers; all others are float64.
        rows: Number of rows.
    """

    def __init__(self, run: RunFolder) -> None:
        self._reader = run.metrics()
        known = self._reader.series()
        self._series = {(f"{name} (series)" if name == "step" else name): name for name in known}
        self.units = FIRST | {column: known[name].unit for column, name in self._series.items()}
        self.integers = {"step"}
        self._steps = np.empty(0, np.int64)
        for name in known:
            steps, values = self._reader.read(name)
            if not np.array_equal(steps, self._steps):
                self._steps = np.union1d(self._steps, steps)
            if name == "tokens" and np.array_equal(values, np.trunc(values)):
                self.integers.add(name)
        self.rows = len(self._steps)
        self._per_token = flops_per_token(run.facts)

    def chunks(self) -> Iterator[dict[str, Column]]:
        """Yield the columns by name, in the order of `units`, in chunks of at most ROWS rows.

        Raises:
            LabError: The metrics became unreadable.
        """
        for begin in range(0, self.rows, ROWS):
            yield self._chunk(self._steps[begin : begin + ROWS])

    def _chunk(self, steps: NDArray[np.int64]) -> dict[str, Column]:
        nothing = Column(np.zeros(len(steps)), np.ones(len(steps), bool))
        found = {column: self._column(name, steps) for column, name in self._series.items()}
        found["step"] = Column(steps, steps != steps)
        for clock in ("tokens", "epochs", "seconds"):
            column = found.get(clock, nothing)
            found[clock] = Column(column.values, column.empty & (steps != 0))
        if "FLOPs" not in found:
            tokens, per_token = found["tokens"], self._per_token
            found["FLOPs"] = nothing if per_token is None else Column(tokens.values * per_token, tokens.empty)
        for name in self.integers:
            found[name] = Column(found[name].values.astype(np.int64), found[name].empty)
        return {name: found[name] for name in self.units}

    def _column(self, name: str, steps: NDArray[np.int64]) -> Column:
        at, values = self._reader.read(name, int(steps[0]), int(steps[-1]))
        rows = np.searchsorted(steps, at)
        present = steps[rows] == at  # without steps added since the table was made
        column = Column(np.zeros(len(steps)), np.ones(len(steps), bool))
        column.values[rows[present]] = values[present]
        column.empty[rows[present]] = False
        return column


def write_csv(run: RunFolder, file: Path, tick: Callable[[float], None]) -> None:
    """Write the table of a run as CSV: UTF-8, column names in the first line, empty cells where there is no value.

    Numbers are written exactly; nan, inf and -inf are values.

    Args:
        run: The run.
        file: The file to create.
        tick: Called regularly with the share that is done.

    Raises:
        LabError: The metrics are missing or damaged.
        OSError: The file cannot be written.
    """
    table = RunTable(run)
    done = 0
    with file.open("w", encoding="utf-8", errors="backslashreplace", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(table.units)
        for chunk in table.chunks():
            writer.writerows(zip(*map(_cells, chunk.values()), strict=True))
            done += len(chunk["step"].values)
            tick(done / table.rows)


def _cells(column: Column) -> list[Any]:
    """Return the numbers, which csv writes by repr, and "" for empty cells."""
    cells: list[Any] = column.values.tolist()
    for row in np.flatnonzero(column.empty).tolist():
        cells[row] = ""
    return cells


def write_parquet(run: RunFolder, file: Path, tick: Callable[[float], None]) -> None:
    """Write the table of a run as Parquet, with nulls where there is no value.

    The metadata of each field contain its "unit"; those of the schema contain "lm-lab": JSON with the name and id of
    the run and the units of all columns.

    Args:
        run: The run.
        file: The file to create.
        tick: Called regularly with the share that is done.

    Raises:
        BadInput: pyarrow is not installed.
        LabError: The metrics are missing or damaged.
        OSError: The file cannot be written.
    """
    arrow = need("pyarrow", "exports", "A Parquet file")
    parquet = need("pyarrow.parquet", "exports", "A Parquet file")
    table = RunTable(run)
    kinds = {name: arrow.int64() if name in table.integers else arrow.float64() for name in table.units}
    fields = [arrow.field(name, kinds[name], metadata={"unit": unit}) for name, unit in table.units.items()]
    about = {"name": run.name, "id": run.id, "units": table.units}
    schema = arrow.schema(fields, metadata={"lm-lab": json.dumps(about)})
    done = 0
    with file.open("wb") as out, parquet.ParquetWriter(out, schema) as writer:
        for chunk in table.chunks():
            arrays = [arrow.array(column.values, mask=column.empty) for column in chunk.values()]
            writer.write_table(arrow.table(arrays, schema=schema))
            done += len(chunk["step"].values)
            tick(done / table.rows)
