"""Pairs of a random string and its reverse."""

from __future__ import annotations

from string import ascii_lowercase

from lab.api import ENTROPY_RATE, Pairs, setting
from lab.sources.rows.draws import Choices, PairsConfig, distinct


class ReversalConfig(PairsConfig):
    """The length and the letters of the strings."""

    length: int = setting(
        10, ge=1, le=200, unit="letters", help="Longest string; lengths from 1 on are drawn equally often."
    )
    alphabet: int = setting(26, ge=1, le=26, unit="letters", help="Different letters, from a on.")


def reversal(config: ReversalConfig) -> Pairs:
    """Return random strings, all different, each with its reverse, which it determines.

    Raises:
        BadInput: There are not so many different strings.
    """

    def string(row: Choices) -> str:
        count = 1 + row.below(config.length)
        return "".join(ascii_lowercase[row.below(config.alphabet)] for _ in range(count))

    sources = distinct(config, config.rows, 0, string, 1 + config.length)
    return Pairs(
        "reversed letters", config.prefixed(sources), [source[::-1] for source in sources], floors={ENTROPY_RATE: 0.0}
    )
