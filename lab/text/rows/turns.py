"""Conversations as tokens: each turn is the symbol of its role, its text, and the symbol of its end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.api import Conversations, LabError, Tokenizer, Turn, bytes_of
from lab.text.tokenizers.vocabularies import checked_numbers

END = "end of turn"
"""Label of the symbol that ends a turn."""


class TurnTokenizer:
    """A tokenizer of text with a symbol for each role and one for the end of a turn, numbered after its own.

    These symbols stand for no text, and their size is 0.

    Args:
        text: The tokenizer of the text of turns.
        roles: The roles, in the order of their symbols.
        reads: The role that is answered; None if the role that writes opens the conversation.
        writes: The role that a model writes.
    """

    def __init__(self, text: Tokenizer, roles: Sequence[str], reads: str | None, writes: str) -> None:
        self.text, self.roles, self.reads, self.writes = text, tuple(roles), reads, writes
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

    def bytes_of(self, token: int) -> bytes:
        """Return the bytes of a symbol, none for those of turns."""
        return b"" if token >= self.text.vocabulary_size else bytes_of(self.text, token)

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

    def around(self) -> tuple[list[int], list[int]]:
        """Return the symbols before and after a text that a model answers: a turn of one role, and the other role's.

        If nobody is answered, the text is the beginning of the turn that the model writes.
        """
        if self.reads is None:
            return [self.role(self.writes)], []
        return [self.role(self.reads)], [self.end, self.role(self.writes)]


def encoded_turns(tokenizer: TurnTokenizer, turns: Iterable[Turn]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return tokens (T,) of a conversation, and which are scored: the text of learned turns and their end."""
    tokens: list[NDArray[np.int64]] = []
    scored: list[NDArray[np.bool_]] = []
    for turn in turns:
        text = tokenizer.encode(turn.text)
        tokens.append(np.concatenate([[tokenizer.role(turn.role)], text, [tokenizer.end]]))
        scored.append(np.concatenate([[False], np.full(len(text) + 1, turn.learned)]))
    return np.concatenate(tokens), np.concatenate(scored)


def turn_tokenizer(text: Tokenizer, conversations: Conversations) -> TurnTokenizer:
    """Return the tokenizer of conversations; the first learned turn of the first one says who answers whom."""
    turns = conversations.conversations[0]
    first = next(index for index, turn in enumerate(turns) if turn.learned)
    reads = turns[first - 1].role if first else None
    return TurnTokenizer(text, conversations.roles, reads, turns[first].role)


def with_stored_turns(text: Tokenizer, corpus: Mapping[str, Any]) -> Tokenizer:
    """Return the tokenizer of a run: with the symbols of turns if its corpus, as the run stores it, has roles.

    Raises:
        LabError: The stored roles are damaged.
    """
    if "roles" not in corpus:
        return text
    roles: Any = corpus["roles"]
    reads, writes = corpus.get("reads"), corpus.get("writes")
    names = isinstance(roles, list) and all(isinstance(role, str) for role in roles)
    if names and isinstance(writes, str) and writes in roles and (reads is None or reads in roles):
        return TurnTokenizer(text, roles, reads, writes)
    what = "this run does not say who speaks in its conversations"
    raise LabError(what, field="run.json", value=str(roles)[:60], remedy="Use another copy of the run")
