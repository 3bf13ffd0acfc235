"""The edges of words and of sentences in the symbols of a tokenizer, from which their tokens are told."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from lab.api import Tokenizer

CONTINUES = "##"
"""The beginning of the labels of symbols that only stand inside a word, in WordPiece."""
CLOSING = r"[\"'”’»)\]}」』）】]*"
STOPPED = re.compile(rf"[.!?…]{CLOSING}\Z")
"""The end of a sentence, if white space follows: a sign, and what closes quotes and brackets."""
STOPPED_ALONE = re.compile(rf"([.!?…]{CLOSING}\s+|[。！？]{CLOSING}\s*)\Z")
"""The end of a sentence, whatever follows."""


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


def sentence_edges(tokenizer: Tokenizer) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which symbols begin with white space, end a sentence before white space, and end one anyway, (V,) each.

    A sentence begins with the white space that follows the sign at the end of another one: the points in "os.path" end
    none. Behind such a sign with white space in the same symbol, and behind "。", "！" and "？", any symbol begins one.
    """
    texts = [tokenizer.decode([token]) for token in range(tokenizer.vocabulary_size)]
    begins = np.array([text[:1].isspace() for text in texts], bool)
    ends, ends_alone = (
        np.array([sign.search(text) is not None for text in texts], bool) for sign in (STOPPED, STOPPED_ALONE)
    )
    return begins, ends, ends_alone


def _is_of_word(character: str) -> bool:
    return character.isalnum() or character == "\ufffd"
