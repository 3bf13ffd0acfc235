"""Examples: an endless source of generated sequences whose entropy is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    import numpy as np

Split: TypeAlias = Literal["train", "validation"]
"""The two splits of a source; their draws are independent."""


@dataclass(frozen=True)
class Drawn:
    """Generated examples as arrays.

    Args:
        tokens: (B, longest) int64 symbol numbers, −1 after the end of a shorter example.
        scored: (B, longest) bool: the tokens that are predicted from those before them; never the first of a row.
    """

    tokens: np.ndarray
    scored: np.ndarray


@dataclass(frozen=True)
class Examples:
    """A source of generated sequences with symbols of its own.

    Args:
        name: Its name, shown to the user.
        symbols: The label of each symbol number, all different and none empty. A text is its symbols joined: if some
            have more than one character, each ends in a space.
        longest: Tokens of the longest example.
        draw: (example numbers (B,) int64, seed, split) -> Drawn; a pure function. Example numbers have no end.
        entropy: Nats that the best possible predictor loses per scored token: −log P of everything scored, divided by
            the number of scored tokens, both as means over examples.
        length: The greatest length of an example in training; the source defines what a length is.
        at_length: length -> the same source with every example of exactly that length, also a greater one; None if
            lengths have no meaning.
        facts: Everything else that determines its content; stored with the run.
    """

    name: str
    symbols: tuple[str, ...]
    longest: int
    draw: Callable[[np.ndarray, int, Split], Drawn]
    entropy: float
    length: int
    at_length: Callable[[int], Examples] | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
