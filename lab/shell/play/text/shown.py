"""Pieces of a text as the kit shows them."""

from __future__ import annotations

from lab.widgets.tokens.text import ShownToken
from lab.workbench.access.generation import Piece
from lab.workbench.texts.tree import is_typed


def shown(piece: Piece) -> ShownToken:
    """Return a piece as the kit shows it."""
    return ShownToken(
        piece.label, piece.text, piece.probability, piece.alternatives, piece.entropy, piece.rank, is_typed(piece)
    )
