"""A run as one wide table, a row for each step: CSV and Parquet files, written part by part."""

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
from lab.runs.metrics.clocks import CLOCKS, flops_per_token

ROWS = 1 << 16
"""Rows that are in memory at once."""
FIRST = {"step" if clock == "steps" else clock: unit for clock, unit in CLOCKS.items()}
"""The columns that stand first, and their units."""


class Column(NamedTuple):
    """One column of some rows.

    Args:
        values: (N,) numbers; of no meaning where there is none.
        empty: (N,) whether there is none.
    """

    values: NDArray[Any]
    empty: NDArray[np.bool_]


class RunTable:
    """Every series of a run as a column beside step, tokens, seconds and FLOPs; empty where it has no value at a step.

    Tokens and seconds are the run's own series of these names; FLOPs are the tokens times what one of them takes,
    unless the run has a series of that name too. At step 0 all of them are 0. A run may be written to meanwhile: the
    table has the steps that there were when it was made.

    Args:
        run: The run.

    Raises:
        LabError: Its metrics are missing or damaged.

    Attributes:
        units: Unit of each column by its name, "" where there is none.
        whole: The columns of whole numbers; all others are float64.
        rows: How many rows it has.
    """

    def __init__(self, run: RunFolder) -> None:
        self._reader = run.metrics()
        known = self._reader.series()
        self._series = {(f"{name} (series)" if name == "step" else name): name for name in known}
        self.units = FIRST | {column: known[name].unit for column, name in self._series.items()}
        self.whole = {"step"}
        self._steps = np.empty(0, np.int64)
        for name in known:
            steps, values = self._reader.read(name)
            if not np.array_equal(steps, self._steps):
                self._steps = np.union1d(self._steps, steps)
            if name == "tokens" and np.array_equal(values, np.trunc(values)):
                self.whole.add(name)
        self.rows = len(self._steps)
        self._per_token = flops_per_token(run.facts)

    def parts(self) -> Iterator[dict[str, Column]]:
        """The columns by name, in the order of `units`, in parts of at most ROWS rows.

        Raises:
            LabError: The metrics became unreadable.
        """
        for begin in range(0, self.rows, ROWS):
            yield self._part(self._steps[begin : begin + ROWS])

    def _part(self, steps: NDArray[np.int64]) -> dict[str, Column]:
        nothing = Column(np.zeros(len(steps)), np.ones(len(steps), bool))
        found = {column: self._column(name, steps) for column, name in self._series.items()}
        found["step"] = Column(steps, steps != steps)
        for clock in ("tokens", "seconds"):
            told = found.get(clock, nothing)
            found[clock] = Column(told.values, told.empty & (steps != 0))
        if "FLOPs" not in found:
            tokens, per_token = found["tokens"], self._per_token
            found["FLOPs"] = nothing if per_token is None else Column(tokens.values * per_token, tokens.empty)
        for name in self.whole:
            found[name] = Column(found[name].values.astype(np.int64), found[name].empty)
        return {name: found[name] for name in self.units}

    def _column(self, name: str, steps: NDArray[np.int64]) -> Column:
        at, values = self._reader.read(name, int(steps[0]), int(steps[-1]))
        places = np.searchsorted(steps, at)
        meant = steps[places] == at  # and not one that came since the table was made
        column = Column(np.zeros(len(steps)), np.ones(len(steps), bool))
        column.values[places[meant]] = values[meant]
        column.empty[places[meant]] = False
        return column


def write_csv(run: RunFolder, file: Path, tick: Callable[[float], None]) -> None:
    """Writes the table of a run as CSV: UTF-8, names of columns in the first line, empty cells where there is no value.

    Numbers are written so that reading them gives the same ones; nan, inf and -inf are values.

    Args:
        run: The run.
        file: Made anew.
        tick: Called with the share that is done, now and then.

    Raises:
        LabError: The metrics are missing or damaged.
        OSError: The file cannot be written.
    """
    table = RunTable(run)
    done = 0
    with file.open("w", encoding="utf-8", errors="backslashreplace", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(table.units)
        for part in table.parts():
            writer.writerows(zip(*map(_cells, part.values()), strict=True))
            done += len(part["step"].values)
            tick(done / table.rows)


def _cells(column: Column) -> list[Any]:
    """Numbers, of which csv writes the repr, and "" where there is none."""
    cells: list[Any] = column.values.tolist()
    for place in np.flatnonzero(column.empty).tolist():
        cells[place] = ""
    return cells


def write_parquet(run: RunFolder, file: Path, tick: Callable[[float], None]) -> None:
    """Writes the table of a run as Parquet, with nulls where there is no value.

    The metadata of each field has its "unit"; those of the schema have "lm-lab": JSON with the run's name and id and
    the units of all columns.

    Args:
        run: The run.
        file: Made anew.
        tick: Called with the share that is done, now and then.

    Raises:
        BadInput: pyarrow is not installed.
        LabError: The metrics are missing or damaged.
        OSError: The file cannot be written.
    """
    arrow = need("pyarrow", "exports", "A Parquet file")
    parquet = need("pyarrow.parquet", "exports", "A Parquet file")
    table = RunTable(run)
    kinds = {name: arrow.int64() if name in table.whole else arrow.float64() for name in table.units}
    fields = [arrow.field(name, kinds[name], metadata={"unit": unit}) for name, unit in table.units.items()]
    about = {"name": run.name, "id": run.id, "units": table.units}
    schema = arrow.schema(fields, metadata={"lm-lab": json.dumps(about)})
    done = 0
    with file.open("wb") as out, parquet.ParquetWriter(out, schema) as writer:
        for part in table.parts():
            arrays = [arrow.array(column.values, mask=column.empty) for column in part.values()]
            writer.write_table(arrow.table(arrays, schema=schema))
            done += len(part["step"].values)
            tick(done / table.rows)
