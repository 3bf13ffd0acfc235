"""Splits of data in rows as numbered examples, each a pure function of (seed, example number)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lab.api import BadInput, Images, LabelledTexts, LabError, Rows, Source, Vectors
from lab.text.examples.draws import permuted, uniform_below
from lab.text.rows.columns import Columns, Ragged

SPLIT = 20_061
"""Seed of the permutation that divides rows; the same for every run, so that runs of any seed can be compared."""

Order = Literal["crops", "epochs", "rows"]


def split_rows(count: int, share: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the numbers of the rows for training and for validation, in the order in which they are read.

    Files are often sorted by label, so rows are permuted first, always in the same way.

    Args:
        count: Number of rows, at least 2.
        share: The share of rows for training; each part gets at least one row.
    """
    order = permuted(count, np.arange(count), SPLIT, 0)
    border = min(max(1, int(share * count)), count - 1)
    return order[:border], order[border:]


@dataclass(frozen=True)
class RowShape:
    """The properties of data in rows that, beside its vocabulary and context, decide which model it needs.

    Args:
        class_names: The name of each class; () if rows have none.
        input_shape: Shape of one input that is not text; None for text.
        outputs: How many numbers are predicted; None if rows have none.
        by_token: Whether each token has a class.
    """

    class_names: tuple[str, ...] = ()
    input_shape: tuple[int, ...] | None = None
    outputs: int | None = None
    by_token: bool = False

    @classmethod
    def of(cls, rows: Rows) -> RowShape:
        """Return the shape of checked rows."""
        if isinstance(rows, LabelledTexts):
            return cls(rows.classes, by_token=rows.by_token)
        if isinstance(rows, Vectors):
            outputs = None if rows.classes else rows.targets.shape[1]
            return cls(rows.classes, rows.inputs.shape[1:], outputs)
        return cls(rows.classes, rows.pixels.shape[1:]) if isinstance(rows, Images) else cls()

    @classmethod
    def stored(cls, facts: Mapping[str, Any]) -> RowShape:
        """Return the shape that a run stores, also from untrusted data.

        Raises:
            LabError: It is damaged.
        """
        shape = facts.get("shape", {})
        if isinstance(shape, Mapping):
            names, sizes = shape.get("classes", []), shape.get("input", [])
            outputs, by_token = shape.get("outputs"), shape.get("by_token", False)
            numbers_are = _is_list(sizes, int) and _is_list([1 if outputs is None else outputs], int)
            if _is_list(names, str) and numbers_are and isinstance(by_token, bool):
                return cls(tuple(names), tuple(sizes) or None, outputs, by_token)
        what = "this run does not say what its model reads"
        raise LabError(what, field="run.json", value=str(shape)[:60], remedy="Use another copy of the run")

    def facts(self) -> dict[str, Any]:
        """Return what a run stores, plain data; the inverse of `stored`."""
        known = {"classes": list(self.class_names), "input": list(self.input_shape or ()), "outputs": self.outputs}
        return {name: value for name, value in {**known, "by_token": self.by_token}.items() if value}

    @property
    def classes(self) -> int | None:
        """The number of classes; None if rows have none."""
        return len(self.class_names) or None


@dataclass(eq=False)
class RowSource(Source):
    """One split of data in rows: a lab.api Source. Texts are filled up with −1 to the longest of a batch.

    Example numbers are unlimited; the order determines the row of an example:

    - "crops": a row drawn with replacement.
    - "epochs": every row once per epoch, in an order drawn for each epoch.
    - "rows": row after row, for evaluation.

    Args:
        columns: The columns of all rows, also those of the other split.
        numbers: (N,) the rows of this split.
        shape: What the model must fit.
        vocabulary_size: Symbols of the tokenizer.
        context_length: T, which the model is built for.
        order: The meaning of example numbers.

    Attributes:
        examples: The number of rows of this split.
        tokens: (M,) the tokens of its rows one after the other, if a row is one sequence that a model reads on its
            own; missing for other rows.
        answers: (A,) those that are scored; only for conversations.
    """

    columns: Columns
    numbers: NDArray[np.int64]
    shape: RowShape
    vocabulary_size: int
    context_length: int
    order: Order = "crops"
    examples: int = field(init=False)

    def __post_init__(self) -> None:
        self.examples = len(self.numbers)
        self.classes, self.class_names, self.by_token = self.shape.classes, self.shape.class_names, self.shape.by_token
        self.input_shape, self.outputs = self.shape.input_shape, self.shape.outputs
        sequence = self.columns.get("tokens", self.columns.get("inputs"))
        if isinstance(sequence, Ragged):
            self.tokens = sequence.joined(self.numbers)
        scored = self.columns.get("scored")
        if isinstance(scored, Ragged):
            self.answers = self.tokens[scored.joined(self.numbers) == 1]

    def rows(self, examples: NDArray[np.int64], seed: int) -> dict[str, NDArray[Any]]:
        """Return the columns of these examples, a pure function of (seed, number)."""
        rows = self.numbers[self._positions(examples, seed)]
        taken = {name: _taken(column, rows) for name, column in self.columns.items()}
        if "scored" in taken:
            taken["scored"] = taken["scored"] == 1
        return taken

    def ordered(self) -> RowSource:
        """Return the same rows, one after the other."""
        return replace(self, order="rows")

    def question(self) -> tuple[NDArray[Any], int] | None:
        """Return what a model that writes is asked for a sample, and the number of tokens of the right answer.

        It is the source of the first pair, the first picture that has a caption (H, W, C), or the first conversation up
        to its first learned turn; None for other rows.
        """
        row = self.ordered().rows(np.zeros(1, np.int64), 0)
        if "target" in row:
            return row["source" if "source" in row else "inputs"][0], row["target"].shape[1]
        if "scored" not in row:
            return None
        start = int(row["scored"][0].argmax())
        after = row["scored"][0, start:]
        return row["tokens"][0, :start], len(after) if after.all() else int(after.argmin())

    @property
    def targets(self) -> int:
        """The number of targets of all its rows: classes, numbers, learned tokens, or written ones with their end."""
        name = next(name for name in ("target", "scored", "label", "numbers") if name in self.columns)
        column = self.columns[name]
        if not isinstance(column, Ragged):
            return int(np.count_nonzero(~np.isnan(column[self.numbers])))
        if name == "target":
            return int(column.lengths[self.numbers].sum()) + self.examples
        return int(np.count_nonzero(column.joined(self.numbers) > (0 if name == "scored" else -1)))

    @property
    def token_count(self) -> int:
        """The number of tokens of all its rows; of rows without text, the number of rows."""
        texts = [column for name, column in self.columns.items() if isinstance(column, Ragged) and name not in MARKS]
        return sum(int(column.lengths[self.numbers].sum()) for column in texts) or self.examples

    def _positions(self, examples: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
        """Return (B,) the position in this split of each example."""
        if self.order == "crops":
            return uniform_below(self.examples, examples, seed)
        epochs, positions = np.divmod(examples, self.examples)
        if self.order == "epochs":
            for epoch in set(epochs.tolist()):
                here = epochs == epoch
                positions[here] = permuted(self.examples, positions[here], seed, epoch)
        return positions


MARKS = ("scored", "label")
"""Columns that say something about the tokens of another."""

LABELS = {"source": "source", "target": "target", "inputs": "text", "tokens": "conversation"}
"""The names of the columns of text for display."""


def check_lengths(columns: Columns, context_length: int, number_of: Callable[[int], str]) -> None:
    """Refuse rows longer than the context; the last token of a conversation is only predicted.

    Args:
        columns: The columns of all rows.
        context_length: T, which the model is built for.
        number_of: Returns the number of a row for display.

    Raises:
        BadInput: A row is longer.
    """
    for name, column in columns.items():
        if not isinstance(column, Ragged) or name in MARKS:
            continue
        needed = column.lengths - (name == "tokens")
        row = int(needed.argmax())
        if needed[row] > context_length:
            longest = number_of(row)
            raise BadInput(
                f"is too short: the {LABELS[name]} of row {longest} has {column.lengths[row]} tokens",
                field="training.context_length",
                value=str(context_length),
                allowed=f"at least {needed[row]} for these rows",
                remedy=f"Set training.context_length={needed[row]}, or shorten that row",
            )


def _taken(column: Ragged | np.ndarray, rows: NDArray[np.int64]) -> NDArray[Any]:
    if isinstance(column, Ragged):
        return column.take(rows)
    values: NDArray[Any] = column[rows]
    return values.astype(np.float32) / np.float32(255) if values.dtype == np.uint8 else values


def _is_list(value: Any, kind: type) -> bool:
    return isinstance(value, list) and all(isinstance(one, kind) and not isinstance(one, bool) for one in value)
