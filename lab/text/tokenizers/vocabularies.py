"""What all tokenizers share: labels for people, checked symbol numbers, and refusals of vocabularies and texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.api import BadInput

Tokens = Sequence[int] | NDArray[np.integer[Any]]

LARGEST = 1_000_000
"""Symbols that a vocabulary has at most."""

_SLICE = 1 << 20  # characters
_SHOWN = {" ": "␣", "\n": "⏎", "\t": "⇥"}
_DAMAGED = "The stored vocabulary is damaged, or another tokenizer's: take it from another copy of the run"


def label_of(text: str | bytes) -> str:
    """A symbol's text for people: "␣" for a space, "⏎", "⇥", and "<0x07>" for all else that would not show itself.

    Args:
        text: What the symbol stands for; of bytes those that make no character are shown by their numbers.
    """
    if isinstance(text, str):
        return "".join(map(_shown, text))
    whole = text.decode(errors="surrogateescape")  # what makes no character, as 0x9F, becomes U+DC9F
    return "".join(f"<0x{ord(c) - 0xDC00:02X}>" if "\udc80" <= c <= "\udcff" else _shown(c) for c in whole)


def checked_numbers(tokens: Tokens, size: int) -> NDArray[np.int64]:
    """(N,) symbol numbers.

    Raises:
        ValueError: One is not within 0 … size − 1.
    """
    numbers = np.asarray(tokens, np.int64)
    if numbers.size and (numbers.min() < 0 or numbers.max() >= size):
        raise ValueError(f"symbol numbers run from 0 to {size - 1}; these from {numbers.min()} to {numbers.max()}")
    return numbers


def table_of(vocabulary: Any, names: set[str]) -> Mapping[str, Any]:
    """A stored vocabulary that has just these names.

    Raises:
        BadInput: It has others, or is no table.
    """
    if isinstance(vocabulary, Mapping) and set(vocabulary) == names:
        return vocabulary
    raise BadInput(
        "is not a vocabulary of this tokenizer",
        field="tokenizer.vocabulary",
        value=repr(vocabulary)[:60],
        allowed=f"a table with {', '.join(sorted(names))} alone" if names else "an empty table",
        remedy=_DAMAGED,
    )


def damaged(name: str, fault: str, value: Any, allowed: str) -> BadInput:
    """What is wrong with one value of a stored vocabulary.

    Args:
        name: Under which it stands.
        fault: What is wrong, as "holds a character twice".
        value: What was found.
        allowed: What is wanted.
    """
    field = f"tokenizer.vocabulary.{name}"
    return BadInput(fault, field=field, value=repr(value)[:60], allowed=allowed, remedy=_DAMAGED)


def is_whole_text(value: Any) -> bool:
    """Whether a value is a text, not empty, without halves of surrogate pairs."""
    return isinstance(value, str) and bool(value) and not any("\ud800" <= character <= "\udfff" for character in value)


def no_character(text: str, position: int) -> BadInput:
    """That half of a surrogate pair stands in a text, which has no UTF-8."""
    code = ord(text[position])
    what = f"half of a surrogate pair, U+{code:04X}, at position {position} is no character"
    return BadInput(what, field="text", value=f"<0x{code:X}>", remedy="Leave it out")


def check_characters(text: str) -> None:
    """Looks whether a text has UTF-8, without a copy of all of it.

    Raises:
        BadInput: It holds half of a surrogate pair.
    """
    for start in range(0, 0 if text.isascii() else len(text), _SLICE):
        try:
            text[start : start + _SLICE].encode()
        except UnicodeEncodeError as error:
            raise no_character(text, start + error.start) from None


def empty_corpus(what: str) -> BadInput:
    """That a tokenizer cannot be fitted to an empty text.

    Args:
        what: It therefore lacks, as "characters".
    """
    return BadInput(f"the corpus is empty, so there are no {what}", field="corpus", remedy="Choose a longer text")


def _shown(character: str) -> str:
    if character in _SHOWN:
        return _SHOWN[character]
    return character if character.isprintable() else f"<0x{ord(character):02X}>"
