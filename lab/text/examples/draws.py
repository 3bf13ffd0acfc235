"""Random numbers and permutations that are pure functions of (seed, index), over arrays of indices at once."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from lab.api import scrambled
from lab.base.torch_lock import mixed

Indices = NDArray[np.int64]

_ROUNDS = 6


def uniform_below(limit: int, indices: Indices, seed: int) -> Indices:
    """Return (B,) numbers from 0 to limit − 1, one per index, each equally likely up to limit / 2⁶⁴."""
    return (scrambled(seed, indices) % np.uint64(limit)).astype(np.int64)


def permuted(size: int, indices: Indices, seed: int, epoch: int) -> Indices:
    """Return (B,) the images of indices under a permutation of 0 … size − 1 drawn by (seed, epoch).

    This is a Feistel network over the next power of four, iterated until the value is inside (Black and Rogaway 2002);
    its rounds are multiply-shift hashes (Dietzfelbinger et al. 1997). No table is made for any size.
    """
    half = max(1, ((size - 1).bit_length() + 1) // 2)
    keys = _round_keys(seed, epoch)
    values = _feistel(indices.astype(np.uint64), half, keys)
    outside = values >= size
    while outside.any():
        values[outside] = _feistel(values[outside], half, keys)
        outside = values >= size
    return values.astype(np.int64)


def _feistel(
    values: NDArray[np.uint64], half: int, keys: tuple[tuple[np.uint64, np.uint64], ...]
) -> NDArray[np.uint64]:
    width, top = np.uint64(half), np.uint64(64 - half)
    left, right = values >> width, values & np.uint64((1 << half) - 1)
    for factor, offset in keys:
        left, right = right, left ^ ((right * factor + offset) >> top)
    return (left << width) | right


@lru_cache(maxsize=64)
def _round_keys(seed: int, epoch: int) -> tuple[tuple[np.uint64, np.uint64], ...]:
    """Return an odd factor and an offset for each round."""
    draws = [(mixed(seed, epoch, 2 * turn), mixed(seed, epoch, 2 * turn + 1)) for turn in range(_ROUNDS)]
    return tuple((np.uint64(factor | 1), np.uint64(offset)) for factor, offset in draws)
