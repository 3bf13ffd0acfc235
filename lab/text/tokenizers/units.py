"""Tokenizers that need no training: characters and bytes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.api import BadInput, NoSettings
from lab.text.tokenizers.vocabularies import (
    Tokens,
    checked_numbers,
    damaged,
    empty_corpus,
    is_valid_text,
    label_of,
    no_character,
    table_of,
)

_SLICE = 1 << 17  # characters at once: fits the processor's cache, and needs no copy of a large text
_CODE_POINTS = 0x110000


class CharacterTokenizer:
    """One symbol per character.

    Args:
        characters: The vocabulary; symbol i is the i-th character, none twice.
    """

    def __init__(self, characters: str) -> None:
        self.characters = characters
        self.vocabulary_size = len(characters)
        self._codes = _codes(characters)  # (V,)
        above = int(self._codes.max(initial=0)) + 1  # stands for every code point above those of the vocabulary
        self._numbers = np.full(above + 1, -1, np.int64)  # symbol numbers by code point
        self._numbers[self._codes] = np.arange(self.vocabulary_size)

    def encode(self, text: str) -> NDArray[np.int64]:
        """Return (N,) symbol numbers, one per character.

        Raises:
            BadInput: A character is not in the vocabulary; the problem names it and its position, from 1.
        """
        tokens = np.empty(len(text), np.int64)
        for start, codes in _slices(text):
            here = tokens[start : start + len(codes)]
            self._numbers.take(codes, mode="clip", out=here)
            if here.size and here.min() < 0:
                raise self._unknown(text, start + int(here.argmin()))
        return tokens

    def decode(self, tokens: Tokens) -> str:
        """Return the characters of symbol numbers.

        Raises:
            ValueError: A number is not that of a symbol.
        """
        return self._codes[checked_numbers(tokens, self.vocabulary_size)].tobytes().decode("utf-32-le")

    def label(self, token: int) -> str:
        """Return the character for display: "␣" for a space, "⏎", "⇥", "<0x07>" if it is not visible."""
        return label_of(self.characters[token])

    def sizes(self) -> NDArray[np.int64]:
        """Return (V,) bytes of UTF-8 of each character."""
        return np.array([len(character.encode()) for character in self.characters], np.int64)

    def vocabulary(self) -> dict[str, Any]:
        """Return {"characters": all of them in order}."""
        return {"characters": self.characters}

    def _unknown(self, text: str, position: int) -> BadInput:
        label = label_of(text[position])
        code = f" (U+{ord(text[position]):04X})" if ord(text[position]) > 126 else ""
        return BadInput(
            f"the character {label}{code} does not occur in this model's text (position {position + 1})",
            field="text",
            remedy="Remove it, or train a model with the tokenizer byte, which reads every character",
        )


class ByteTokenizer:
    """256 symbols, the bytes of UTF-8."""

    def __init__(self) -> None:
        self.vocabulary_size = 256

    def encode(self, text: str) -> NDArray[np.int64]:
        """Return (N,) bytes of the text in UTF-8.

        Raises:
            BadInput: The text holds half of a surrogate pair, which has no UTF-8.
        """
        try:
            return np.frombuffer(text.encode(), np.uint8).astype(np.int64)
        except UnicodeEncodeError as error:
            raise no_character(text, error.start) from None

    def decode(self, tokens: Tokens) -> str:
        """Return the text of bytes; incomplete or invalid UTF-8 becomes U+FFFD.

        Raises:
            ValueError: A number is not a byte.
        """
        return checked_numbers(tokens, 256).astype(np.uint8).tobytes().decode(errors="replace")

    def bytes_of(self, token: int) -> bytes:
        """Return the byte."""
        return bytes([token])

    def label(self, token: int) -> str:
        """Return the byte for display: its ASCII character, "␣", "⏎", "⇥", or "<0x9F>"."""
        return label_of(bytes([token]))

    def sizes(self) -> NDArray[np.int64]:
        """Return (256,) ones."""
        return np.ones(256, np.int64)

    def vocabulary(self) -> dict[str, Any]:
        """Return {}: there is nothing to store."""
        return {}


def fit_characters(config: NoSettings, text: str) -> CharacterTokenizer:
    """Return the tokenizer whose vocabulary is the different characters of a text, sorted by code point.

    Raises:
        BadInput: The text is empty.
    """
    del config
    seen = np.zeros(_CODE_POINTS, bool)
    for _, codes in _slices(text):
        seen[codes] = True
    found = np.flatnonzero(seen).astype("<u4")
    if not found.size:
        raise empty_corpus("characters")
    return CharacterTokenizer(found.tobytes().decode("utf-32-le"))


def load_characters(vocabulary: Mapping[str, Any]) -> CharacterTokenizer:
    """Restore a tokenizer from CharacterTokenizer.vocabulary, also from untrusted data.

    Raises:
        BadInput: It is not {"characters": text without any character twice}.
    """
    characters = table_of(vocabulary, {"characters"})["characters"]
    problem = None
    if not is_valid_text(characters):
        problem = "is not text with characters that UTF-8 has"
    elif len(set(characters)) < len(characters):
        problem = "holds a character twice"
    if problem:
        wanted = "the characters of the vocabulary as one text, none twice"
        raise damaged("characters", problem, characters, wanted)
    return CharacterTokenizer(str(characters))


def fit_bytes(config: NoSettings, text: str) -> ByteTokenizer:
    """Return the tokenizer of bytes, which is the same for every text."""
    del config, text
    return ByteTokenizer()


def load_bytes(vocabulary: Mapping[str, Any]) -> ByteTokenizer:
    """Restore a tokenizer from ByteTokenizer.vocabulary.

    Raises:
        BadInput: Something is stored where nothing should be.
    """
    table_of(vocabulary, set())
    return ByteTokenizer()


def _codes(text: str) -> NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")


def _slices(text: str) -> Iterator[tuple[int, NDArray[np.uint32]]]:
    """Yield (first position, code points) of the text, slice by slice."""
    for start in range(0, len(text), _SLICE):
        yield start, _codes(text[start : start + _SLICE])
