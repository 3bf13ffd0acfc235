"""The view of a reading, selected only by its axes, so that it works for every architecture."""

from __future__ import annotations

from collections.abc import Sequence

from lab.api import Reading
from lab.widgets.core.i18n import tr, tr_registered
from lab.widgets.readings.axes import POSITIONS
from lab.widgets.readings.base import ReadingView
from lab.widgets.readings.examples import (
    FIT_AXES,
    PICTURES_AXES,
    SURFACE_AXES,
    FitView,
    PicturesView,
    SurfaceView,
)
from lab.widgets.readings.head_scores import HEAD_SCORES_AXES, HeadScoresView
from lab.widgets.readings.heads import HeadsView
from lab.widgets.readings.lens import LensView
from lab.widgets.readings.lines import LinesView
from lab.widgets.readings.maps import BarsView, GeneralView, NumberView
from lab.widgets.readings.mixing import MIXING_AXES, MixingView
from lab.widgets.readings.points import PointsView
from lab.widgets.readings.state import STATE_AXES, StateView

__all__ = ["ReadingView", "reading_id", "title_of_id", "view_for"]

SEPARATOR = " · "
"""The separator between the name of a reading and the module that reports it."""


def view_for(axes: tuple[str, ...]) -> type[ReadingView]:
    """Return the view of readings with these axes; there is one for all axes, which a plugin's view may replace."""
    if axes == STATE_AXES:
        return StateView
    if axes == MIXING_AXES:
        return MixingView
    if axes == HEAD_SCORES_AXES:
        return HeadScoresView
    shown = {axis for axis in axes if axis != "batch"}
    of_examples = {frozenset(SURFACE_AXES): SurfaceView, frozenset(PICTURES_AXES): PicturesView}
    if frozenset(shown) in of_examples:
        return of_examples[frozenset(shown)]
    if shown == FIT_AXES:
        return FitView
    positions = shown & set(POSITIONS)
    if len(positions) == 2 and shown - positions <= {"head"}:
        return HeadsView
    if shown == {"token", "component"}:
        return PointsView
    if shown == {"quantity", "layer", "token"}:
        return LensView
    if len(shown & {"lag", "bin"}) == 1 or shown in ({"quantity", "token"}, {"quantity", "layer"}):
        return LinesView
    if len(shown) == 1 or (len(shown) == 2 and "quantity" in shown):
        return BarsView
    return GeneralView if shown else NumberView


def reading_id(reading: Reading, among: Sequence[Reading] = ()) -> str:
    """Return the id of a reading's card: its name, and the reporting module if several of one layer report it.

    Args:
        reading: One of the card's readings.
        among: All readings that were captured with it.
    """
    kind = (reading.name, tuple(reading.axes), reading.layer)
    paths = {other.path for other in among if (other.name, tuple(other.axes), other.layer) == kind}
    module = reading.path.rpartition(".")[2]
    return f"{reading.name}{SEPARATOR}{module}" if len(paths) > 1 and module else reading.name


def title_of_id(identity: str) -> str:
    """Return the title of the card with an id from `reading_id`."""
    name, separator, module = identity.partition(SEPARATOR)
    title = tr("token mixing") if name == "mixing" else name.replace("_", " ")
    return tr_registered(title[:1].upper() + title[1:]) + separator + module
