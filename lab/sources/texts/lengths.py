"""The settings of every generated text, length and seed, and its alphabet."""

from __future__ import annotations

import string

import numpy as np

from lab.api import ModelConfig, setting

LETTERS = string.ascii_lowercase + string.ascii_uppercase + string.digits
"""The characters for symbols, in order."""


class GeneratedConfig(ModelConfig):
    """The length and the seed of a generated text."""

    length: int = setting(
        200_000,
        ge=1,
        le=10**7,
        log=True,
        unit="characters",
        help="Characters of the text; a longer one starts the same.",
    )
    seed: int = setting(0, ge=0, lt=2**63, help="Seed of all random draws, for the source and for its text.")

    def draws(self) -> tuple[np.random.Generator, np.random.Generator]:
        """Return generators for the source and for the text, so that the source is the same for every length."""
        source, text = np.random.SeedSequence(self.seed).spawn(2)
        return np.random.Generator(np.random.PCG64(source)), np.random.Generator(np.random.PCG64(text))


def written(symbols: np.ndarray | list[int], letters: str = LETTERS) -> str:
    """Return symbol numbers as text, one character each."""
    table = np.array(list(letters))
    return "".join(table[np.asarray(symbols, np.int64)])
