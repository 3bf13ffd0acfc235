"""Operations without a derivative: order, counts, running sums, masks, roundings, and what is read of texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lab.worked.expressions.operation import ArrayOperation, Operation
from lab.worked.expressions.syntax import Index, index_text
from lab.worked.expressions.values import Array


def _order(x: Any) -> Array:
    """Return the positions, counted from 1, by falling value; equal ones in their order."""
    return np.argsort(-np.asarray(x), kind="stable").astype(np.float64) + 1


def _by(texts: Any, positions: Any) -> Any:
    if isinstance(texts, np.ndarray):
        raise TypeError
    found = np.asarray(positions, np.int64) - 1
    return str(texts[int(found)]) if found.ndim == 0 else tuple(str(texts[int(each)]) for each in found)


def _each(texts: Any) -> Sequence[str]:
    if isinstance(texts, np.ndarray):
        raise TypeError
    return (texts,) if isinstance(texts, str) else texts


def _occurrences(texts: Any, parts: Any) -> Array:
    """Return how often each part is in the text of its position."""
    pairs = zip(_each(texts), _each(parts), strict=True)
    return np.array([text.count(part) for text, part in pairs], np.float64)


def _causal(x: Any) -> Array:
    """Return a matrix of scores with minus infinity above the diagonal, where the future is."""
    return np.where(np.tri(*np.shape(x)) > 0, x, -np.inf)


def to_half(x: Any) -> Array:
    """Return numbers rounded to float16, as float64."""
    with np.errstate(over="ignore"):
        return np.asarray(x, np.float16).astype(np.float64)


SELECTIONS = (
    Operation("cumsum", (1, 1), np.cumsum, "np.cumsum({0})", "running sum"),
    Operation("cumprod", (1, 1), np.cumprod, "np.cumprod({0})", "running product"),
    Operation("prod", (1, 1), np.prod, "np.prod({0})", "product of all entries"),
    Operation("sort", (1, 1), lambda x: -np.sort(-x), "-np.sort(-{0})", "entries from the largest to the smallest"),
    Operation("order", (1, 1), _order, "order({0})", "positions, from 1, of the entries by falling value"),
    Operation("count", (1, 1), lambda x: np.float64(len(x)), "len({0})", "number of entries, rows or texts"),
    Operation("floor", (1, 1), np.floor, "np.floor({0})", "largest whole number that is not above"),
    Operation("positive", (1, 1), lambda x: np.asarray(x > 0, np.float64), "({0} > 0).astype(float)", "1 where x > 0"),
    Operation("range", (1, 1), lambda n: np.arange(float(_size(n))), "np.arange({0})", "0, 1, … n − 1"),
    Operation("identity", (1, 1), lambda n: np.eye(_size(n)), "np.eye(int({0}))", "identity matrix"),
    Operation("diagonal", (1, 1), np.diag, "np.diag({0})", "vector as a diagonal matrix, or the diagonal of one"),
    Operation("rank", (1, 1), lambda x: np.float64(np.linalg.matrix_rank(x)), "np.linalg.matrix_rank({0})", "rank"),
    Operation("row_max", (1, 1), lambda x: np.max(x, axis=-1), "np.max({0}, axis=-1)", "largest entry of each row"),
    Operation("causal", (1, 1), _causal, "causal({0})", "scores with −∞ above the diagonal"),
    Operation("lower", (1, 1), np.tril, "np.tril({0})", "matrix with 0 above the diagonal"),
    Operation("half", (1, 1), to_half, "np.asarray({0}, np.float16).astype(float)", "rounded to float16"),
    Operation(
        "lengths",
        (1, 1),
        lambda texts: np.array([len(each) for each in _each(texts)], np.float64),
        "np.array([len(each) for each in {0}])",
        "letters of each text",
    ),
    Operation(
        "occurrences",
        (2, 2),
        _occurrences,
        "np.array([text.count(part) for text, part in zip({0}, {1})])",
        "how often each text has its part",
    ),
    Operation("pick", (2, 2), _by, "pick({0}, {1})", "texts at positions counted from 1"),
)


def _size(n: Any) -> int:
    """Return a small whole number.

    Raises:
        ValueError: It is negative, too large or not whole.
    """
    if not 0 < float(n) <= 64 or int(n) != n:
        raise ValueError
    return int(n)


def indexed(indices: tuple[Index, ...]) -> ArrayOperation:
    """Return the operation that takes one entry, or a range of entries, of a vector or matrix."""
    where = tuple(index if isinstance(index, int) else slice(*index) for index in indices)
    written = ", ".join(map(index_text, indices))

    def back(_number: int, g: Array, _value: Array, arguments: Sequence[Array]) -> Array:
        whole = np.zeros(arguments[0].shape)
        whole[where] = g
        return whole

    def ahead(tangents: Sequence[Array | None], value: Array, _: Sequence[Array]) -> Array:
        return np.zeros(value.shape) if tangents[0] is None else np.asarray(tangents[0][where])

    def take(x: Any) -> Any:
        if not isinstance(x, np.ndarray):
            raise TypeError
        return x[where]

    return ArrayOperation(
        "index",
        (1, 1),
        take,
        f"{{0}}[{written}]",
        "entry",
        back=back,
        ahead=ahead,
        back_rule=(f"{{g}} at [{written}], else 0",),
        ahead_rule=(f"{{d}}[{written}]",),
        count=lambda *_: 0,
        back_count=lambda *_: 0,
        ahead_count=lambda *_: 0,
    )
