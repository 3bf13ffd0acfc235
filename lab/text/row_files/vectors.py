"""Vectors of numbers with a class or with numbers to predict, from the columns of a table."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from lab.api import BadInput, Vectors, setting
from lab.text.corpora.files import errors_as_bad_input
from lab.text.row_files.cells import classes_of, label_in, number_in
from lab.text.row_files.tables import RowTable, TableConfig, open_table
from lab.text.rows.scaling import SCALED, scaled

MOST_COLUMNS = 16_384
"""Largest number of columns of numbers."""

_TARGETS = ("target", "label", "class", "species", "category", "y")
_FEW = 20  # different whole numbers that are taken for classes


class VectorsFileConfig(TableConfig):
    """A table of numbers, its columns, and what is predicted."""

    version: ClassVar[int] = 2

    features: str = setting(
        "", help="The columns with the numbers that are read, separated by commas. Empty: all but the target."
    )
    target: str = setting(
        "",
        help="The column that is predicted; several columns of numbers are separated by commas. Empty: the one called "
        "target, label or the like, or the last one.",
    )
    predicts: Literal["auto", "class", "number"] = setting(
        "auto",
        names={"auto": "found out"},
        help="What the target is. Found out: classes if it has text or at most 20 different whole numbers.",
    )
    standardise: bool = setting(
        True,
        help="Shift and scale each column of numbers to mean 0 and standard deviation 1; the facts of the run state "
        "both. Predicted columns of nothing but 0 and 1 stay as they are.",
    )
    fitted_to: Literal["training", "all"] = setting(
        "training",
        names={"training": "training rows", "all": "all rows"},
        help="The rows over which columns have mean 0 and standard deviation 1: those for training, so that nothing of "
        "the validation rows enters the training, or all, as in runs of older versions.",
    )

    @classmethod
    def migrate(cls, settings: dict[str, Any], version: int) -> dict[str, Any]:
        """Restore the scaling over all rows of version 1."""
        del version
        return {"fitted_to": "all", **settings}


def read_vectors(config: VectorsFileConfig) -> Vectors:
    """Return the vectors of a table.

    Raises:
        BadInput: It is not there, cannot be read, or lacks a column; a cell is no number; or there is but one class.
    """
    with errors_as_bad_input("corpus.path", config.path):
        table = open_table(config, (*_listed(config.features), *_listed(config.target), *_TARGETS))
        targets = [table.column("target", name, ()) for name in _listed(config.target)] or [_target(table)]
        others = [name for name in table.columns if name not in targets]
        features = [table.column("features", name, ()) for name in _listed(config.features)] or others
        _check_columns(features, targets)

        is_class = _is_class(config, table, targets)

        numbers, wanted, labels = array("d"), array("d"), list[str]()  # 8 bytes a number, however many rows there are

        def read(number: int, values: list[Any]) -> None:
            row = [number_in(table, number, value, name) for value, name in zip(values, features, strict=False)]
            cells = list(zip(values[len(features) :], targets, strict=True))
            if is_class:
                labels.append(sys.intern(label_in(table, number, *cells[0])))
            else:
                wanted.extend([number_in(table, number, value, name) for value, name in cells])
            numbers.extend(row)

        _, facts = table.collect(config, [*features, *targets], read)
        by_training = config.standardise and config.fitted_to == "training"
        inputs, of_inputs = _scaled(_table(numbers, len(features)), features, config)
        if is_class:
            classes = classes_of(table, labels, "target", targets[0])
            index = {name: number for number, name in enumerate(classes)}
            numbered = np.array([index[label] for label in labels], np.int64)
            return Vectors(
                table.name,
                inputs,
                numbered,
                classes,
                tuple(features),
                by_training=by_training,
                facts=facts | {SCALED: of_inputs},
            )
        outputs, of_outputs = _scaled(_table(wanted, len(targets)), targets, config, except_labels=True)
        return Vectors(
            table.name,
            inputs,
            outputs,
            features=tuple(features),
            outputs=tuple(targets),
            by_training=by_training,
            facts=facts | {SCALED: of_inputs | of_outputs},
        )


def _table(numbers: array[float], columns: int) -> NDArray[np.float64]:
    return np.frombuffer(numbers, np.float64).reshape(-1, columns)


def read_columns(path: Path, features: Sequence[str], count: int, *, header: str = "auto") -> NDArray[np.float64]:
    """Return the numbers of the columns that a model reads, (N, F), as they are in the table.

    Args:
        path: The table.
        features: The names of the columns; where the table has none of them, its first columns are read.
        count: F.
        header: Whether its first line names its columns: "auto", "yes" or "no".

    Raises:
        BadInput: It is not there, cannot be read, lacks a column, or has a cell that is no number.
    """
    config = VectorsFileConfig.read({"path": str(path), "header": header}, field="corpus")
    with errors_as_bad_input("corpus.path", config.path):
        table = open_table(config, features)
        named = [name for name in features if name in table.columns]
        missing = [name for name in features if name not in table.columns]
        if named and missing:
            raise BadInput(
                "has no column of this name, which the model reads",
                field="corpus.path",
                value=missing[0],
                allowed=", ".join(table.columns),
                remedy="Name the columns as in training",
            )
        if len(table.columns) < count:
            raise BadInput(
                "has too few columns",
                field="corpus.path",
                value=len(table.columns),
                allowed=f"at least {count} columns of numbers",
                remedy="Choose another table",
            )
        columns = named or list(table.columns[:count])

        numbers = array("d")

        def read(number: int, values: list[Any]) -> None:
            numbers.extend([number_in(table, number, value, name) for value, name in zip(values, columns, strict=True)])

        table.collect(config, columns, read)
    return _table(numbers, len(columns))


def _listed(names: str) -> list[str]:
    return [name.strip() for name in names.split(",") if name.strip()]


def _target(table: RowTable) -> str:
    names = {name.lower(): name for name in reversed(table.columns)}
    return next((names[name] for name in _TARGETS if name in names), table.columns[-1])


def _check_columns(features: list[str], targets: list[str]) -> None:
    both = next((name for name in features if name in targets), None)
    if both is not None:
        remedy = "Take it out of one of the two"
        raise BadInput("is also the target", field="corpus.features", value=both, remedy=remedy)
    if not features:
        raise BadInput("there is no column beside the target", field="corpus.path", remedy="Choose another table")
    if len(features) > MOST_COLUMNS:
        allowed = f"at most {MOST_COLUMNS} columns"
        raise BadInput("has too many columns", field="corpus.features", allowed=allowed, remedy="Name some of them")


def _is_class(config: VectorsFileConfig, table: RowTable, targets: list[str]) -> bool:
    """Return True if the target is a class: as the config says, or by its values."""
    if config.predicts == "class" and len(targets) > 1:
        remedy = "Name one column, or set corpus.predicts to number"
        raise BadInput("a class stands in one column", field="corpus.target", value=config.target, remedy=remedy)
    if config.predicts != "auto" or len(targets) > 1:
        return config.predicts == "class"
    values = [value for _, (value,) in table.rows(targets)]
    numbers = [number for value in values if (number := _number(value)) is not None]
    if targets[0] in table.classes or 2 * len(numbers) < len(values):
        return True
    return len(set(numbers)) <= _FEW and all(number.is_integer() for number in numbers)


def _number(value: Any) -> float | None:
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def _scaled(
    values: NDArray[np.float64], names: list[str], config: VectorsFileConfig, *, except_labels: bool = False
) -> tuple[NDArray[np.float32], dict[str, Any]]:
    """Return columns (N, F), scaled over all rows if the config says so, and mean and deviation by column.

    With `except_labels`, columns of nothing but 0 and 1 are returned as they are.
    """
    if not config.standardise:
        return values.astype(np.float32), {}
    return scaled(values, names, except_labels=except_labels)
