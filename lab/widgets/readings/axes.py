"""The names of the axes of readings, and the labels of the indices along them."""

from __future__ import annotations

from functools import lru_cache

from lab.api import Reading
from lab.api.readings import FROM_ZERO
from lab.base.charts.ticks import format_position
from lab.widgets.core.glyphs import glyphs
from lab.widgets.core.i18n import language, localized, tr, tr_registered
from lab.widgets.maps.layout import NameLabel

AxisLabels = tuple[str | float, ...]
"""The label of each index along an axis: a text, or a number if the axis is a scale."""
POSITIONS = ("query", "token", "key", "source")
"""The axes of positions of a text; the axis that reads comes before the one that is read."""
OF_THE_TEXT = ("query", "token", "key")
"""The axes of positions of the text whose tokens are known."""
QUANTITIES = (
    "entropy", "mean distance", "previous token", "duplicate token", "induction", "first token", "choice",
    "KL to the end", "rank of the truth", "real", "imaginary", "influence", "recalled", "chance", "measured", "bound",
    "as it is", "without positions", "input gate", "forget gate", "output gate", "cell candidate", "reset gate",
    "update gate", "candidate", "logit", "probability", "score", "target", "prediction", "residual", "rows",
)  # fmt: skip
"""The quantities of the readings that come with the lab, for translators."""
HEADS = ("mean", "mean size", "map")
"""The names of heads that are not numbered, for translators."""
UNITS = (
    "bits", "logits", "nats", "powers of ten", "share", "sightings", "tokens", "tokens back", "rows", "regions",
    "probability", "true positive rate",
)  # fmt: skip
"""The units of the readings that come with the lab, for translators."""
TITLES = ("B", "C", "Decay", "Step size", "Write strength")
"""The titles of readings without an explanation, for translators."""


def axis_name(axis: str) -> str:
    """Return the name of an axis, with an explanation after a colon."""
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
        "partner": tr("partner: the other expert of the pair"),
        "vocabulary": tr("symbol"),
        "order": tr("order: tokens of context"),
        "layer": tr("block"),
        "writer": tr("writer: the head whose output is read"),
        "lag": tr("lag: tokens between"),
        "bin": tr("value"),
        "component": tr("component"),
        "quantity": tr("quantity"),
        "example": tr("example"),
        "class": tr("class"),
        "predicted": tr("predicted class"),
        "x": "x",
        "y": "y",
    }
    return named.get(axis, axis)


def short_name(axis: str) -> str:
    """Return the name of an axis without the explanation."""
    return axis_name(axis).partition(":")[0]


def title_of_name(name: str) -> str:
    """Return the name of a reading as a title; one that has no translation as a title has that of its name."""
    title = _as_title(name)
    translated = tr_registered(title)
    return translated if translated != title else _as_title(tr_registered(name))


def _as_title(name: str) -> str:
    return name[:1].upper() + name[1:]


def unit_at(reading: Reading, quantity: int) -> str:
    """Return a quantity's own unit in the language of the window; "" if its unit is that of the reading.

    Args:
        reading: The reading.
        quantity: The index of the quantity along its axis.
    """
    labels = reading.coordinates.get("quantity", ())
    label = labels[quantity] if quantity < len(labels) else ""
    return tr_registered(reading.quantity_units.get(str(label), ""))


def labels_along(axis: str, size: int, tokens: tuple[str, ...], labels: AxisLabels = ()) -> tuple[str, ...]:
    """Return the label of each index along an axis.

    Args:
        axis: One of lab.api.AXES.
        size: The number of indices.
        tokens: The labels of the tokens that were read; if their number is not `size`, indices are numbered.
        labels: The labels or numbers in the reading itself; () for none.
    """
    return _labels_along(axis, size, tokens, labels, language.code)


@lru_cache(64)
def _labels_along(
    axis: str, size: int, tokens: tuple[str, ...], labels: AxisLabels, language_code: str
) -> tuple[str, ...]:
    del language_code  # labels are cached for each language
    if labels and len(labels) == size:
        names = tuple(each if isinstance(each, str) else localized(format_position(each)) for each in labels)
        return tuple(NameLabel(tr_registered(name) if axis in ("quantity", "head") else name) for name in names)
    if axis in OF_THE_TEXT and len(tokens) == size:
        return tuple(map(glyphs, tokens))
    first = 0 if axis in FROM_ZERO else 1
    return tuple(map(str, range(first, first + size)))
