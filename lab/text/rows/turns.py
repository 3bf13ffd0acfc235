"""Conversations as tokens: each turn is the symbol of its role, its text, and the symbol of its end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.api import Conversations, Tokenizer, Turn
from lab.text.tokenizers.vocabularies import checked_numbers

END = "end of turn"
"""Label of the symbol that ends a turn."""


class TurnTokenizer:
    """A tokenizer of text with a symbol for each role and one for the end of a turn, numbered after its own.

    These symbols stand for no text, and their size is 0.

    Args:
        text: The tokenizer of the text of turns.
        roles: The roles, in the order of their symbols.
    """

    def __init__(self, text: Tokenizer, roles: Sequence[str]) -> None:
        self.text, self.roles = text, tuple(roles)
        self.end = text.vocabulary_size + len(self.roles)
        self.vocabulary_size = self.end + 1

    def role(self, name: str) -> int:
        """Return the number of the symbol of a role."""
        return self.text.vocabulary_size + self.roles.index(name)

    def encode(self, text: str) -> NDArray[np.int64]:
        """Return the symbol numbers of a text, (N,) int64, without symbols of turns."""
        return np.asarray(self.text.encode(text), np.int64)

    def decode(self, tokens: Sequence[int] | NDArray[Any]) -> str:
        """Return the text of symbol numbers, with a line break at the end of each turn."""
        numbers = checked_numbers(tokens, self.vocabulary_size)
        turns = np.split(numbers, np.flatnonzero(numbers == self.end) + 1)
        return "\n".join(self.text.decode(turn[turn < self.text.vocabulary_size]) for turn in turns)

    def label(self, token: int) -> str:
        """Return the label of a symbol: a role's name in angle brackets."""
        if token < self.text.vocabulary_size:
            return self.text.label(token)
        return f"<{(*self.roles, END)[token - self.text.vocabulary_size]}>"

    def sizes(self) -> NDArray[np.int64]:
        """Return (V,) bytes of each symbol, 0 for those of turns."""
        return np.concatenate([self.text.sizes(), np.zeros(len(self.roles) + 1, np.int64)])

    def vocabulary(self) -> dict[str, Any]:
        """Return the vocabulary of the text's tokenizer; a run stores the roles with its corpus."""
        return self.text.vocabulary()

    def prompt(self, text: str, reads: str | None, writes: str) -> list[int]:
        """Return what a model reads before it answers a text: the turn of one role, and the other role's symbol."""
        asked = [] if reads is None else [self.role(reads), *self.encode(text).tolist(), self.end]
        begun = [] if reads is not None else self.encode(text).tolist()
        return [*asked, self.role(writes), *begun]


def encoded_turns(tokenizer: TurnTokenizer, turns: Iterable[Turn]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return tokens (T,) of a conversation, and which are scored: the text of learned turns and their end."""
    tokens: list[NDArray[np.int64]] = []
    scored: list[NDArray[np.bool_]] = []
    for turn in turns:
        text = tokenizer.encode(turn.text)
        tokens.append(np.concatenate([[tokenizer.role(turn.role)], text, [tokenizer.end]]))
        scored.append(np.concatenate([[False], np.full(len(text) + 1, turn.learned)]))
    return np.concatenate(tokens), np.concatenate(scored)


def speakers(conversations: Conversations) -> tuple[str | None, str]:
    """Return the role that is answered, None if the first learned turn opens a conversation, and the one that writes.

    They are those of the first learned turn of the first conversation.
    """
    turns = conversations.conversations[0]
    first = next(index for index, turn in enumerate(turns) if turn.learned)
    return (turns[first - 1].role if first else None), turns[first].role
