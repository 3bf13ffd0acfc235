"""Corpora and tokenizers: from text that people have to the numbers a model reads."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from lab.api.parts import Part

if TYPE_CHECKING:
    import numpy as np


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
class Corpus(Part):
    """A registered source of text. `build(config)` reads it and returns a Text, the same one for the same config."""

    build: Callable[[Any], Text] | str


@dataclass(frozen=True)
class Tokenization(Part):
    """A registered way to cut text into tokens. `build(config, text)` fits a Tokenizer to a corpus, given as a str.

    Args:
        load: vocabulary -> Tokenizer, the inverse of Tokenizer.vocabulary, or "package.module:function".
    """

    build: Callable[[Any, str], Tokenizer] | str
    load: Callable[[Mapping[str, Any]], Tokenizer] | str = field(kw_only=True)
