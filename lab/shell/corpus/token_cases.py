"""Two classroom examples about tokens: the tokens that contain a letter, and a space before a colon."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lab.text.tokenizers.views import Piece
from lab.widgets.core.i18n import tr, tr_n

FRUIT, LETTER = "strawberry", "r"
LISTED = 6
"""Most tokens that are listed."""


@dataclass(frozen=True)
class Case:
    """A text that demonstrates a property of tokens.

    Args:
        text: The text.
        sentence: Returns a sentence that explains the property.
        inspect: Takes the text and its tokens; returns a note about them, and the indices of the tokens it mentions.
    """

    text: str
    sentence: Callable[[], str]
    inspect: Callable[[str, Sequence[Piece]], tuple[str, frozenset[int]]]


def _inspect_letters(text: str, pieces: Sequence[Piece]) -> tuple[str, frozenset[int]]:
    start = text.find(FRUIT)
    inside = _between(pieces, start, start + len(FRUIT))
    indices = [index for index in inside if LETTER in text[max(start, pieces[index].start) : pieces[index].end]]
    alone = sum(pieces[index].end - pieces[index].start == 1 for index in indices)
    count = tr_n("1 token", "{n} tokens", len(inside))
    if alone == len(indices):
        note = tr("{fruit} is {tokens}; each r is a separate token.", fruit=FRUIT, tokens=count)
    else:
        which = _listed([pieces[index] for index in indices])
        note = tr("{fruit} is {tokens}; an r is in {which}.", fruit=FRUIT, tokens=count, which=which)
    return note, frozenset(indices)


def _inspect_colons(text: str, pieces: Sequence[Piece]) -> tuple[str, frozenset[int]]:
    near = text.index("word:") + len("word")
    far = text.index("word :") + len("word")
    without, with_space = _between(pieces, near, near + 1), _between(pieces, far, far + 2)
    ends = {"near": _listed([pieces[index] for index in without]), "far": _listed([pieces[i] for i in with_space])}
    return tr("“word:” ends in {near}, “word :” in {far}.", **ends), frozenset([*without, *with_space])


def _between(pieces: Sequence[Piece], start: int, end: int) -> list[int]:
    """Return the indices of the tokens that overlap text[start:end]."""
    return [index for index, piece in enumerate(pieces) if piece.start < end and piece.end > start]


def _listed(pieces: Sequence[Piece]) -> str:
    listed = [f"{piece.label} ({piece.token})" for piece in pieces[:LISTED]]
    return tr(" and ").join(listed) + (" …" if len(pieces) > LISTED else "")


def _letters_sentence() -> str:
    return tr(
        "A model reads token numbers and never sees letters: to count letters, it must have learned how each token is "
        "spelled."
    )


def _colons_sentence() -> str:
    return tr("People overlook a space before a colon, but a model reads different tokens and continues differently.")


LETTERS = Case("how many r in strawberry", _letters_sentence, _inspect_letters)
COLON = Case("word: one\nword : one", _colons_sentence, _inspect_colons)
