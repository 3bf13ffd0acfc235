"""The figures of data in rows: parts, lengths, classes, ranges, and the first rows of training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.api import Conversations, DataKind, Images, LabelledTexts, Pairs, Rows, Vectors
from lab.text.corpora.mixture import RowMixture
from lab.text.rows.columns import Columns, Ragged
from lab.text.rows.floors import class_counts
from lab.text.rows.source import LABELS, MARKS, RowSource

SHOWN = 3
"""Number of rows that are shown."""


@dataclass(frozen=True)
class Lengths:
    """The lengths of the texts of a column, in tokens."""

    shortest: int
    median: float
    longest: int


@dataclass(frozen=True)
class Range:
    """The range of a column of numbers."""

    name: str
    smallest: float
    mean: float
    largest: float


@dataclass(frozen=True)
class RowsPage:
    """The figures of data in rows.

    Args:
        name: Its name.
        kind: What a row is.
        sha256: The hash by which a run recognises it.
        rows: Number of rows.
        training: Number of rows for training.
        validation: Number of rows for validation.
        lengths: Lengths of the texts of all rows, by what they are: "source", "target", "text", "conversation".
        classes: The share of each class among all labels, by its name.
        ranges: The ranges of the numbers that are read.
        targets: The ranges of the numbers that are predicted.
        images: (height, width, channels); () for other data.
        copied: For pairs: the share of validation rows whose target is the source.
        roles: For conversations: the number of turns of each role.
        learned: For conversations: the share of tokens that are scored; None for other data.
        examples: The first rows of training, each a table of plain data.
        parts: For a mixture: the number of rows of each part, by name.
    """

    name: str
    kind: DataKind
    sha256: str
    rows: int
    training: int
    validation: int
    lengths: Mapping[str, Lengths] = field(default_factory=dict)
    classes: Mapping[str, float] = field(default_factory=dict)
    ranges: Sequence[Range] = ()
    targets: Sequence[Range] = ()
    images: tuple[int, ...] = ()
    copied: float | None = None
    roles: Mapping[str, int] = field(default_factory=dict)
    learned: float | None = None
    examples: Sequence[Mapping[str, Any]] = ()
    parts: Mapping[str, int] = field(default_factory=dict)


def rows_page(rows: Rows, columns: Columns, train: RowSource, validation: RowSource, shown: int = SHOWN) -> RowsPage:
    """Return the figures of rows.

    Args:
        rows: The rows.
        columns: Their columns.
        train: The split for training.
        validation: The split for validation.
        shown: Most rows of training that are shown.
    """
    texts = {name: one for name, one in columns.items() if isinstance(one, Ragged) and name not in MARKS}
    counts = class_counts(train) + class_counts(validation) if train.classes else np.zeros(0, np.int64)
    scored = columns.get("scored")
    return RowsPage(
        rows.name,
        rows.kind,
        rows.sha256,
        len(rows),
        train.examples,
        validation.examples,
        {"caption" if rows.kind == "images" else LABELS[name]: _lengths(column) for name, column in texts.items()},
        {name: float(share) for name, share in zip(train.class_names, counts / max(1, counts.sum()), strict=True)},
        _ranges(rows.inputs, rows.features) if isinstance(rows, Vectors) else (),
        _ranges(rows.targets, rows.outputs) if isinstance(rows, Vectors) and not rows.classes else (),
        rows.pixels.shape[1:] if isinstance(rows, Images) else (),
        _copied(rows, validation.numbers) if isinstance(rows, Pairs) else None,
        _roles(rows) if isinstance(rows, Conversations) else {},
        float(scored.values.mean()) if isinstance(scored, Ragged) else None,
        [_example(rows, number) for number in train.numbers[:shown].tolist()],
        {part.name: len(part) for part in rows.parts} if isinstance(rows, RowMixture) else {},
    )


def _lengths(column: Ragged) -> Lengths:
    lengths = column.lengths
    return Lengths(int(lengths.min()), float(np.median(lengths)), int(lengths.max()))


def _ranges(values: NDArray[Any], names: Sequence[str]) -> list[Range]:
    names = names or [str(number) for number in range(1, values.shape[1] + 1)]
    columns = np.asarray(values, np.float64).T
    return [
        Range(name, float(one.min()), float(one.mean()), float(one.max()))
        for name, one in zip(names, columns, strict=True)
    ]


def _copied(rows: Pairs, numbers: NDArray[np.int64]) -> float:
    return float(np.mean([rows.sources[number] == rows.targets[number] for number in numbers.tolist()]))


def _roles(rows: Conversations) -> dict[str, int]:
    turns = [turn.role for conversation in rows.conversations for turn in conversation]
    return {role: turns.count(role) for role in rows.roles}


def _example(rows: Rows, number: int) -> dict[str, Any]:
    """Return a row as plain data, with its number in the order of the corpus, from 1."""
    row: dict[str, Any] = {"row": number + 1}
    if isinstance(rows, Pairs):
        row |= {"source": rows.sources[number], "target": rows.targets[number]}
    elif isinstance(rows, LabelledTexts):
        label: Any = rows.labels[number]
        named = [rows.classes[one] for one in label] if rows.by_token else rows.classes[label]
        row |= {"text": rows.texts[number], "label": named}
    elif isinstance(rows, Conversations):
        row["turns"] = [{"role": t.role, "text": t.text, "learned": t.learned} for t in rows.conversations[number]]
    elif isinstance(rows, Vectors):
        target = rows.targets[number]
        row["inputs"] = rows.inputs[number].tolist()
        row |= {"label": rows.classes[int(target)]} if rows.classes else {"numbers": target.tolist()}
    elif isinstance(rows, Images):
        row["mean"] = float(rows.pixels[number].mean() / 255)
        row |= {"caption": rows.captions[number]} if rows.labels is None else {}
        row |= {} if rows.labels is None else {"label": rows.classes[int(rows.labels[number])]}
    return row
