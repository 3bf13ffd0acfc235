"""Operations on whole arrays that have derivatives: products of matrices, sums, softmax, largest values, lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from lab.worked.expressions.operation import ArrayOperation, summed_to
from lab.worked.expressions.values import Array

MANY = 64
"""Most arguments of a list."""


def _given(tangents: Sequence[Array | None], arguments: Sequence[Array]) -> list[Array]:
    """Return the tangents, zeros where nothing varies."""
    return [
        np.zeros(argument.shape) if tangent is None else tangent
        for tangent, argument in zip(tangents, arguments, strict=True)
    ]


# ---------------------------------------------------------------------------------------------------- matrix product


def _matmul_back(number: int, g: Array, _: Array, arguments: Sequence[Array]) -> Array:
    a, b = arguments
    left, right = np.atleast_2d(a), b if b.ndim == 2 else b[:, None]
    inner = np.asarray(g).reshape(left.shape[0], right.shape[1])
    return (inner @ right.T).reshape(a.shape) if number == 0 else (left.T @ inner).reshape(b.shape)


def _matmul_ahead(tangents: Sequence[Array | None], value: Array, arguments: Sequence[Array]) -> Array:
    a, b = arguments
    total = np.zeros(value.shape)
    if tangents[0] is not None:
        total = total + tangents[0] @ b
    if tangents[1] is not None:
        total = total + a @ tangents[1]
    return np.asarray(total)


def _matmul_count(value: Array, a: Array, _: Array) -> int:
    return int(value.size * (2 * a.shape[-1] - 1))


def _matmul_back_count(number: int, value: Array, arguments: Sequence[Array]) -> int:
    a, b = arguments
    rows, inner, columns = prod(a.shape[:-1]), a.shape[-1], b.size // b.shape[0]
    del value
    return int(rows * inner * (2 * columns - 1) if number == 0 else inner * columns * (2 * rows - 1))


# ------------------------------------------------------------------------------------------------ sums and largest


def _reduction(
    name: str, compute: Callable[[Any], Any], python: str, summary: str, axis: int | None, *, mean: bool = False
) -> ArrayOperation:
    def spread(g: Array, x: Array) -> Array:
        share = g if axis is None or not x.ndim else np.expand_dims(g, axis)  # a number is a row of its own
        return np.broadcast_to(share / _summed(x) if mean else share, x.shape)

    def _summed(x: Array) -> int:
        return x.size if axis is None else x.shape[axis]

    return ArrayOperation(
        name, (1, 1), compute, python, summary,
        back=lambda _number, g, _value, arguments: spread(g, arguments[0]),
        ahead=lambda tangents, _value, arguments: np.asarray(compute(_given(tangents, arguments)[0])),
        back_rule=("{g} / count, for every entry" if mean else "{g}, for every entry",),
        ahead_rule=(f"{name}({{d}})",),
        count=lambda value, x: int(np.size(x)) - int(np.size(value)) + (int(np.size(value)) if mean else 0),
        back_count=lambda _number, value, _arguments: value.size if mean else 0,
        ahead_count=lambda _number, value, arguments: arguments[0].size - value.size + (value.size if mean else 0),
    )  # fmt: skip


def _marks(x: Array, value: Array) -> Array:
    """Return 1 where the extreme value is, shared evenly where it is several times."""
    marks = np.asarray(x == value, float)
    return marks / max(1.0, float(marks.sum()))


def _extreme_value(compute: Any, *arguments: Array) -> Any:
    if len(arguments) == 1:
        return compute.reduce(np.ravel(arguments[0]))
    value = arguments[0]
    for other in arguments[1:]:
        value = compute(value, other)
    return value


def _extreme_shares(value: Array, arguments: Sequence[Array]) -> list[Array]:
    if len(arguments) == 1:
        return [_marks(arguments[0], value)]
    equal = [np.asarray(np.broadcast_to(x, value.shape) == value, float) for x in arguments]
    total = np.maximum(sum(equal, np.zeros(value.shape)), 1.0)
    return [each / total for each in equal]


def _extreme_back(number: int, g: Array, value: Array, arguments: Sequence[Array]) -> Array:
    return summed_to(np.asarray(g * _extreme_shares(value, arguments)[number]), arguments[number].shape)


def _extreme_ahead(tangents: Sequence[Array | None], value: Array, arguments: Sequence[Array]) -> Array:
    shares = _extreme_shares(value, arguments)
    total = np.zeros(value.shape)
    for share, tangent in zip(shares, _given(tangents, arguments), strict=True):
        product = share * tangent
        total = total + (product.sum() if len(arguments) == 1 else product)
    return np.asarray(total)


def _extreme(name: str, compute: Any, python: str, summary: str) -> ArrayOperation:
    return ArrayOperation(
        name, (1, MANY), lambda *arguments: _extreme_value(compute, *arguments), f"{python}({{all}})", summary,
        back=_extreme_back, ahead=_extreme_ahead, back_rule=("{g} where {arg} is {out}",),
        ahead_rule=("{d} where {arg} is {out}",),
        count=lambda value, *x: int(np.size(x[0])) - 1 if len(x) == 1 else int(np.size(value)) * (len(x) - 1),
        back_count=lambda number, _value, arguments: arguments[number].size,
        ahead_count=lambda number, _value, arguments: arguments[number].size,
    )  # fmt: skip


# ----------------------------------------------------------------------------------------------------------- softmax


def softmax(x: Any) -> Any:
    """Return the softmax along the last axis, computed less the largest value."""
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def _logsumexp(x: Any) -> Any:
    top = np.max(x)
    return top + np.log(np.sum(np.exp(x - top))) if np.isfinite(top) else top


def _softmax_product(g: Array, value: Array) -> Array:
    return np.asarray(value * (g - np.sum(g * value, axis=-1, keepdims=True)))


def _rows(x: Array) -> int:
    return x.size // x.shape[-1] if x.ndim else 1


# ------------------------------------------------------------------------------------------------------------- lists


def make_list(*items: Any) -> Array:
    """Return a vector of numbers, or a matrix of vectors of one length.

    Raises:
        ValueError: The items differ in shape.
        TypeError: One of them is a text.
    """
    if any(isinstance(item, str | tuple) for item in items):
        raise TypeError
    return np.stack([np.asarray(item, np.float64) for item in items])


def _moved(name: str, compute: Any, python: str, summary: str, back: Any, rule: str, ahead: str) -> ArrayOperation:
    """Return an operation that only moves numbers."""
    return ArrayOperation(
        name, (1, 1), compute, python, summary, back=back, back_rule=(rule,), ahead_rule=(ahead,),
        ahead=lambda tangents, _value, arguments: np.asarray(compute(_given(tangents, arguments)[0])),
        count=lambda _value, *_: 0, back_count=lambda *_: 0, ahead_count=lambda *_: 0,
    )  # fmt: skip


def _list_ahead(tangents: Sequence[Array | None], _: Array, arguments: Sequence[Array]) -> Array:
    return np.stack(_given(tangents, arguments))


ARRAY_OPERATIONS = (
    ArrayOperation(
        "matmul", (2, 2), np.matmul, "{0} @ {1}", "product of matrices or vectors",
        back=_matmul_back, ahead=_matmul_ahead, back_rule=("{g} @ {1}ᵀ", "{0}ᵀ @ {g}"),
        ahead_rule=("{d} @ {1}", "{0} @ {d}"), count=_matmul_count, back_count=_matmul_back_count,
        ahead_count=lambda _number, value, arguments: _matmul_count(value, *arguments),
    ),
    _reduction("sum", np.sum, "np.sum({0})", "sum of all entries", None),
    _reduction("mean", np.mean, "np.mean({0})", "mean of all entries", None, mean=True),
    _reduction("row_sum", lambda x: np.sum(x, axis=-1), "np.sum({0}, axis=-1)", "sum of each row", -1),
    _reduction("column_sum", lambda x: np.sum(x, axis=0), "np.sum({0}, axis=0)", "sum of each column", 0),
    _extreme("max", np.maximum, "largest", "largest entry, or entry by entry the largest of several"),
    _extreme("min", np.minimum, "smallest", "smallest entry, or entry by entry the smallest of several"),
    ArrayOperation(
        "softmax", (1, 1), softmax, "softmax({0})", "exp(x) / sum(exp(x)) of a vector, or of each row",
        back=lambda _number, g, value, _arguments: _softmax_product(g, value),
        ahead=lambda tangents, value, arguments: _softmax_product(_given(tangents, arguments)[0], value),
        back_rule=("{out}·({g} − sum({g}·{out}))",), ahead_rule=("{out}·({d} − sum({d}·{out}))",),
        count=lambda _value, x: 3 * int(np.size(x)) - _rows(x),
        back_count=lambda _number, value, _arguments: 4 * value.size - _rows(value),
        ahead_count=lambda _number, value, _arguments: 4 * value.size - _rows(value),
    ),
    ArrayOperation(
        "logsumexp", (1, 1), _logsumexp, "logsumexp({0})", "log(sum(exp(x))), computed less the largest entry",
        back=lambda _number, g, value, arguments: np.asarray(g * np.exp(arguments[0] - value)),
        ahead=lambda tangents, value, arguments: np.asarray(
            np.sum(_given(tangents, arguments)[0] * np.exp(arguments[0] - value))
        ),
        back_rule=("{g}·softmax({0})",), ahead_rule=("sum({d}·softmax({0}))",),
        count=lambda _value, x: 2 * int(np.size(x)),
        back_count=lambda _number, _value, arguments: 3 * arguments[0].size,
        ahead_count=lambda _number, _value, arguments: 4 * arguments[0].size - 1,
    ),
    ArrayOperation(
        "norm", (1, 1), lambda x: np.sqrt(np.sum(x * x)), "np.sqrt(np.sum(({0}) ** 2))",
        "length: root of the sum of squares",
        back=lambda _number, g, value, arguments: np.asarray(g * arguments[0] / value),
        ahead=lambda tangents, value, arguments: np.asarray(
            np.sum(_given(tangents, arguments)[0] * arguments[0]) / value
        ),
        back_rule=("{g}·{0} / {out}",), ahead_rule=("sum({d}·{0}) / {out}",),
        count=lambda _value, x: 2 * int(np.size(x)),
        back_count=lambda _number, _value, arguments: 2 * arguments[0].size,
        ahead_count=lambda _number, _value, arguments: 2 * arguments[0].size,
    ),
    ArrayOperation(
        "list", (1, MANY), make_list, "np.array([{all}])", "vector of numbers, or matrix of rows",
        back=lambda number, g, _value, _arguments: np.asarray(g[number]), ahead=_list_ahead,
        back_rule=("{g}[{n}]",), ahead_rule=("[{d}]",),
        count=lambda *_: 0, back_count=lambda *_: 0, ahead_count=lambda *_: 0,
    ),
    _moved(
        "transpose", np.transpose, "np.transpose({0})", "rows and columns exchanged",
        lambda _number, g, _value, _arguments: np.transpose(g), "{g}ᵀ", "{d}ᵀ",
    ),
    _moved(
        "column", lambda x: np.reshape(x, (-1, 1)), "np.reshape({0}, (-1, 1))", "vector as a matrix of one column",
        lambda _number, g, _value, arguments: np.reshape(g, arguments[0].shape), "{g} as a row", "column({d})",
    ),
)  # fmt: skip
