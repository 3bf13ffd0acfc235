"""The tokens of a text with their positions, and the letters that they hide from a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from lab.api import Tokenizer


@dataclass(frozen=True)
class Piece:
    """A token and its position in the text.

    Args:
        token: Its symbol number.
        label: The symbol for display.
        text: The characters it covers; tokens that are parts of one character share it.
        start: The position of the first character.
        end: The position after the last.
    """

    token: int
    label: str
    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Cut:
    """A text cut by one tokenizer.

    Args:
        pieces: Its tokens in order.
        tokens_per_byte: Tokens per byte of UTF-8; 0 for an empty text.
    """

    pieces: list[Piece]
    tokens_per_byte: float


@dataclass(frozen=True)
class LetterCount:
    """The number of occurrences of a letter in one token.

    Args:
        piece: The token.
        count: The number of occurrences.
        visible: True if the token is just this letter; otherwise a model must have learned the spelling.
    """

    piece: Piece
    count: int
    visible: bool


def cut(text: str, tokenizer: Tokenizer) -> list[Piece]:
    """Return the tokens of a text with their positions.

    Raises:
        BadInput: The tokenizer refuses the text.
    """
    tokens = tokenizer.encode(text)
    sizes = np.array([len(character.encode()) for character in text], np.int64)
    ends = np.cumsum(sizes)  # of each character, in bytes
    behind = np.cumsum(tokenizer.sizes()[tokens])  # of each token
    first = np.searchsorted(ends, np.concatenate([[0], behind[:-1]]), side="right").tolist()
    last = np.minimum(np.searchsorted(ends, behind, side="left") + 1, len(text)).tolist()
    return [
        Piece(token, tokenizer.label(token), text[start:end], start, max(start, end))
        for token, start, end in zip(tokens.tolist(), first, last, strict=False)
    ]


def side_by_side(text: str, tokenizers: Mapping[str, Tokenizer]) -> dict[str, Cut]:
    """Return the same text cut by several tokenizers, by their names.

    Raises:
        BadInput: One of them refuses the text.
    """
    size = len(text.encode(errors="surrogatepass"))
    cuts = {name: cut(text, tokenizer) for name, tokenizer in tokenizers.items()}
    return {name: Cut(pieces, len(pieces) / size if size else 0.0) for name, pieces in cuts.items()}


def letters_in(pieces: list[Piece], letter: str) -> list[LetterCount]:
    """Return the tokens that contain a letter, in order.

    Args:
        pieces: The tokens of a text.
        letter: One character.
    """
    found = [LetterCount(piece, piece.text.count(letter), piece.text == letter) for piece in pieces]
    return [one for one in found if one.count]
