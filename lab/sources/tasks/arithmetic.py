"""Sums: modulo a number with one symbol per number, and digit by digit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lab.api import Drawn, Examples, ModelConfig, scrambled, setting
from lab.api.examples import Split
from lab.sources.tasks.rows import below, checked_length, draws, lengths, mirrored, shown, write_at


class ModularConfig(ModelConfig):
    """All sums a + b = c modulo a number, some of them held out."""

    modulus: int = setting(97, ge=2, le=1000, log=True, help="Modulus of the sums.", cite="Power et al. 2022")
    train_share: float = setting(
        0.5,
        gt=0,
        lt=1,
        help="Share of all pairs (a, b) used for training; validation uses only the others.",
        cite="Power et al. 2022, figure 1",
    )
    split: int = setting(0, ge=0, le=2**31 - 1, help="Seed that selects the held-out pairs.")


class AdditionConfig(ModelConfig):
    """Sums of two numbers, written digit by digit; `length` counts the digits of a number."""

    length: int = setting(
        3,
        ge=1,
        le=1000,
        log=True,
        unit="digits",
        help="Most digits of a number; each number of digits is equally likely, for each number separately.",
    )
    reverse: bool = setting(
        False,
        help="Write the sum from its last digit on, in the direction of carries.",
        cite="Lee et al. 2023",
    )
    padded: bool = setting(
        False,
        help="Pad both numbers with leading zeros to equal length, and the sum to one digit more.",
        cite="Lee et al. 2023",
    )


_PLUS, _EQUALS, _END = 10, 11, 12  # after the digits


def modular_addition(config: ModularConfig) -> Examples:
    """Return "a+b=c" with c = (a + b) mod p, each number one symbol; c is scored. Validation pairs are not trained."""
    modulus = config.modulus
    order = np.argsort(scrambled(config.split, np.arange(modulus**2)))
    trained = min(max(round(config.train_share * modulus**2), 1), modulus**2 - 1)
    pairs = {"train": order[:trained], "validation": order[trained:]}

    def draw(numbers: np.ndarray, seed: int, split: Split) -> Drawn:
        pair = pairs[split][below(draws(numbers, seed, split, 1)[:, 0], len(pairs[split]))]
        first, second = np.divmod(pair, modulus)
        plus, equals = np.full_like(pair, modulus), np.full_like(pair, modulus + 1)
        tokens = np.stack([first, plus, second, equals, (first + second) % modulus], axis=1)
        return Drawn(tokens, np.broadcast_to(np.arange(5) == 4, tokens.shape).copy())

    symbols = shown([*map(str, range(modulus)), "+", "="])
    facts = {"pairs": {"train": trained, "validation": modulus**2 - trained}}
    return Examples("Modular addition", symbols, 5, draw, 0.0, 5, facts=facts)


def addition(config: AdditionConfig) -> Examples:
    """Return "12+34=46."; everything after "=" is scored. No number starts with 0, except 0 and padded ones.

    Sums of short numbers occur in both splits, since there are only few: 100 of two single digits.
    """
    return _additions(config, config.length, exactly=False)


def _additions(config: AdditionConfig, length: int, *, exactly: bool) -> Examples:
    longest = 3 * length + 4

    def draw(numbers: np.ndarray, seed: int, split: Split) -> Drawn:
        uniform = draws(numbers, seed, split, 2 * length + 2)
        sizes = [lengths(uniform[:, i], length, exactly=exactly) for i in range(2)]
        terms = [_digits(uniform[:, 2 + i * length :][:, :length], sizes[i]) for i in range(2)]
        total = _sum(*terms)
        size = np.maximum(1, (np.arange(1, length + 2) * (total > 0)).max(axis=1))
        if config.padded:
            sizes = [np.maximum(*sizes)] * 2
            size = sizes[0] + 1
        tokens = np.full((len(numbers), longest), -1, dtype=np.int64)
        stop, rows = np.zeros_like(size), np.arange(len(numbers))
        for term, count, sign in zip(terms, sizes, (_PLUS, _EQUALS), strict=True):
            stop = write_at(tokens, stop, mirrored(term, count), count)
            tokens[rows, stop] = sign
            stop = stop + 1
        answer_start = stop
        stop = write_at(tokens, answer_start, total if config.reverse else mirrored(total, size), size)
        tokens[rows, stop] = _END
        return Drawn(tokens, (np.arange(longest) >= answer_start[:, None]) & (tokens >= 0))

    def at_length(other: int) -> Examples:
        return _additions(config, checked_length(other, 1), exactly=True)

    return Examples("Addition", (*"0123456789", "+", "=", "."), longest, draw, 0.0, length, at_length)


def _digits(uniform: NDArray[np.float64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the digits of random numbers of these sizes, (B, L), last digit first, then zeros."""
    beyond = np.arange(uniform.shape[1]) - sizes[:, None]
    first = (beyond == -1) & (sizes[:, None] > 1)
    return np.where(beyond >= 0, 0, np.where(first, 1 + below(uniform, 9), below(uniform, 10)))


def _sum(first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the digits (B, L + 1) of the sums of numbers with digits (B, L), last digit first."""
    total = np.pad(first + second, ((0, 0), (0, 1)))
    for digit in range(first.shape[1]):
        carries = total[:, digit] > 9
        total[:, digit] -= 10 * carries
        total[:, digit + 1] += carries
    return total
