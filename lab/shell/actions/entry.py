"""An entry of the palette, as rooms of the shell provide them."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum, auto
from typing import NamedTuple


class Kind(IntEnum):
    """The kinds of entries, in the order in which those are listed that match equally well."""

    COMMAND = auto()
    PLACE = auto()
    """Something that a place shows."""
    SETTING = auto()
    HELP = auto()
    RECIPE = auto()
    """A choice or a file that changes the configuration."""
    RUN = auto()


class Entry(NamedTuple):
    """An entry of the palette.

    Args:
        key: Its identifier, the same in every language.
        title: The text of its row.
        detail: The dim text at the right: a shortcut, a state, a value.
        do: Called when it is selected.
        terms: Sentences by which it is found as well, below entries found by title or detail.
        kind: Its kind.
    """

    key: str
    title: str
    detail: str
    do: Callable[[], object]
    terms: str = ""
    kind: Kind = Kind.COMMAND
