"""Examples: a source whose sequences are generated one by one, so that its truth is known and it never ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    import numpy as np

Split: TypeAlias = Literal["train", "validation"]
"""Which of a source's two splits: their draws have nothing to do with each other."""


@dataclass(frozen=True)
class Drawn:
    """Some examples.

    Args:
        tokens: (B, longest) int64 symbol numbers, −1 behind the end of a shorter one.
        scored: (B, longest) bool: the tokens that are guessed from those before them. The first of a row never is.
    """

    tokens: np.ndarray
    scored: np.ndarray


@dataclass(frozen=True)
class Examples:
    """A source of generated sequences with symbols of its own.

    Args:
        name: What people call it.
        symbols: What each symbol number is shown as; none empty, none twice. A text is its symbols joined: where some
            have more than one character, each ends in a space.
        longest: Tokens of the longest example.
        draw: (example numbers (B,) int64, seed, part) -> Drawn; a pure function. Numbers go on for ever.
        entropy: Nats that the best possible predictor loses per scored token: −log P of everything scored, over how
            many are scored, both in the mean over examples.
        length: What the source means by the length of an example: the greatest one that is trained.
        at_length: The same source with every example of exactly one length, also a greater one; None where lengths
            have no meaning.
        facts: What else decides its content, stored with the run.
    """

    name: str
    symbols: tuple[str, ...]
    longest: int
    draw: Callable[[np.ndarray, int, Split], Drawn]
    entropy: float
    length: int
    at_length: Callable[[int], Examples] | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
