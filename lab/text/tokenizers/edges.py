"""The edges of words and of sentences in the symbols of a tokenizer, from which their tokens are told."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lab.api import Tokenizer

CONTINUES = "##"
"""The beginning of the labels of symbols that only stand inside a word, in WordPiece."""
STOPS = (".", "!", "?", "…", "。", "！", "？")
"""The signs at the end of a sentence."""


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


def sentence_edges(tokenizer: Tokenizer) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which symbols begin with white space, and which end with the sign at the end of a sentence, (V,) each.

    A sentence begins with the white space that follows such a sign: the points in "os.path" end none.
    """
    size = tokenizer.vocabulary_size
    texts = [tokenizer.decode([token]) for token in range(size)]
    return np.array([text[:1].isspace() for text in texts]), np.array([text.endswith(STOPS) for text in texts])


def _is_of_word(character: str) -> bool:
    return character.isalnum() or character == "\ufffd"
