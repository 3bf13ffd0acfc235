"""The tokenizer of data in which nothing is text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from lab.api import BadInput, NoSettings
from lab.text.tokenizers.vocabularies import Tokens, checked_numbers, table_of


class NoTokenizer:
    """A vocabulary of one symbol without text, since a model is built for at least one."""

    vocabulary_size = 1

    def encode(self, text: str) -> NDArray[np.int64]:
        """Return no symbols for an empty text, and refuse every other.

        Raises:
            BadInput: There is text.
        """
        if text:
            what = "this model reads numbers or pictures and no text"
            raise BadInput(what, field="text", value=text[:40], remedy="Choose a run that reads text")
        return np.zeros(0, np.int64)

    def decode(self, tokens: Tokens) -> str:
        """Return an empty text.

        Raises:
            ValueError: A number is not that of the symbol.
        """
        checked_numbers(tokens, 1)
        return ""

    def label(self, token: int) -> str:
        """Return the label of the symbol."""
        del token
        return "∅"

    def sizes(self) -> NDArray[np.int64]:
        """Return (1,) the bytes of the symbol: none."""
        return np.zeros(1, np.int64)

    def vocabulary(self) -> dict[str, Any]:
        """Return an empty table."""
        return {}


def fit_nothing(config: NoSettings, text: str) -> NoReturn:
    """Refuse: text needs a tokenizer.

    Raises:
        BadInput: Always.
    """
    del config, text
    raise BadInput(
        "the corpus is text and needs a tokenizer",
        field="tokenizer.name",
        value="none",
        allowed="for data without text, such as vectors",
        remedy="Choose the tokenizer character",
    )


def load_nothing(vocabulary: Mapping[str, Any]) -> NoTokenizer:
    """Restore the tokenizer, also from untrusted data.

    Raises:
        BadInput: It is another tokenizer's vocabulary.
    """
    table_of(vocabulary, set())
    return NoTokenizer()
