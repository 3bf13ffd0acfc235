"""Randomness as a pure function of numbers: no generator state to save, and any split of the work draws the same."""

from __future__ import annotations

import numpy as np


def scrambled(seed: int, numbers: np.ndarray) -> np.ndarray:
    """Unrelated 64-bit numbers for neighbouring ones, by splitmix64 (Steele et al. 2014).

    Args:
        seed: Any int; only its low 64 bits count.
        numbers: Integers of any shape.

    Returns:
        uint64, of the shape of `numbers`.
    """
    start = (seed * 0x9E3779B97F4A7C15 + 0x632BE59BD9B4E019) & 0xFFFFFFFFFFFFFFFF
    z = numbers.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(start)  # wraps, as it should
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def uniforms(seed: int, examples: np.ndarray, count: int) -> np.ndarray:
    """`count` numbers in [0, 1) for each example: (B,) -> (B, count) float64, a function of (seed, example) alone."""
    keys = scrambled(seed, examples)[:, None] + np.arange(count, dtype=np.uint64)
    return (scrambled(seed + 1, keys) >> np.uint64(11)).astype(np.float64) * 2.0**-53
