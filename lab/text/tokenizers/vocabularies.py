"""Helpers of all tokenizers: labels, checked symbol numbers, and errors of vocabularies and texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.api import BadInput

Tokens = Sequence[int] | NDArray[np.integer[Any]]

LARGEST = 1_000_000
"""The largest number of symbols of a vocabulary."""

_SLICE = 1 << 20  # characters
_SHOWN = {" ": "␣", "\n": "⏎", "\t": "⇥"}
_DAMAGED = "The stored vocabulary is damaged, or another tokenizer's: take it from another copy of the run"


def label_of(text: str | bytes) -> str:
    """Return a symbol's text for the user: "␣" for a space, "⏎", "⇥", and "<0x07>" for invisible characters.

    Args:
        text: The text of the symbol; bytes that are not a character are shown by their numbers.
    """
    if isinstance(text, str):
        return "".join(map(_shown, text))
    shown = text.decode(errors="surrogateescape")  # a byte that is not a character, such as 0x9F, becomes U+DC9F
    return "".join(f"<0x{ord(c) - 0xDC00:02X}>" if "\udc80" <= c <= "\udcff" else _shown(c) for c in shown)


def checked_numbers(tokens: Tokens, size: int) -> NDArray[np.int64]:
    """Return (N,) symbol numbers after checking their range.

    Raises:
        ValueError: One is not within 0 … size − 1.
    """
    numbers = np.asarray(tokens, np.int64)
    if numbers.size and (numbers.min() < 0 or numbers.max() >= size):
        raise ValueError(f"symbol numbers run from 0 to {size - 1}; these from {numbers.min()} to {numbers.max()}")
    return numbers


def table_of(vocabulary: Any, names: set[str]) -> Mapping[str, Any]:
    """Return a stored vocabulary that has exactly these names.

    Raises:
        BadInput: It has others, or is not a table.
    """
    if isinstance(vocabulary, Mapping) and set(vocabulary) == names:
        return vocabulary
    raise BadInput(
        "is not a vocabulary of this tokenizer",
        field="tokenizer.vocabulary",
        value=repr(vocabulary)[:60],
        allowed=f"a table with only {', '.join(sorted(names))}" if names else "an empty table",
        remedy=_DAMAGED,
    )


def damaged(name: str, problem: str, value: Any, allowed: str) -> BadInput:
    """Return the error of a damaged value of a stored vocabulary.

    Args:
        name: The name of the value.
        problem: What is wrong, such as "holds a character twice".
        value: The value.
        allowed: What is allowed.
    """
    field = f"tokenizer.vocabulary.{name}"
    return BadInput(problem, field=field, value=repr(value)[:60], allowed=allowed, remedy=_DAMAGED)


def is_valid_text(value: Any) -> bool:
    """Return True for a text that is not empty and has no halves of surrogate pairs."""
    return isinstance(value, str) and bool(value) and not any("\ud800" <= character <= "\udfff" for character in value)


def no_character(text: str, position: int) -> BadInput:
    """Return the error for half of a surrogate pair in a text, which has no UTF-8."""
    code = ord(text[position])
    what = f"half of a surrogate pair, U+{code:04X}, at position {position} is not a character"
    return BadInput(what, field="text", value=f"<0x{code:X}>", remedy="Leave it out")


def check_encodable(text: str) -> None:
    """Check that a text can be encoded in UTF-8, without a copy of all of it.

    Raises:
        BadInput: It holds half of a surrogate pair.
    """
    for start in range(0, 0 if text.isascii() else len(text), _SLICE):
        try:
            text[start : start + _SLICE].encode()
        except UnicodeEncodeError as error:
            raise no_character(text, start + error.start) from None


def empty_corpus(what: str) -> BadInput:
    """Return the error for fitting a tokenizer to an empty text.

    Args:
        what: The thing it therefore lacks, such as "characters".
    """
    return BadInput(f"the corpus is empty, so there are no {what}", field="corpus", remedy="Choose a longer text")


def _shown(character: str) -> str:
    if character in _SHOWN:
        return _SHOWN[character]
    return character if character.isprintable() else f"<0x{ord(character):02X}>"
