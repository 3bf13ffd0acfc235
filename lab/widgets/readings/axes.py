"""The axes of readings in words: what each is called, and the label of every place along it."""

from __future__ import annotations

from functools import lru_cache

from lab.api.readings import FROM_ZERO
from lab.base.charts.ticks import format_position
from lab.widgets.core.glyphs import glyphs
from lab.widgets.core.i18n import tr
from lab.widgets.maps.layout import NameLabel

AxisLabels = tuple[str | float, ...]
"""What stands at each place along an axis: words, or numbers where the axis is a scale."""
POSITIONS = ("query", "token", "key", "source")
"""Axes along which a text runs, the one that reads before the one that is read."""
OF_THE_TEXT = ("query", "token", "key")
"""Those along which the text runs whose tokens are known."""


def axis_name(axis: str) -> str:
    """Return the name of an axis; what follows a colon explains it."""
    named = {
        "batch": tr("row"),
        "token": tr("token"),
        "query": tr("query: the token that reads"),
        "key": tr("key: the token that is read"),
        "source": tr("source: position in the second text"),
        "head": tr("head"),
        "channel": tr("channel"),
        "unit": tr("unit"),
        "state": tr("state"),
        "expert": tr("expert"),
        "partner": tr("partner: the expert beside it"),
        "vocabulary": tr("symbol"),
        "order": tr("order: tokens of context"),
        "layer": tr("block"),
        "writer": tr("writer: the head whose output is read"),
        "lag": tr("lag: tokens between"),
        "bin": tr("value"),
        "component": tr("component"),
        "quantity": tr("quantity"),
    }
    return named.get(axis, axis)


def short_name(axis: str) -> str:
    """Return the name of an axis without the explanation."""
    return axis_name(axis).partition(":")[0]


@lru_cache(64)
def labels_along(axis: str, size: int, tokens: tuple[str, ...], labels: AxisLabels = ()) -> tuple[str, ...]:
    """Return the label of each index along an axis.

    Args:
        axis: One of lab.api.AXES.
        size: Places.
        tokens: The labels of the tokens that were read; where they are not `size`, places are numbered.
        labels: What the reading itself says of the places; () where it says nothing.
    """
    if labels and len(labels) == size:
        return tuple(NameLabel(each if isinstance(each, str) else format_position(each)) for each in labels)
    if axis in OF_THE_TEXT and len(tokens) == size:
        return tuple(map(glyphs, tokens))
    first = 0 if axis in FROM_ZERO else 1
    return tuple(map(str, range(first, first + size)))
