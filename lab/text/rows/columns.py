"""Rows as columns of numbers: texts of any length as one array with the position where each row begins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lab.api import Conversations, Images, LabelledTexts, Pairs, Rows, Tokenizer, Vectors
from lab.text.rows.turns import TurnTokenizer, encoded_turns

Numbers: TypeAlias = NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False)
class Ragged:
    """A column whose rows differ in length.

    Args:
        values: (M,) the numbers of all rows, one row after the other.
        starts: (N + 1,) where each row begins, and M.
    """

    values: Numbers
    starts: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def lengths(self) -> NDArray[np.int64]:
        """(N,) the number of values of each row."""
        return np.diff(self.starts)

    def take(self, rows: NDArray[np.int64], fill: int = -1) -> NDArray[np.int64]:
        """Return some rows as (B, T) int64, T the longest of them, filled up after their end."""
        lengths = self.lengths[rows]
        taken = np.full((len(rows), int(lengths.max(initial=0))), fill, np.int64)
        inside = np.arange(taken.shape[1]) < lengths[:, None]  # (B, T)
        positions = self.starts[rows][:, None] + np.arange(taken.shape[1])
        taken[inside] = self.values[positions[inside]]
        return taken

    def joined(self, rows: NDArray[np.int64]) -> Numbers:
        """Return the values (M,) of some rows, one row after the other."""
        lengths = self.lengths[rows]
        before = np.cumsum(lengths) - lengths
        return self.values[np.repeat(self.starts[rows] - before, lengths) + np.arange(int(lengths.sum()))]


Columns: TypeAlias = Mapping[str, Ragged | np.ndarray]
"""The columns of a source of rows, by the names that objectives read."""


def texts_of(rows: Rows, numbers: NDArray[np.int64] | None = None) -> Iterator[str]:
    """Yield everything in some rows that is text, for a tokenizer to be fitted to; of all rows by default."""
    for number in range(len(rows)) if numbers is None else numbers.tolist():
        if isinstance(rows, Pairs):
            yield rows.sources[number]
            yield rows.targets[number]
        elif isinstance(rows, LabelledTexts):
            text = rows.texts[number]
            yield from (text,) if isinstance(text, str) else text
        elif isinstance(rows, Conversations):
            yield from (turn.text for turn in rows.conversations[number])
        elif isinstance(rows, Images) and len(rows.captions):
            yield rows.captions[number]


def has_text(rows: Rows) -> bool:
    """Return True if a tokenizer is needed."""
    return next(texts_of(rows), None) is not None


def columns_of(rows: Rows, tokenizer: Tokenizer) -> Columns:
    """Return the columns of checked rows, their texts encoded.

    Args:
        rows: The rows, as check_rows accepts them.
        tokenizer: Their tokenizer; a TurnTokenizer for conversations.

    Raises:
        BadInput: The vocabulary lacks something in a text; the problem names it.
    """
    if isinstance(rows, Pairs):
        return {"source": _encoded(tokenizer, rows.sources), "target": _encoded(tokenizer, rows.targets)}
    if isinstance(rows, LabelledTexts):
        if not rows.by_token:
            texts: Any = rows.texts
            return {"inputs": _encoded(tokenizer, texts), "label": np.array(rows.labels, np.int64)}
        return _labelled_tokens(tokenizer, rows)
    if isinstance(rows, Conversations):
        assert isinstance(tokenizer, TurnTokenizer)
        encoded = [encoded_turns(tokenizer, turns) for turns in rows.conversations]
        tokens, scored = zip(*encoded, strict=True)
        return {"tokens": _joined(tokens, tokenizer.vocabulary_size), "scored": _joined(scored, 2)}
    if isinstance(rows, Vectors):
        targets = "label" if rows.classes else "numbers"
        return {"inputs": rows.inputs, targets: rows.targets}
    if isinstance(rows, Images):
        if rows.labels is None:
            return {"inputs": rows.pixels, "target": _encoded(tokenizer, rows.captions)}
        return {"inputs": rows.pixels, "label": rows.labels}
    raise TypeError(f"rows of the class {type(rows).__name__} have no columns")


def _encoded(tokenizer: Tokenizer, texts: Iterable[str]) -> Ragged:
    return _joined([tokenizer.encode(text) for text in texts], tokenizer.vocabulary_size)


def _labelled_tokens(tokenizer: Tokenizer, rows: LabelledTexts) -> Columns:
    """Return tokens and labels: the label of a given token stands on its first piece, −1 on the others."""
    all_inputs, all_labels = [], []
    given: Sequence[Any] = rows.labels
    for tokens, labels in zip(rows.texts, given, strict=True):
        pieces = [tokenizer.encode(token) for token in tokens]
        all_inputs.append(np.concatenate(pieces))
        label = np.full(len(all_inputs[-1]), -1, np.int64)
        starts = np.cumsum([0, *(len(piece) for piece in pieces[:-1])])
        label[starts] = labels
        all_labels.append(label)
    size = tokenizer.vocabulary_size
    return {"inputs": _joined(all_inputs, size), "label": _joined(all_labels, None)}


def _joined(rows: Sequence[Numbers], limit: int | None) -> Ragged:
    """Join rows of numbers below a limit in the smallest integers that hold them; without a limit in int64."""
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
    kind = np.dtype(np.int64) if limit is None else np.min_scalar_type(max(1, limit - 1))
    return Ragged(np.concatenate(rows).astype(kind, copy=False), starts)
