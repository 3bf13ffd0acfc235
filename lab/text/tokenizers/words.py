"""The word tokenizer: a symbol for each frequent word, with characters and bytes for all others."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.api import ModelConfig, setting
from lab.text.tokenizers.vocabularies import (
    LARGEST,
    Tokens,
    check_encodable,
    checked_numbers,
    damaged,
    empty_corpus,
    is_valid_text,
    label_of,
    table_of,
)

_RUN = re.compile(r" ?\w+(?:['’]\w+)*| ?[^\w\s]|\s")
_LONGEST = 1000  # characters of a word


class WordsConfig(ModelConfig):
    """The settings of the word tokenizer."""

    vocabulary_size: int = setting(
        10_000,
        ge=257,
        le=LARGEST,
        log=True,
        unit="symbols",
        help="Symbols: the 256 bytes, every character of the training part of the corpus, and as many of its most "
        "frequent words as fit. Typical: 5,000 to 50,000.",
    )
    minimum_count: int = setting(
        2,
        ge=1,
        le=10**6,
        log=True,
        help="Number of times a word must occur to get a symbol; others are spelled, so that no text becomes <unk>. "
        "Typical: 2 to 5.",
    )


class WordTokenizer:
    """One symbol per word, with the space before it, per sign, and per character of white space.

    Unknown words are spelled by characters of the fitted text, and unknown characters by bytes. So the text can be
    restored, and bits per byte are comparable with other tokenizers; a single symbol <unk> would allow neither, and
    would make the loss of a small vocabulary look good.

    Args:
        characters: The characters of that text, none twice: the symbols from 256 on, after the bytes.
        words: The symbols after these, each longer than a character.
    """

    def __init__(self, characters: str, words: list[str]) -> None:
        self.vocabulary_size = 256 + len(characters) + len(words)
        self._characters, self._words = characters, words
        self._texts = [*characters, *words]
        self._numbers = {text: 256 + position for position, text in enumerate(self._texts)}

    def encode(self, text: str) -> NDArray[np.int64]:
        """Return (N,) symbol numbers.

        Raises:
            BadInput: The text holds half of a surrogate pair, which has no UTF-8.
        """
        check_encodable(text)
        return np.fromiter(self._cut(text), np.int64)

    def decode(self, tokens: Tokens) -> str:
        """Return the text of symbols; incomplete or invalid UTF-8 becomes U+FFFD.

        Raises:
            ValueError: A number is not that of a symbol.
        """
        numbers = checked_numbers(tokens, self.vocabulary_size).tolist()
        return b"".join(map(self.bytes_of, numbers)).decode(errors="replace")

    def label(self, token: int) -> str:
        """Return a symbol for display: "␣the", "<0xE2>" for a byte."""
        return f"<0x{token:02X}>" if token < 256 else label_of(self._texts[token - 256])

    def sizes(self) -> NDArray[np.int64]:
        """Return (V,) bytes of UTF-8 of each symbol."""
        return np.array([len(self.bytes_of(number)) for number in range(self.vocabulary_size)], np.int64)

    def vocabulary(self) -> dict[str, Any]:
        """Return {"characters": a text, "words": a list}, both in order."""
        return {"characters": self._characters, "words": self._words}

    def bytes_of(self, token: int) -> bytes:
        """Return the bytes of a symbol."""
        return bytes([token]) if token < 256 else self._texts[token - 256].encode()

    def _cut(self, text: str) -> Iterator[int]:
        known = self._numbers
        for run in _RUN.finditer(text):
            number = known.get(run.group())
            if number is not None:
                yield number
                continue
            for position in range(*run.span()):
                number = known.get(text[position])
                if number is not None:
                    yield number
                    continue
                yield from text[position].encode()


def fit_words(config: WordsConfig, text: str) -> WordTokenizer:
    """Fit a tokenizer to the most frequent words of a text; equally frequent ones are taken by code point.

    Raises:
        BadInput: The text is empty, or holds half of a surrogate pair.
    """
    if not text:
        raise empty_corpus("words")
    check_encodable(text)
    counts = Counter(run.group() for run in _RUN.finditer(text))
    characters = "".join(sorted(set("".join(counts))))
    least = config.minimum_count
    words = [word for word, count in counts.items() if count >= least and 1 < len(word) <= _LONGEST]
    words.sort(key=lambda word: (-counts[word], word))
    return WordTokenizer(characters, words[: max(0, config.vocabulary_size - 256 - len(characters))])


def load_words(vocabulary: Mapping[str, Any]) -> WordTokenizer:
    """Restore a tokenizer from WordTokenizer.vocabulary, also from untrusted data.

    Raises:
        BadInput: It is not a vocabulary of words.
    """
    table = table_of(vocabulary, {"characters", "words"})
    characters, words = table["characters"], table["words"]
    if not is_valid_text(characters) or len(set(characters)) < len(characters):
        wanted = "the characters of the corpus as one text, none twice"
        raise damaged("characters", "is not a text of different characters", characters, wanted)
    problem: str | None = None
    if not isinstance(words, list) or not all(is_valid_text(word) for word in words):
        problem = "is not a list of words"
    elif len(words) > LARGEST or any(len(word) > _LONGEST for word in words):
        problem = "is larger than any vocabulary of this tokenizer"
    elif not all(_RUN.fullmatch(word) and len(word) > 1 for word in words):
        problem = "holds something that is not a word"
    elif len(set(words)) < len(words):
        problem = "holds a word twice"
    if problem:
        raise damaged(
            "words", problem, words, f"a list of at most {LARGEST:,} words longer than a character, none twice"
        )
    return WordTokenizer(str(characters), list(words))
