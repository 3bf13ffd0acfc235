"""Corpora and tokenizers, which turn text into the numbers that a model reads."""

from __future__ import annotations

import functools
import hashlib
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol, Self

from lab.api.data import DataKind, Rows
from lab.api.registrations import Registration

if TYPE_CHECKING:
    import numpy as np

    from lab.api.data import DataKind, Rows
    from lab.api.examples import Examples

ENTROPY_RATE = "entropy rate"
"""Name of the floor that is the exact entropy of a source: the smallest mean loss of any predictor."""


@dataclass(frozen=True)
class Text:
    """A corpus in memory.

    Args:
        text: The text.
        name: Its name, shown to the user.
        dropped: Number of characters that were left out when it was read.
        facts: Everything else that determines its content ("python": "3.11.7"); stored with the run.
        floors: By name, losses of the next token in nats per character that no model can beat on average over long
            texts, if the source knows them. A short validation part may lie below.
        starts: The position of the first character of each document, from 0 on, if the text consists of documents. A
            line break stands between two of them and belongs to neither. () if it is one continuous text.

    Attributes:
        sha256: SHA-256 of its UTF-8 bytes, and of its borders if it has any, in hex, by which a run recognises its
            corpus.
    """

    text: str
    name: str
    dropped: int = 0
    facts: Mapping[str, Any] = field(default_factory=dict)
    floors: Mapping[str, float] = field(default_factory=dict)
    starts: Sequence[int] = ()

    @classmethod
    def of(cls, documents: Iterable[str], name: str, **fields: Any) -> Self:
        """Return a text that consists of documents, in their order.

        Args:
            documents: The text of each; those that are blank are left out.
            name: Its name, shown to the user.
            **fields: The other fields.
        """
        bodies = [one for one in documents if one and not one.isspace()]
        starts = [0, *itertools.accumulate(len(one) + 1 for one in bodies)][: len(bodies)]
        return cls("\n".join(bodies), name, starts=tuple(starts), **fields)

    def documents(self) -> Iterator[str]:
        """Yield its documents; the text itself if it is one continuous text."""
        ends = [*(start - 1 for start in self.starts[1:]), len(self.text)]
        for start, end in zip(self.starts or (0,), ends, strict=True):
            yield self.text[start:end]

    @functools.cached_property
    def sha256(self) -> str:
        """SHA-256 of the UTF-8 bytes, and of the borders of its documents if it has any, in hex."""
        digest = hashlib.sha256()
        for start in range(0, len(self.text), 1 << 20):  # no second copy of a large text
            digest.update(self.text[start : start + (1 << 20)].encode())
        if self.starts:
            digest.update(f"\x00{','.join(map(str, self.starts))}".encode())
        return digest.hexdigest()


@dataclass(frozen=True)
class LongText:
    """A corpus too long for memory, read piece by piece.

    Args:
        pieces: Returns its text in pieces, the same at each call, cut after the end of a line if one is near.
        name: Its name, shown to the user.
        beginning: The text that tokenizers are fitted to: the first characters, and then each that occurs only later.
            One that is fitted to the training part alone gets at most so many of the first characters.
        characters: Number of characters.
        bytes: Size in UTF-8.
        sha256: SHA-256 of its UTF-8 bytes, and of its borders if it has any, as of a Text, in hex.
        dropped: As in Text.
        facts: As in Text.
        floors: As in Text.
        starts: As in Text.
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
    starts: Sequence[int] = ()


class Tokenizer(Protocol):
    """A mapping between text and symbol numbers.

    Attributes:
        vocabulary_size: Number of symbols, numbered from 0.

    One whose model marks the end of a text may have the attribute `end_of_text`, the numbers of these symbols. One with
    symbols that are parts of characters may have the method `bytes_of(token)`, which returns the bytes of a symbol.
    """

    vocabulary_size: int

    def encode(self, text: str) -> np.ndarray:
        """Return the symbol numbers of a text, (N,) int64.

        Raises:
            BadInput: The text holds something that the vocabulary lacks; the problem names it.
        """
        ...

    def decode(self, tokens: Sequence[int] | np.ndarray) -> str:
        """Return the text of symbol numbers; bytes that are not UTF-8 (yet) become U+FFFD."""
        ...

    def label(self, token: int) -> str:
        """Return the label of a symbol: "␣", "⏎", "<0x9F>"."""
        ...

    def sizes(self) -> np.ndarray:
        """Return the bytes of UTF-8 text that each symbol stands for, (V,), from which bits per byte are computed."""
        ...

    def vocabulary(self) -> dict[str, Any]:
        """Return the plain JSON from which its Tokenization's `load` restores it; stored with every run."""
        ...


def bytes_of(tokenizer: Tokenizer, token: int) -> bytes:
    """Return the bytes of UTF-8 that a symbol stands for; b"" if it has no text, or the tokenizer does not say it."""
    own: Callable[[int], bytes] | None = getattr(tokenizer, "bytes_of", None)
    if own is not None:
        return own(token)
    text = tokenizer.decode([token])
    return b"" if "\ufffd" in text else text.encode()


@dataclass(frozen=True)
class Corpus(Registration):
    """A registered source of data. `build(config)` reads or makes it, always the same for the same config.

    `build` raises BadInput for a file or a setting that cannot be used.

    Args:
        kind: What it gives: text, examples, pairs, labels, conversations, vectors or images.
        tests: For a synthetic source: the ability it tests.
        expected: The architectures that should do well on it, and why.
        references: The papers.
        tokenizer: Name of the one tokenizer that fits it: "symbol" if it gives Examples, "none" if nothing in it is
            text.
        variants: Settings of it that have a name of their own on the command line ("spirals"), by that name.
    """

    build: Callable[[Any], Text | LongText | Examples | Rows] | str
    kind: DataKind = field(kw_only=True, default="text")
    tests: str = field(kw_only=True, default="")
    expected: str = field(kw_only=True, default="")
    references: Sequence[str] = field(kw_only=True, default=())
    tokenizer: str | None = field(kw_only=True, default=None)
    variants: Mapping[str, Mapping[str, Any]] = field(kw_only=True, default_factory=dict)


@dataclass(frozen=True)
class Tokenization(Registration):
    """A registered way to cut text into tokens. `build(config, text)` fits a Tokenizer to a text (str).

    Args:
        load: vocabulary -> Tokenizer, the inverse of Tokenizer.vocabulary, or "package.module:function".
        fitted_to: The text that `build` gets: "training" is the training part alone, for a tokenizer that learns from
            it and reads every other text too; "all" includes the validation part, for one that refuses what it does not
            know; "nothing" if `build` does not use it. Bits per byte are only fair if nothing was learned from "all".
    """

    build: Callable[[Any, str], Tokenizer] | str
    load: Callable[[Mapping[str, Any]], Tokenizer] | str = field(kw_only=True)
    fitted_to: Literal["training", "all", "nothing"] = field(kw_only=True, default="all")
