"""Corpora and tokenizers: from text that people have to the numbers a model reads."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from lab.api.registrations import Registration

if TYPE_CHECKING:
    import numpy as np

    from lab.api.examples import Examples

ENTROPY_RATE = "entropy rate"
"""Name of the floor that is the truth of a source: no predictor loses less in the mean, and one loses just that."""


@dataclass(frozen=True)
class Text:
    """A corpus, read.

    Args:
        text: All of it.
        name: What people call it.
        dropped: Characters that were left out when it was read.
        facts: What else decides its content ("python": "3.11.7"), stored with the run.
        floors: Losses of the next token in nats per character, by name, that no model passes in the mean over long
            texts, where the source knows them. A short validation part may lie below.

    Attributes:
        sha256: Of its UTF-8 bytes, in hex: what a run recognises its corpus by.
    """

    text: str
    name: str
    dropped: int = 0
    facts: Mapping[str, Any] = field(default_factory=dict)
    floors: Mapping[str, float] = field(default_factory=dict)

    @functools.cached_property
    def sha256(self) -> str:
        """Of its UTF-8 bytes, in hex."""
        digest = hashlib.sha256()
        for start in range(0, len(self.text), 1 << 20):  # no second copy of a large text
            digest.update(self.text[start : start + (1 << 20)].encode())
        return digest.hexdigest()


@dataclass(frozen=True)
class LongText:
    """A corpus too long to be held in memory, read piece by piece.

    Args:
        pieces: Its text in pieces, the same ones at each call, cut behind the end of a line wherever one is near.
        name: What people call it.
        beginning: What a tokenizer is fitted to: the first characters, and behind them each that comes later only.
        characters: Of all of it.
        bytes: Of all of it in UTF-8.
        sha256: Of its UTF-8 bytes, in hex.
        dropped: As in Text.
        facts: As in Text.
        floors: As in Text.
    """

    pieces: Callable[[], Iterator[str]]
    name: str
    beginning: str
    characters: int
    bytes: int
    sha256: str
    dropped: int = 0
    facts: Mapping[str, Any] = field(default_factory=dict)
    floors: Mapping[str, float] = field(default_factory=dict)


class Tokenizer(Protocol):
    """Text to symbol numbers and back.

    Attributes:
        vocabulary_size: Symbols, numbered from 0.
    """

    vocabulary_size: int

    def encode(self, text: str) -> np.ndarray:
        """(N,) int64 symbol numbers.

        Raises:
            BadInput: The text holds something the vocabulary lacks; the problem names it.
        """
        ...

    def decode(self, tokens: Sequence[int] | np.ndarray) -> str:
        """The text of symbol numbers; bytes that are no UTF-8 (yet) become U+FFFD."""
        ...

    def label(self, token: int) -> str:
        """One symbol for people: "␣", "⏎", "<0x9F>"."""
        ...

    def sizes(self) -> np.ndarray:
        """(V,) bytes of UTF-8 text that each symbol stands for: what bits per byte divide by."""
        ...

    def vocabulary(self) -> dict[str, Any]:
        """What its Tokenization's `load` needs to make it again: plain JSON, stored with every run."""
        ...


@dataclass(frozen=True)
class Corpus(Registration):
    """A registered source of text. `build(config)` reads or makes it, the same one for the same config.

    Args:
        tests: What a source that is made for it tests.
        expected: Which architectures should do well on it, and why.
        references: The papers.
        tokenizer: Name of the one tokenizer that fits it: "symbol" where it gives Examples.
    """

    build: Callable[[Any], Text | LongText | Examples] | str
    tests: str = field(kw_only=True, default="")
    expected: str = field(kw_only=True, default="")
    references: Sequence[str] = field(kw_only=True, default=())
    tokenizer: str | None = field(kw_only=True, default=None)


@dataclass(frozen=True)
class Tokenization(Registration):
    """A registered way to cut text into tokens. `build(config, text)` fits a Tokenizer to a corpus, given as a str.

    Args:
        load: vocabulary -> Tokenizer, the inverse of Tokenizer.vocabulary, or "package.module:function".
    """

    build: Callable[[Any, str], Tokenizer] | str
    load: Callable[[Mapping[str, Any]], Tokenizer] | str = field(kw_only=True)
