"""The classroom's cases of tokens: which of them hold a letter, and what a blank before a colon does to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lab.text.tokenizers.views import Piece
from lab.widgets.core.i18n import tr

FRUIT, LETTER = "strawberry", "r"
TOLD = 6
"""Tokens that are told one by one."""


@dataclass(frozen=True)
class Case:
    """A text that shows something about tokens.

    Args:
        text: The text.
        sentence: What it is about.
        look: (text, its tokens) -> what is to be seen in them, and the places of the tokens that it is about.
    """

    text: str
    sentence: Callable[[], str]
    look: Callable[[str, Sequence[Piece]], tuple[str, frozenset[int]]]


def _look_for_letters(words: str, pieces: Sequence[Piece]) -> tuple[str, frozenset[int]]:
    start = words.find(FRUIT)
    inside = _between(pieces, start, start + len(FRUIT))
    holding = [place for place in inside if LETTER in words[max(start, pieces[place].start) : pieces[place].end]]
    alone = sum(pieces[place].end - pieces[place].start == 1 for place in holding)
    count = tr("1 token") if len(inside) == 1 else tr("{n} tokens", n=len(inside))
    if alone == len(holding):
        told = tr("{fruit} is {tokens}; each r is a token of its own.", fruit=FRUIT, tokens=count)
    else:
        said = {"fruit": FRUIT, "tokens": count, "which": _listed([pieces[place] for place in holding])}
        told = tr("{fruit} is {tokens}; an r is in {which}.", **said)
    return told, frozenset(holding)


def _look_at_colons(words: str, pieces: Sequence[Piece]) -> tuple[str, frozenset[int]]:
    near = words.index("word:") + len("word")
    far = words.index("word :") + len("word")
    found = _between(pieces, near, near + 1), _between(pieces, far, far + 2)
    without, with_blank = (_listed([pieces[place] for place in places]) for places in found)
    told = tr("“word:” ends in {near}, “word :” in {far}.", near=without, far=with_blank)
    return told, frozenset([*found[0], *found[1]])


def _between(pieces: Sequence[Piece], start: int, end: int) -> list[int]:
    """Places of the tokens that hold something of a stretch of text."""
    return [place for place, piece in enumerate(pieces) if piece.start < end and piece.end > start]


def _listed(pieces: Sequence[Piece]) -> str:
    listed = [f"{piece.label} ({piece.token})" for piece in pieces[:TOLD]]
    return tr(" and ").join(listed) + (" …" if len(pieces) > TOLD else "")


def _letters_sentence() -> str:
    return tr(
        "A model is given the numbers of tokens and never sees a letter: to count them it must have learned how each "
        "token is spelled."
    )


def _colons_sentence() -> str:
    return tr("People overlook a blank before a colon; a model is given other tokens, and goes on from other tokens.")


LETTERS = Case("how many r in strawberry", _letters_sentence, _look_for_letters)
COLON = Case("word: one\nword : one", _colons_sentence, _look_at_colons)
