"""The tokenizer of sources with their own symbols, which are joined to a text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from lab.api import BadInput, NoSettings
from lab.text.tokenizers.vocabularies import (
    LARGEST,
    Tokens,
    checked_numbers,
    damaged,
    is_valid_text,
    label_of,
    table_of,
)

_LONGEST = 100  # characters of a symbol


class SymbolTokenizer:
    """The symbols of a source, `lab.api.Examples.symbols`.

    Args:
        symbols: The symbols in order; none empty, none twice, those of several characters ending in a space.
    """

    def __init__(self, symbols: tuple[str, ...]) -> None:
        self.vocabulary_size = len(symbols)
        self._symbols = symbols
        self._numbers = {symbol: number for number, symbol in enumerate(symbols)}
        self._lengths = sorted({len(symbol) for symbol in symbols}, reverse=True)

    def encode(self, text: str) -> NDArray[np.int64]:
        """Return (N,) symbol numbers: at each position the longest symbol that matches.

        Raises:
            BadInput: No symbol matches; the problem names the position and the text there.
        """
        tokens: list[int] = []
        position = 0
        while position < len(text):
            for length in self._lengths:
                number = self._numbers.get(text[position : position + length])
                if number is not None:
                    tokens.append(number)
                    position += length
                    break
            else:
                raise self._unknown(text, position)
        return np.array(tokens, np.int64)

    def decode(self, tokens: Tokens) -> str:
        """Return the symbols joined.

        Raises:
            ValueError: A number is not that of a symbol.
        """
        return "".join(self._symbols[number] for number in checked_numbers(tokens, self.vocabulary_size).tolist())

    def label(self, token: int) -> str:
        """Return a symbol for display, without the space at its end."""
        symbol = self._symbols[token]
        return label_of(symbol.rstrip(" ") or symbol)

    def sizes(self) -> NDArray[np.int64]:
        """Return (V,) bytes of UTF-8 of each symbol."""
        return np.array([len(symbol.encode()) for symbol in self._symbols], np.int64)

    def vocabulary(self) -> dict[str, Any]:
        """Return {"symbols": all of them in order}."""
        return {"symbols": list(self._symbols)}

    def _unknown(self, text: str, position: int) -> BadInput:
        found = text[position:].split(" ")[0][:20] or text[position]
        shown = label_of(found)
        some = ", ".join(label_of(symbol) for symbol in self._symbols[:8])
        spaces = ". Those of several characters end in a space" if self._lengths[0] > 1 else ""
        return BadInput(
            f"{shown} at position {position} is not a symbol of this source",
            field="text",
            value=shown,
            allowed=f"{some}{', …' if self.vocabulary_size > 8 else ''}: {self.vocabulary_size} symbols{spaces}",
            remedy="Write the text in the symbols of the source",
        )


def fit_symbols(config: NoSettings, text: str) -> NoReturn:
    """Refuse: symbols cannot be found in a text.

    Raises:
        BadInput: Always: symbols come with a source.
    """
    del config, text
    raise BadInput(
        "the corpus has no symbols of its own",
        field="tokenizer.name",
        value="symbol",
        allowed="for sources that have them, such as copy",
        remedy="Choose the tokenizer character",
    )


def load_symbols(vocabulary: Mapping[str, Any]) -> SymbolTokenizer:
    """Restore a tokenizer from SymbolTokenizer.vocabulary, also from untrusted data.

    Raises:
        BadInput: They are not symbols.
    """
    symbols = table_of(vocabulary, {"symbols"})["symbols"]
    problem = None
    if not isinstance(symbols, list) or not symbols or not all(is_valid_text(symbol) for symbol in symbols):
        problem = "is not a list of texts"
    elif len(symbols) > LARGEST or any(len(symbol) > _LONGEST for symbol in symbols):
        problem = "is larger than any vocabulary of this tokenizer"
    elif len(set(symbols)) < len(symbols):
        problem = "holds a symbol twice"
    elif not all(len(symbol) == 1 or symbol.endswith(" ") for symbol in symbols):
        problem = "holds a symbol of several characters without a space at its end"
    if problem:
        raise damaged(
            "symbols", problem, symbols, "different texts, those of several characters with a space at the end"
        )
    return SymbolTokenizer(tuple(symbols))
