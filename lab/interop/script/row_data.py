"""The rows that an exported script reads, as arrays in one file; this is copied into the script of a run on rows."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from lab.api import scored_of
from lab.interop.script.loop import Plan
from lab.text.rows.columns import Columns, Ragged
from lab.text.rows.source import RowShape, RowSource, split_rows
from lab.training.evaluation import _windows

STARTS = ".starts"
"""End of the name of the array that says where each row of a column begins."""


@dataclass
class RowData:
    """The rows of a run.

    Args:
        sha256: The hash of their arrays.
        vocabulary_size: Symbols of the tokenizer of the run, by which texts are written as numbers.
        shape: The shape of the rows.
    """

    sha256: str
    vocabulary_size: int
    shape: RowShape

    def read(self, plan: Plan, file: Path) -> tuple[Any, Any]:
        """Return the training and validation splits of a file; refuse other rows than the run's."""
        columns = columns_in(arrays_in(file, self.sha256))
        training, count = plan.training, len(next(iter(columns.values())))
        learned, held_out = split_rows(count, 1 - training.validation_share)
        given = self.shape, self.vocabulary_size, training.context_length
        return RowSource(columns, learned, *given, training.order), RowSource(columns, held_out, *given, "rows")


def arrays_in(file: Path, sha256: str) -> dict[str, np.ndarray]:
    """Return the arrays of a file; refuse others than the run's."""
    with np.load(file, allow_pickle=False) as loaded:
        arrays = {name: loaded[name] for name in loaded.files}
    found = hash_of(arrays)
    if found != sha256:
        raise SystemExit(f"{file} does not hold the data of this run: their SHA-256 is {found}, not {sha256}")
    return arrays


def columns_in(arrays: Mapping[str, np.ndarray]) -> dict[str, Any]:
    """Return the columns that arrays hold; the inverse of `arrays_of`."""
    columns: dict[str, Any] = {name: array for name, array in arrays.items() if not name.endswith(STARTS)}
    ragged = {name: Ragged(array, arrays[name + STARTS]) for name, array in columns.items() if name + STARTS in arrays}
    return columns | ragged


def hash_of(arrays: Mapping[str, np.ndarray]) -> str:
    """Return the SHA-256 of arrays: of the name, type, shape and numbers of each."""
    digest = hashlib.sha256()
    for name, array in sorted(arrays.items()):
        digest.update(f"{name} {array.dtype.str} {array.shape} ".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def row_pieces(
    model: Any, objective: Any, source: Any, device: torch.device, limit: int
) -> Iterator[tuple[torch.Tensor, torch.Tensor, Any]]:
    """Yield losses, then 0 for each scored target and −1 for the others, and metrics."""
    for nats, targets, metrics in _windows(model, objective, source, device, limit):
        yield nats, scored_of(targets).long() - 1, metrics


def arrays_of(columns: Columns) -> dict[str, np.ndarray]:
    """Return the arrays of a file that `RowData` reads, by name."""
    arrays: dict[str, np.ndarray] = {}
    for name, column in columns.items():
        if isinstance(column, Ragged):
            arrays |= {name: column.values, name + STARTS: column.starts}
        else:
            arrays[name] = column
    return arrays
