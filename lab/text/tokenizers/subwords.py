"""Subword tokenizers through the `tokenizers` library: byte pair encoding and the unigram model, fitted to a corpus."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.api import ModelConfig, setting
from lab.text.tokenizers.merges import LEAST
from lab.text.tokenizers.pretokens import BYTES, LETTERS, cutter, learnt_slices, library, slices, to_bytes
from lab.text.tokenizers.vocabularies import (
    LARGEST,
    Tokens,
    check_encodable,
    checked_numbers,
    damaged,
    empty_corpus,
    label_of,
    table_of,
)

_BATCH = 32  # slices tokenized at once
_LONGEST = 4096  # bytes of one symbol; those learned here have at most half as many
_LETTERS = 1 << 26  # of all symbols together
_LOWEST = -1000.0
_PENALTIES = 0.026  # largest addition of the library to the scores of bytes it did not see, in varying order
_SINGLE = [LETTERS[byte] for byte in BYTES]


class SubwordsConfig(ModelConfig):
    """The settings of BPE and Unigram."""

    vocabulary_size: int = setting(
        1024,
        ge=256,
        le=LARGEST,
        log=True,
        unit="symbols",
        help="Symbols, including the 256 bytes; learned from the training part of the corpus alone. Fewer if it has no "
        "more that occur twice. Typical: 1,000 to 50,000.",
    )


class SubwordTokenizer:
    """A tokenizer based on a model of the library, with symbols of one or more bytes; reads every text.

    Args:
        symbols: All symbols as letters of bytes, none twice, including the 256 single ones.
        model: The library's model with the same numbers.
        vocabulary: The stored vocabulary, for `load`.
    """

    def __init__(self, symbols: list[str], model: Any, vocabulary: dict[str, Any]) -> None:
        self.vocabulary_size = len(symbols)
        self._bytes = [to_bytes(symbol) for symbol in symbols]
        self._vocabulary = vocabulary
        self._library = library().Tokenizer(model)
        self._library.pre_tokenizer = cutter()

    def encode(self, text: str) -> NDArray[np.int64]:
        """Return (N,) symbol numbers.

        Raises:
            BadInput: The text holds half of a surrogate pair, which has no UTF-8.
        """
        check_encodable(text)
        parts = [np.empty(0, np.int64)]
        waiting = slices(text)
        while batch := list(itertools.islice(waiting, _BATCH)):
            cut = self._library.encode_batch_fast(batch, add_special_tokens=False)
            parts += [np.array(one.ids, np.int64) for one in cut]
        return np.concatenate(parts)

    def decode(self, tokens: Tokens) -> str:
        """Return the text of symbols; incomplete or invalid UTF-8 becomes U+FFFD.

        Raises:
            ValueError: A number is not that of a symbol.
        """
        numbers = checked_numbers(tokens, self.vocabulary_size).tolist()
        return b"".join(map(self._bytes.__getitem__, numbers)).decode(errors="replace")

    def bytes_of(self, token: int) -> bytes:
        """Return the bytes of a symbol, which may be part of a character."""
        return self._bytes[token]

    def label(self, token: int) -> str:
        """Return a symbol for display: "␣the", and "<0xE2>" for bytes that are part of a character."""
        return label_of(self._bytes[token])

    def sizes(self) -> NDArray[np.int64]:
        """Return (V,) bytes of each symbol."""
        return np.array([len(one) for one in self._bytes], np.int64)

    def vocabulary(self) -> dict[str, Any]:
        """Return {"symbols": letters of bytes, "merges": pairs of numbers}; of Unigram "scores" instead of merges."""
        return self._vocabulary


def fit_bpe(config: SubwordsConfig, text: str) -> SubwordTokenizer:
    """Fit byte pair encoding (Sennrich et al. 2016) on bytes, within words as cut by GPT-2.

    Its merges are those of `lab.text.tokenizers.merges.learn_merges`.

    Raises:
        BadInput: The text is empty, or holds half of a surrogate pair.
    """
    trainer = library().trainers.BpeTrainer(
        vocab_size=config.vocabulary_size, min_frequency=LEAST, initial_alphabet=_SINGLE, show_progress=False
    )
    found = _trained(library().models.BPE(), trainer, text)
    numbers: dict[str, int] = found["vocab"]
    symbols = sorted(numbers, key=numbers.__getitem__)
    return _bpe(symbols, [(numbers[left], numbers[right]) for left, right in found["merges"]])


def load_bpe(vocabulary: Mapping[str, Any]) -> SubwordTokenizer:
    """Restore a tokenizer of BPE from SubwordTokenizer.vocabulary, also from untrusted data.

    Raises:
        BadInput: It is not a vocabulary of BPE.
    """
    table = table_of(vocabulary, {"symbols", "merges"})
    symbols, merges = _checked_symbols(table["symbols"]), table["merges"]
    if symbols[:256] != _SINGLE:
        raise damaged("symbols", "do not start with the 256 bytes", symbols[:3], "the bytes in the order of GPT-2")
    wanted = "pairs of symbol numbers, none twice, each of which makes a symbol"
    if not isinstance(merges, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in merges):
        raise damaged("merges", "is not a list of pairs", merges, wanted)
    for pair in merges:
        if not all(type(number) is int and 0 <= number < len(symbols) for number in pair):
            raise damaged("merges", "holds something that is not a symbol number", pair, wanted)
    pairs = [(left, right) for left, right in merges]
    if len(set(pairs)) < len(pairs):
        raise damaged("merges", "holds a pair twice", merges, wanted)
    made = {symbols[left] + symbols[right] for left, right in pairs if len(symbols[left] + symbols[right]) <= _LONGEST}
    if made != set(symbols[256:]) or any(len(symbols[left] + symbols[right]) > _LONGEST for left, right in pairs):
        raise damaged("merges", "do not make the symbols", merges, wanted)
    return _bpe(symbols, pairs)


def fit_unigram(config: SubwordsConfig, text: str) -> SubwordTokenizer:
    """Fit the unigram model (Kudo 2018) on bytes, within words as cut by GPT-2.

    The library's scores differ in their last digits from one training to the next, and more for bytes that it did not
    see: scores are rounded, and such bytes all get the score of the rarest.

    Raises:
        BadInput: The text is empty, or holds half of a surrogate pair.
    """
    trainer = library().trainers.UnigramTrainer(
        vocab_size=config.vocabulary_size, initial_alphabet=_SINGLE, show_progress=False
    )
    scores = dict(_trained(library().models.Unigram(), trainer, text)["vocab"])
    single = set(_SINGLE)
    lowest = min(scores[letter] for letter in single)
    rare = {letter for letter in single if scores[letter] < lowest + _PENALTIES}
    tidy = {symbol: round(min(0.0, lowest if symbol in rare else score), 5) for symbol, score in scores.items()}
    best = sorted(tidy, key=lambda symbol: (symbol not in single, -tidy[symbol], symbol))[: config.vocabulary_size]
    symbols = sorted(best, key=lambda symbol: (-tidy[symbol], symbol))
    return _unigram(symbols, [tidy[symbol] for symbol in symbols])


def load_unigram(vocabulary: Mapping[str, Any]) -> SubwordTokenizer:
    """Restore a tokenizer of Unigram from SubwordTokenizer.vocabulary, also from untrusted data.

    Raises:
        BadInput: It is not a vocabulary of Unigram.
    """
    table = table_of(vocabulary, {"symbols", "scores"})
    symbols, scores = _checked_symbols(table["symbols"]), table["scores"]
    wanted = f"a log-probability for each symbol, {_LOWEST:g} ≤ x ≤ 0"
    if not isinstance(scores, list) or len(scores) != len(symbols):
        raise damaged("scores", "is not a list as long as that of the symbols", scores, wanted)
    for score in scores:
        if type(score) not in (int, float) or not _LOWEST <= score <= 0:
            raise damaged("scores", "holds something that is not a log-probability", score, wanted)
    return _unigram(symbols, [float(score) for score in scores])


def _bpe(symbols: list[str], merges: list[tuple[int, int]]) -> SubwordTokenizer:
    numbers = {symbol: number for number, symbol in enumerate(symbols)}
    pairs = [(symbols[left], symbols[right]) for left, right in merges]
    model = library().models.BPE(vocab=numbers, merges=pairs)
    return SubwordTokenizer(symbols, model, {"symbols": symbols, "merges": [list(pair) for pair in merges]})


def _unigram(symbols: list[str], scores: list[float]) -> SubwordTokenizer:
    model = library().models.Unigram(list(zip(symbols, scores, strict=True)), None, False)
    return SubwordTokenizer(symbols, model, {"symbols": symbols, "scores": scores})


def _trained(model: Any, trainer: Any, text: str) -> dict[str, Any]:
    """Return the model that the library trained, as it serialises it."""
    if not text:
        raise empty_corpus("subwords")
    check_encodable(text)
    trained = library().Tokenizer(model)
    trained.pre_tokenizer = cutter()
    trained.train_from_iterator(learnt_slices(text), trainer=trainer)
    found: dict[str, Any] = json.loads(trained.to_str())["model"]
    return found


def _checked_symbols(symbols: Any) -> list[str]:
    wanted = f"the 256 bytes and longer symbols as letters of bytes, none twice, at most {LARGEST:,}"
    problem = None
    if not isinstance(symbols, list) or not all(isinstance(symbol, str) for symbol in symbols):
        problem = "is not a list of texts"
    elif len(symbols) > LARGEST or sum(map(len, symbols)) > _LETTERS or max(map(len, symbols), default=0) > _LONGEST:
        problem = "is larger than any vocabulary of this tokenizer"
    elif len(set(symbols)) < len(symbols):
        problem = "holds a symbol twice"
    elif not set(_SINGLE) <= set(symbols):
        problem = "lacks the symbols of single bytes"
    elif not all(symbol and set(symbol) <= set(LETTERS) for symbol in symbols):
        problem = "holds something that is not a letter of a byte"
    if problem:
        raise damaged("symbols", problem, symbols, wanted)
    return list(symbols)
