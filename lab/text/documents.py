"""Documents as tokens: each ends with the end symbol, and they are packed one after another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.api import LongText, Text, Tokenizer, bytes_of
from lab.text.tokenizers.vocabularies import checked_numbers

FACT = "documents"
"""The fact of a run that holds the number of documents of its corpus."""
_TOKENS = 1 << 20  # that are searched at once


class DocumentTokenizer:
    """A tokenizer of text with the end symbol of documents.

    It is the symbol with which the tokenizer itself ends a text, if it has one, and otherwise one more symbol after its
    own. The end symbol stands for no text: its size is 0.

    Args:
        text: The tokenizer of the text of documents.
    """

    def __init__(self, text: Tokenizer) -> None:
        self.text = text
        own: Sequence[int] = getattr(text, "end_of_text", ())
        self.end = int(own[0]) if own else text.vocabulary_size
        self.vocabulary_size = max(text.vocabulary_size, self.end + 1)
        self.end_of_text = (self.end,)

    def encode(self, text: str) -> NDArray[np.int64]:
        """Return the symbol numbers of a text, (N,) int64, without the end symbol."""
        return np.asarray(self.text.encode(text), np.int64)

    def decode(self, tokens: Sequence[int] | NDArray[Any]) -> str:
        """Return the text of symbol numbers, with a line break at the end of each document."""
        numbers = checked_numbers(tokens, self.vocabulary_size)
        documents = np.split(numbers, np.flatnonzero(numbers == self.end) + 1)
        return "\n".join(self.text.decode(document[document != self.end]) for document in documents)

    def bytes_of(self, token: int) -> bytes:
        """Return the bytes of a symbol, none for the end symbol."""
        return b"" if token == self.end else bytes_of(self.text, token)

    def label(self, token: int) -> str:
        """Return the label of a symbol."""
        return "<end of text>" if token == self.end else self.text.label(token)

    def sizes(self) -> NDArray[np.int64]:
        """Return (V,) bytes of each symbol, 0 for the end symbol."""
        sizes = np.zeros(self.vocabulary_size, np.int64)
        own = self.text.sizes()
        sizes[: len(own)] = own
        sizes[self.end] = 0
        return sizes

    def vocabulary(self) -> dict[str, Any]:
        """Return the vocabulary of the text's tokenizer; a run stores the number of documents with its corpus."""
        return self.text.vocabulary()

    def around(self) -> tuple[list[int], list[int]]:
        """Return the symbols before and after a text that a model continues as the beginning of a document."""
        return [self.end], []


def packed(given: Text, tokenizer: DocumentTokenizer) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the tokens of all documents one after another, and where each ends.

    The end symbol stands before the first document and after each one, so that every token of a document and its end
    are predicted, and a document begins after an end.

    Returns:
        (N,) tokens, and (D + 1,) positions of the end symbols among them.
    """
    end = np.array([tokenizer.end])
    encoded = [tokenizer.encode(document) for document in given.documents()]
    ends = np.cumsum([0, *(len(tokens) + 1 for tokens in encoded)])
    return np.concatenate([end, *(part for tokens in encoded for part in (tokens, end))]), ends


def borders(starts: Sequence[int]) -> Iterator[bytes]:
    """Yield what borders of documents add to the hash of a text, as in `Text.sha256`; nothing if there are none."""
    for first in range(0, len(starts), 1 << 16):
        numbers = ",".join(map(str, starts[first : first + (1 << 16)]))
        yield f"{',' if first else chr(0)}{numbers}".encode()


def training_documents(given: Text | LongText, share: float) -> int:
    """Return how many of the first documents are for training: whole ones, at least one, and never all.

    Their number only depends on the text and the share of its characters that is for training.

    Args:
        given: A text with at least two documents.
        share: The share of its characters for training.
    """
    border = int(np.searchsorted(given.starts, share * characters_of(given)))
    return min(max(1, border), len(given.starts) - 1)


def training_share(given: Text | LongText, share: float) -> float:
    """Return the share of the characters of a text that is for training, in whole documents if it has some."""
    if not given.starts:
        return share
    return given.starts[training_documents(given, share)] / characters_of(given)


def characters_of(given: Text | LongText) -> int:
    """Return the number of characters of a text."""
    return len(given.text) if isinstance(given, Text) else given.characters


def end_of(tokens: NDArray[np.integer[Any]], end: int, documents: int) -> int:
    """Return the position of the end symbol after the first documents, in the tokens (N,) of all of them."""
    wanted = documents + 1  # one stands before the first document
    for start in range(0, len(tokens), _TOKENS):
        found = np.flatnonzero(tokens[start : start + _TOKENS] == end)
        if len(found) >= wanted:
            return start + int(found[wanted - 1])
        wanted -= len(found)
    raise ValueError(f"there are fewer than {documents} documents")


def with_stored_documents(text: Tokenizer, corpus: Mapping[str, Any]) -> Tokenizer:
    """Return the tokenizer of a run: with the end symbol if its corpus, as the run stores it, has documents."""
    return DocumentTokenizer(text) if FACT in corpus else text
