"""The edges of words in the symbols of a tokenizer, from which the tokens of one word are told."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lab.api import Tokenizer

CONTINUES = "##"
"""The beginning of the labels of symbols that only stand inside a word, in WordPiece."""


def word_edges(tokenizer: Tokenizer) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which symbols begin with a character of a word, and which end with one, (V,) each.

    A token continues the word of the token before it if it begins with such a character and that one ends with one.
    Letters, digits, and parts of characters are such characters.
    """
    size = tokenizer.vocabulary_size
    begins, ends = np.zeros(size, bool), np.zeros(size, bool)
    for token in range(size):
        text = tokenizer.decode([token])
        begins[token] = _is_of_word(text[:1]) or tokenizer.label(token).startswith(CONTINUES)
        ends[token] = _is_of_word(text[-1:])
    return begins, ends


def _is_of_word(character: str) -> bool:
    return character.isalnum() or character == "\ufffd"
