"""The axes of readings in words: what each is called, and the label of every place along it."""

from __future__ import annotations

from functools import lru_cache

from lab.api.readings import FROM_ZERO
from lab.widgets.chart_numbers import place_words
from lab.widgets.glyphs import glyphs
from lab.widgets.maps_axes import Word
from lab.widgets.words import text

Places = tuple[str | float, ...]
"""What stands at each place along an axis: words, or numbers where the axis is a scale."""
POSITIONS = ("query", "token", "key", "source")
"""Axes along which a text runs, the one that reads before the one that is read."""
OF_THE_TEXT = ("query", "token", "key")
"""Those along which the text runs whose tokens are known."""


def axis_name(axis: str) -> str:
    """What an axis is called; what stands behind a colon explains it."""
    named = {
        "batch": text("row"),
        "token": text("token"),
        "query": text("query: the token that reads"),
        "key": text("key: the token that is read"),
        "source": text("source: position in the second text"),
        "head": text("head"),
        "channel": text("channel"),
        "unit": text("unit"),
        "state": text("state"),
        "expert": text("expert"),
        "partner": text("partner: the expert beside it"),
        "vocabulary": text("symbol"),
        "order": text("order: tokens of context"),
        "layer": text("block"),
        "writer": text("writer: the head whose output is read"),
        "lag": text("lag: tokens between"),
        "bin": text("value"),
        "component": text("component"),
        "quantity": text("quantity"),
    }
    return named.get(axis, axis)


def short_name(axis: str) -> str:
    """What an axis is called, without the explanation."""
    return axis_name(axis).partition(":")[0]


@lru_cache(64)
def labels_along(axis: str, size: int, tokens: tuple[str, ...], places: Places = ()) -> tuple[str, ...]:
    """The label of each place along an axis.

    Args:
        axis: One of lab.api.AXES.
        size: Places.
        tokens: The labels of the tokens that were read; where they are not `size`, places are numbered.
        places: What the reading itself says of the places; () where it says nothing.
    """
    if places and len(places) == size:
        return tuple(Word(place if isinstance(place, str) else place_words(place)) for place in places)
    if axis in OF_THE_TEXT and len(tokens) == size:
        return tuple(map(glyphs, tokens))
    first = 0 if axis in FROM_ZERO else 1
    return tuple(map(str, range(first, first + size)))
