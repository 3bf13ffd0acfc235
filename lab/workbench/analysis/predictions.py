"""What a model of vectors predicts for each row of a table."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lab.base import BadInput
from lab.base.problems import attributed
from lab.text.row_files.vectors import read_columns
from lab.text.rows.scaling import SCALED
from lab.text.rows.source import RowShape
from lab.workbench.access.model_access import ModelAccess
from lab.workbench.access.threads import one_thread

if TYPE_CHECKING:
    from collections.abc import Mapping

ROWS = 4096
"""Rows that are computed at once."""


@dataclass(frozen=True)
class Predictions:
    """What a model predicts for the rows of a table.

    Args:
        step: Optimizer updates that the model had; 0 is untrained.
        classes: The name of each class; () if it predicts numbers.
        names: The name of each number that is predicted; () for classes.
        values: (N, K): the probability of each class, its score if the objective knows no probabilities, or the numbers
            in their own units.
        probable: Whether the values are probabilities.
    """

    step: int
    classes: tuple[str, ...]
    names: tuple[str, ...]
    values: NDArray[np.float64]
    probable: bool

    def rows(self) -> list[list[str | float]]:
        """Return what is printed of each row: the likeliest class and its value, or the numbers."""
        if not self.classes:
            return [list(map(float, row)) for row in self.values]
        best = self.values.argmax(axis=1)
        return [[self.classes[at], float(row[at])] for at, row in zip(best, self.values, strict=True)]

    @property
    def heads(self) -> tuple[str, ...]:
        """The names of what `rows` returns."""
        return ("class", "probability" if self.probable else "score") if self.classes else self.names

    def as_csv(self) -> str:
        """Return a table with one line for each row and one column for each class or number."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        if self.classes:
            writer.writerow(["class", *self.classes])
            writer.writerows([[row[0], *values] for row, values in zip(self.rows(), self.values.tolist(), strict=True)])
        else:
            writer.writerow(self.names)
            writer.writerows(self.values.tolist())
        return out.getvalue()


def predict(access: ModelAccess, path: Path, *, header: str = "auto") -> Predictions:
    """Return what a model of vectors predicts for each row of a table.

    Columns are found by the names that they had in training; where a corpus had none, by their order. They are scaled
    by the mean and deviation of training, and predicted numbers are scaled back.

    Args:
        access: The run.
        path: A table of CSV, TSV, JSON lines or Parquet.
        header: Whether its first line names its columns: "auto", "yes" or "no".

    Raises:
        BadInput: The run reads no vectors, or the table is not there, lacks a column, or has a cell that is no number.
    """
    objective = access.objective()
    facts: Any = access.corpus_facts
    if facts.get("kind") != "vectors":
        raise BadInput(
            "this run reads no tables of numbers",
            field="run",
            remedy="Choose a run on a corpus of vectors; `lm-lab classify` reads texts",
        )
    shape, described = RowShape.stored(facts), facts.get("facts", {})
    if shape.input_shape is None or len(shape.input_shape) != 1:
        raise BadInput("this run does not say how many numbers it reads", field="run", remedy="Use another copy of it")
    count, outputs = shape.input_shape[0], shape.outputs or 0
    columns = described.get("columns", [])
    features, predicted = columns[:count], columns[count:]
    scale = described.get(SCALED, {})
    inputs = read_columns(path, features, count, header=header)
    inputs = (inputs - _of(scale, features, count, "mean", 0.0)) / _of(scale, features, count, "deviation", 1.0)
    found, step = _outputs(access, inputs.astype(np.float32), bool(shape.classes), objective.unit == "nats per label")
    if shape.classes:
        return Predictions(step, shape.class_names, (), found, objective.unit == "nats per label")
    deviation, mean = (
        _of(scale, predicted, outputs, name, empty) for name, empty in (("deviation", 1.0), ("mean", 0.0))
    )
    names = tuple(predicted) if len(predicted) == outputs else tuple(str(number + 1) for number in range(outputs))
    return Predictions(step, (), names, found * deviation + mean, probable=False)


def _of(scale: Mapping[str, Any], names: list[str], count: int, quantity: str, absent: float) -> NDArray[np.float64]:
    """Return the mean or deviation of each column, (F,); `absent` for one that was not scaled."""
    wanted = names if len(names) == count else [str(number + 1) for number in range(count)]
    found = [scale.get(name, {}).get(quantity, absent) for name in wanted]
    return np.array([value or absent for value in found], np.float64)


def _outputs(
    access: ModelAccess, inputs: NDArray[np.float32], classes: bool, probable: bool
) -> tuple[NDArray[np.float64], int]:
    """Return what the model gives for each row, (N, K), and its step."""
    import torch

    found = []
    with access.borrow() as borrowed, torch.no_grad(), attributed(access.model_plugin, "Predicting"), one_thread():
        for start in range(0, len(inputs), ROWS):
            read = torch.from_numpy(inputs[start : start + ROWS]).to(borrowed.device)
            values = borrowed.model(read).double()
            if probable:
                values = values.softmax(dim=-1) if classes else values.sigmoid()
            found.append(values.cpu().numpy())
    return np.concatenate(found), borrowed.step
