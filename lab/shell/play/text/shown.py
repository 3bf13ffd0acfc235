"""Pieces of a text as the kit shows them, and the names of those who wrote them."""

from __future__ import annotations

from collections.abc import Sequence

from lab.shell.play.text.document import Document
from lab.widgets.core.i18n import number_text, tr
from lab.widgets.tokens.text import ShownToken
from lab.workbench.access.generation import Piece
from lab.workbench.texts.tree import is_typed


def shown(piece: Piece, writer: str = "", number: int = 0) -> ShownToken:
    """Return a piece as the kit shows it.

    Args:
        piece: The piece.
        writer: Who wrote it, for its tool tip.
        number: The number of that writer.
    """
    return ShownToken(
        piece.label, piece.text, piece.probability, piece.alternatives, piece.entropy, piece.rank, is_typed(piece),
        note=writer, writer=number,
    )  # fmt: skip


def writer_of(author: str, piece: Piece) -> str:
    """Return who wrote a piece: the run and its step, or the user."""
    if is_typed(piece):
        return tr("written by hand")
    if not author:
        return tr("the untrained model")
    if not piece.step:
        return tr("{run} · untrained", run=author)
    return tr("{run} · step {step}", run=author, step=number_text(piece.step))


def writers_of(document: Document, start: int = 0) -> list[str]:
    """Return who wrote each of the pieces of a text from one on."""
    return list(map(writer_of, document.authors[start:], document.tokens[start:]))


def names_of(document: Document, start: int = 0) -> list[str]:
    """Return the runs, with their steps, that wrote a text, in the order of their first tokens."""
    pairs = zip(document.authors[start:], document.tokens[start:], strict=True)
    return list(dict.fromkeys(writer_of(author, piece) for author, piece in pairs if not is_typed(piece)))


def listed(names: Sequence[str]) -> str:
    """Return a few names as one text, and of many their number."""
    return ", ".join(names) if len(names) <= 3 else tr("{n} writers", n=number_text(len(names)))
