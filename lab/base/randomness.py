"""Randomness as a pure function of numbers: no generator state to save, the same draws for any split of the work."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lab.base.torch_lock import mixed

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
_S30, _S27, _S31 = np.uint64(30), np.uint64(27), np.uint64(31)


def scrambled(seed: int, numbers: np.ndarray) -> NDArray[np.uint64]:
    """Return 64-bit numbers, unrelated for neighbouring inputs: splitmix64 (Steele et al. 2014), counter-based.

    Args:
        seed: Any int.
        numbers: Integers of any shape; n stands for the n-th number of the seed's sequence.

    Returns:
        An array of the shape of `numbers`.
    """
    z = numbers.astype(np.uint64)
    z *= _STEP
    z += np.uint64(mixed(seed))
    z ^= z >> _S30
    z *= _MIX[0]
    z ^= z >> _S27
    z *= _MIX[1]
    z ^= z >> _S31
    return z


def uniforms(seed: int, examples: np.ndarray, count: int) -> NDArray[np.float64]:
    """Return `count` numbers in [0, 1) for each example: (B,) -> (B, count), a function of (seed, example) alone."""
    keys = scrambled(seed, examples)[:, None] + np.arange(count, dtype=np.uint64)
    return (scrambled(seed + 1, keys) >> np.uint64(11)).astype(np.float64) * 2.0**-53
