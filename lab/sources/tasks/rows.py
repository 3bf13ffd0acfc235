"""Rows of generated tokens: draws by number, symbols of any alphabet, pieces of different lengths in a row."""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lab.api import BadInput, uniforms
from lab.api.examples import Split
from lab.base.torch_lock import mixed

LONGEST = 16384
"""Largest trained length. Evaluations may use lengths up to FARTHEST."""

FARTHEST = 4 * LONGEST

Scored: TypeAlias = Literal["answers", "all"]
"""The tokens of an example that are scored."""

SCORED_HELP = "Tokens that are scored: only answers, or all but the first, including random ones."

_SPLITS: tuple[Split, ...] = ("train", "validation")


def draws(numbers: np.ndarray, seed: int, split: Split, count: int) -> NDArray[np.float64]:
    """Return `count` numbers in [0, 1) for each example, (B,) -> (B, count), independent between the two splits."""
    return uniforms(mixed(seed, _SPLITS.index(split)), numbers, count)


def below(uniform: NDArray[np.float64], limit: int) -> NDArray[np.int64]:
    """Return integers from 0 to limit − 1, each equally likely, from numbers in [0, 1)."""
    return (uniform * limit).astype(np.int64)


def lengths(uniform: NDArray[np.float64], length: int, *, exactly: bool) -> NDArray[np.int64]:
    """Return lengths (B,) from B numbers in [0, 1): uniform from 1 to `length`, or all `length`."""
    return np.full(len(uniform), length) if exactly else 1 + below(uniform, length)


def checked_length(length: int, least: int) -> int:
    """Return a requested length after checking it.

    Raises:
        BadInput: There are no examples of that length, or they are too long.
    """
    if not least <= length <= FARTHEST:
        raise BadInput(
            "is not a length that this source can generate",
            field="corpus.length",
            value=str(length),
            allowed=f"{least} to {FARTHEST}",
            remedy="Test at another length",
        )
    return length


def write_at(
    tokens: NDArray[np.int64], start: NDArray[np.int64], values: NDArray[np.int64], counts: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Write the first `counts` (B,) of `values` (B, M) into `tokens` (B, longest) from `start` (B,) on.

    Returns:
        The start of the next piece, (B,).
    """
    offset = np.arange(tokens.shape[1]) - start[:, None]
    tokens[(offset >= 0) & (offset < counts[:, None])] = values[np.arange(values.shape[1]) < counts[:, None]]
    return start + counts


def mirrored(values: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the values (B, M) with the first `counts` (B,) of each row reversed; the rest is undefined."""
    order = np.maximum(counts[:, None] - 1 - np.arange(values.shape[1]), 0)
    return np.take_along_axis(values, order, axis=1)


def letters(count: int) -> list[str]:
    """Return the names of `count` symbols: a to z and A to Z if they suffice, else s0, s1 and so on."""
    return list(string.ascii_letters[:count]) if count <= len(string.ascii_letters) else [f"s{i}" for i in range(count)]


def shown(names: Sequence[str]) -> tuple[str, ...]:
    """Return names as symbols: unchanged, or all followed by a space if one has several characters."""
    space = " " if max(map(len, names)) > 1 else ""
    return tuple(name + space for name in names)
