"""What every generated text is asked for: its length and its seed; and the letters it is written with."""

from __future__ import annotations

import string

import numpy as np

from lab.api import ModelConfig, setting

LETTERS = string.ascii_lowercase + string.ascii_uppercase + string.digits
"""What symbols are shown as, in order: one character each."""


class GeneratedConfig(ModelConfig):
    """How long a generated text is, and which one."""

    length: int = setting(
        200_000, ge=1, le=10**7, log=True, unit="characters", help="Characters of the text; a longer one begins alike."
    )
    seed: int = setting(0, ge=0, lt=2**63, help="Decides everything that is drawn: the source, and the text from it.")

    def draws(self) -> tuple[np.random.Generator, np.random.Generator]:
        """For the source, and for the text: the source is the same one for every length."""
        source, text = np.random.SeedSequence(self.seed).spawn(2)
        return np.random.Generator(np.random.PCG64(source)), np.random.Generator(np.random.PCG64(text))


def written(symbols: np.ndarray | list[int], letters: str = LETTERS) -> str:
    """Symbol numbers as text, a character each."""
    table = np.array(list(letters))
    return "".join(table[np.asarray(symbols, np.int64)])
