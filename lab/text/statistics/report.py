"""The statistics of a corpus for its page, part by part."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.api import LongText, NoSettings, Text, Tokenizer
from lab.text.corpora.mixture import Mixture
from lab.text.documents import training_share
from lab.text.measures import symbol_counts
from lab.text.statistics.compressors import COMPRESSORS, compressed_size
from lab.text.statistics.duplicates import Duplicates, duplicates
from lab.text.statistics.entropy import Entropies, entropies
from lab.text.statistics.grams import Grams, grams
from lab.text.statistics.overlap import Overlap, overlap
from lab.text.statistics.progress import SLICE, Step, unseen, watched
from lab.text.statistics.repeats import Repeats, longest_repeats
from lab.text.statistics.words import Words, words_of
from lab.text.statistics.zipf import Zipf, zipf
from lab.text.tokenizers.units import CharacterTokenizer, fit_characters

COMPRESSED = 10_000_000
"""The largest number of first characters that are compressed."""


@dataclass(frozen=True)
class Size:
    """Lengths and vocabulary.

    Args:
        characters: Characters of the text.
        bytes: Bytes of the text in UTF-8.
        lines: Lines, the last one with or without its end.
        words: Runs of letters and digits.
        tokens: Tokens of the text.
        characters_used: Different characters.
        words_used: Different words.
        tokens_used: Different symbols.
        vocabulary: Symbols of the tokenizer.
    """

    characters: int
    bytes: int
    lines: int
    words: int
    tokens: int
    characters_used: int
    words_used: int
    tokens_used: int
    vocabulary: int


@dataclass(frozen=True)
class Compressed:
    """Bits per byte by compressor.

    Args:
        whole: For the complete text.
        validation: For validation after training: its addition to the size of training. None if either is empty.
        read: The number of characters that were compressed.
    """

    whole: Mapping[str, float]
    validation: Mapping[str, float | None]
    read: int


@dataclass(frozen=True)
class CorpusPage:
    """The statistics of a corpus before any training.

    Args:
        name: Its name for the user.
        characters: The number of all its characters.
        read: The number of first characters that the page describes; some parts read fewer and state so.
        share: The share of these that belongs to training.
        size: Lengths and vocabulary.
        zipf_words: Counts of words by rank.
        zipf_tokens: Counts of tokens by rank.
        grams_characters: Most frequent n-grams of characters.
        grams_words: Most frequent n-grams of words.
        entropies: Entropies after Shannon.
        compressed: Compression by zlib, bz2 and lzma.
        repeats: Longest repeated passages.
        duplicates: Lines, paragraphs, documents.
        overlap: Overlap of training and validation.
    """

    name: str
    characters: int
    read: int
    share: float
    size: Size
    zipf_words: Zipf
    zipf_tokens: Zipf
    grams_characters: tuple[Grams, ...]
    grams_words: tuple[Grams, ...]
    entropies: Entropies
    compressed: Compressed
    repeats: Repeats
    duplicates: tuple[Duplicates, ...]
    overlap: Overlap


Computation = Callable[[Step], Any]
"""Computes one part of a CorpusPage; calls the step with its progress, which may raise to end it."""


def parts(
    text: Text | LongText, tokens: NDArray[np.integer[Any]], tokenizer: Tokenizer, share: float = 0.9
) -> dict[str, Computation]:
    """Return the functions that compute the parts of a CorpusPage, by the names of their fields, fastest first.

    They may be called in any order, but one at a time: they share the numbered words and characters.

    Args:
        text: The corpus; of a LongText its beginning is read.
        tokens: (N,) symbol numbers of the text that is read.
        tokenizer: The tokenizer of these tokens.
        share: The share of the text that belongs to training.
    """
    if isinstance(text, Mixture):
        training, validation = text.split(share)
        text = Text(f"{training}\n{validation}", text.name)
        share = (len(training) + 1) / len(text.text)
    content = text.text if isinstance(text, Text) else text.beginning
    starts = text.starts[: bisect_left(text.starts, len(content))]  # those that begin in what is read
    counting = _Counting(content, starts, tokens, tokenizer, training_share(text, share))
    return {
        "size": counting.size,
        "zipf_tokens": counting.zipf_tokens,
        "zipf_words": counting.zipf_words,
        "grams_words": counting.grams_words,
        "grams_characters": counting.grams_characters,
        "entropies": counting.entropies,
        "duplicates": counting.duplicates,
        "repeats": counting.repeats,
        "overlap": counting.overlap,
        "compressed": counting.compressed,
    }


def statistics(
    text: Text | LongText,
    tokens: NDArray[np.integer[Any]],
    tokenizer: Tokenizer,
    *,
    share: float = 0.9,
    progress: Callable[[int, int], object] = unseen,
    cancelled: Callable[[], bool] = lambda: False,
) -> CorpusPage:
    """Return all parts of a corpus page.

    One million characters of English take about 4 s and 100 MB in addition to the text and its tokens, 50 million two
    minutes and 500 MB.

    Args:
        text: As in `parts`.
        tokens: As in `parts`.
        tokenizer: As in `parts`.
        share: As in `parts`.
        progress: Called with the work done and the total.
        cancelled: Called often; True ends the work.

    Raises:
        Cancelled: It was cancelled.
    """
    found, todo = {}, parts(text, tokens, tokenizer, share)
    for number, (name, compute) in enumerate(todo.items()):

        def report(done: int, total: int, number: int = number) -> None:
            progress(number * 100 + min(100, 100 * done // max(1, total)), 100 * len(todo))

        found[name] = compute(watched(report, cancelled))
    read = len(text.text if isinstance(text, Text) else text.beginning)
    whole = read if isinstance(text, Text) else text.characters
    return CorpusPage(text.name, whole, read, training_share(text, share), **found)


class _Counting:
    """The parts of a page, and the intermediate results that several of them share."""

    def __init__(
        self, text: str, starts: Sequence[int], tokens: NDArray[np.integer[Any]], tokenizer: Tokenizer, share: float
    ) -> None:
        self._text, self._starts, self._share = text, starts, share
        self._tokens, self._tokenizer = tokens, tokenizer
        self._words: Words | None = None
        self._characters: tuple[CharacterTokenizer, NDArray[np.integer[Any]]] | None = None

    def size(self, step: Step) -> Size:
        size = self._tokenizer.vocabulary_size
        words = self._numbered_words(lambda done, total: step(done, 2 * total))
        alphabet, _ = self._numbered_characters(lambda done, total: step(total + done, 2 * total))
        parts = (self._text[start : start + SLICE] for start in range(0, len(self._text), SLICE))
        return Size(
            characters=len(self._text),
            bytes=sum(len(part.encode()) for part in parts),
            lines=self._text.count("\n") + (not self._text.endswith("\n")),
            words=len(words.numbers),
            tokens=len(self._tokens),
            characters_used=alphabet.vocabulary_size,
            words_used=len(words.names),
            tokens_used=int((symbol_counts(self._tokens, size) > 0).sum()),
            vocabulary=size,
        )

    def zipf_tokens(self, step: Step) -> Zipf:
        size = self._tokenizer.vocabulary_size
        step(0, 1)
        return zipf(symbol_counts(self._tokens, size), self._tokenizer.label)

    def zipf_words(self, step: Step) -> Zipf:
        words = self._numbered_words(step)
        return zipf(words.counts(), words.names.__getitem__)

    def grams_words(self, step: Step) -> tuple[Grams, ...]:
        words = self._numbered_words(step)
        return grams(words.numbers, len(words.names), words.shown, step=step)

    def grams_characters(self, step: Step) -> tuple[Grams, ...]:
        alphabet, numbers = self._numbered_characters(step)
        labels = [alphabet.label(number) for number in range(alphabet.vocabulary_size)]
        return grams(numbers, len(labels), lambda gram: "".join(labels[number] for number in gram.tolist()), step=step)

    def entropies(self, step: Step) -> Entropies:
        alphabet, numbers = self._numbered_characters(step)
        return entropies(numbers, alphabet.vocabulary_size, self._share, step=step)

    def duplicates(self, step: Step) -> tuple[Duplicates, ...]:
        return duplicates(self._text, self._starts, step=step)

    def repeats(self, step: Step) -> Repeats:
        return longest_repeats(self._text, step=step)

    def overlap(self, step: Step) -> Overlap:
        return overlap(self._text, self._share, step=step)

    def compressed(self, step: Step) -> Compressed:
        text = self._text[:COMPRESSED]
        border = int(self._share * len(text))
        train, validation = text[:border].encode(), text[border:].encode()
        complete: dict[str, float] = {}
        after: dict[str, float | None] = {}
        for number, name in enumerate(COMPRESSORS):

            def report(done: int, total: int, number: int = number) -> None:
                step(number * total + done, len(COMPRESSORS) * total)

            both = compressed_size(name, train, validation, step=report)
            alone = compressed_size(name, train, step=report)
            complete[name] = 8 * both / (len(train) + len(validation))
            after[name] = 8 * max(0, both - alone) / len(validation) if train and validation else None
        return Compressed(complete, after, len(text))

    def _numbered_words(self, step: Step) -> Words:
        if self._words is None:
            self._words = words_of(self._text, step=step)
        return self._words

    def _numbered_characters(self, step: Step) -> tuple[CharacterTokenizer, NDArray[np.integer[Any]]]:
        """Return the alphabet of the text, and its characters as numbers of the smallest sufficient integer type."""
        if self._characters is None:
            alphabet = fit_characters(NoSettings(), self._text)
            numbers = np.empty(len(self._text), np.min_scalar_type(alphabet.vocabulary_size))
            for start in range(0, len(numbers), SLICE):
                numbers[start : start + SLICE] = alphabet.encode(self._text[start : start + SLICE])
                step(start, len(numbers))
            self._characters = alphabet, numbers
        return self._characters
