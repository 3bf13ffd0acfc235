"""Shannon's guessing game: the user and a run guess the same symbols of a text, one after the other."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from lab.base.problems import attributed
from lab.base.units import bits
from lab.workbench.scoring.degeneration import validation_pieces

if TYPE_CHECKING:
    from lab.diagnostics.texts.guesses import GuessBounds
    from lab.workbench.access.model_access import ModelAccess

SYMBOLS = 40
"""Symbols of a passage that are guessed."""
PIECES = 200
"""Places of the validation text among which a passage is drawn."""


@dataclass(frozen=True)
class Passage:
    """A piece of validation text, with what a run makes of each symbol that is to be guessed.

    Args:
        before: The text before the first of them.
        symbols: Their texts; the label of a symbol that is only part of a character.
        ranks: The number of guesses that the run needs for each, if it guesses in the order of its probabilities.
        nats: The surprisal of each under the run.
        vocabulary_size: Symbols that could come.
        step: Optimizer updates that the model had; 0 is untrained.
    """

    before: str
    symbols: tuple[str, ...]
    ranks: tuple[int, ...]
    nats: tuple[float, ...]
    vocabulary_size: int
    step: int

    @property
    def is_of_letters(self) -> bool:
        """True if each symbol is one character, which one key types."""
        return all(len(symbol) == 1 for symbol in self.symbols)


def passage_of(
    access: ModelAccess,
    seed: int,
    *,
    symbols: int = SYMBOLS,
    device: str | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Passage:
    """Return a passage of the validation text of a run.

    User and run have the same text before each symbol: as much as the run reads at once, or less at its beginning.

    Args:
        access: The run.
        seed: Chooses the passage.
        symbols: Symbols to guess.
        device: Where to compute; see ModelAccess.borrow.
        cancelled: Called between batches; True ends it.

    Raises:
        BadInput: The run continues no text, or its validation text is too short.
        Cancelled: It was cancelled.
        LabError: A plugin's code raised.
    """
    from lab.diagnostics.texts.surprisal import score_in_windows

    tokenizer, trained = access.tokenizer, access.recipe.training.context_length
    with access.borrow_for_evaluation(device) as borrowed:
        length = trained if borrowed.model.reach is None else min(trained, borrowed.model.reach)
        before = max(1, length - 1)
        pieces = validation_pieces(access, PIECES, before + symbols)
        piece = pieces[random.Random(seed).randrange(len(pieces))]
        scores = score_in_windows(
            borrowed.model, piece, length=length, stride=1, alternatives=1, device=borrowed.device, cancelled=cancelled
        )
    with attributed(access.tokenizer_plugin, "Decoding"):
        texts = [(tokenizer.decode([token]), tokenizer.label(token)) for token in piece[before:].tolist()]
        shown = tuple(label if not text or "\ufffd" in text else text for text, label in texts)
        return Passage(
            tokenizer.decode(piece[:before]), shown, tuple(scores.ranks[before:].tolist()),
            tuple(np.maximum(scores.nats[before:], 0.0).tolist()), tokenizer.vocabulary_size, borrowed.step,
        )  # fmt: skip


class GuessingGame:
    """A game on one passage.

    Args:
        passage: What is guessed.

    Attributes:
        wrong: The wrong guesses of the present symbol, each once.
        ranks: The number of guesses of each symbol that is known by now; that of the vocabulary where it was revealed.
    """

    def __init__(self, passage: Passage) -> None:
        self.passage = passage
        self.wrong: list[str] = []
        self.ranks: list[int] = []

    @property
    def is_over(self) -> bool:
        """True once every symbol is known."""
        return len(self.ranks) == len(self.passage.symbols)

    @property
    def text(self) -> str:
        """The text that is known by now."""
        return self.passage.before + "".join(self.passage.symbols[: len(self.ranks)])

    def guess(self, symbol: str) -> bool:
        """Guess the present symbol; return True if it was right. A wrong guess counts once."""
        if self.is_over:
            return False
        if symbol == self.passage.symbols[len(self.ranks)]:
            self._take(len(self.wrong) + 1)
            return True
        if symbol not in self.wrong:
            self.wrong.append(symbol)
        return False

    def reveal(self) -> None:
        """Give up the present symbol: it counts as guessed last of all."""
        if not self.is_over:
            self._take(max(self.passage.vocabulary_size, len(self.wrong) + 1))

    def bounds(self) -> tuple[GuessBounds, GuessBounds]:
        """Return the bounds of the entropy in bits per symbol, from the guesses of the user and from the run's."""
        from lab.diagnostics.texts.guesses import guess_bounds

        return guess_bounds(self.ranks), guess_bounds(self.passage.ranks[: len(self.ranks)])

    @property
    def bits(self) -> float:
        """The mean surprisal of the known symbols under the run, in bits; NaN before the first."""
        known = self.passage.nats[: len(self.ranks)]
        return bits(sum(known) / len(known)) if known else math.nan

    def at_once(self) -> tuple[int, int]:
        """Return how many of the known symbols the user, and the run, guessed at once."""
        return self.ranks.count(1), self.passage.ranks[: len(self.ranks)].count(1)

    def _take(self, rank: int) -> None:
        self.ranks.append(rank)
        self.wrong = []
