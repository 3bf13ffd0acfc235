"""An inspection as the cards of Inspect show it: its readings grouped by card, and the titles of the cards."""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from lab.api import Reading, View
from lab.shell.inspect.gallery.reading_selection import Key
from lab.widgets.core.i18n import number_text, tr, tr_registered
from lab.widgets.readings.head_scores import HEAD_SCORES_AXES
from lab.widgets.readings.mixing import MIXING_AXES, readings_of_mixing
from lab.widgets.readings.state import STATE_AXES, readings_of_state
from lab.widgets.readings.views import reading_id, title_of_id
from lab.workbench.access.inspection import Inspection
from lab.workbench.analysis.snapshots import Limits, limits_of

MAPS: Key = ("token mixing", MIXING_AXES)
"""The card of the maps between tokens that models of every kind have."""
STATE: Key = ("state", STATE_AXES)
LENGTHS: Key = ("length generalisation", ("length",))
"""The card of length generalisation, which shows no readings."""
ABLATION: Key = ("ablation", ())
"""The card of losses without a part, which shows no readings."""
SAMPLE: Key = ("sample", ("text",))
"""The card of samples, which shows no readings."""
VIEW = "view"
"""The first of the axes in the key of a plugin's view that shows readings together; its title is the second."""
BETWEEN = ({"query", "key"}, {"query", "source"})
"""The axes of maps between positions of one text, or of a target and its source."""
Groups = dict[Key, list[Reading]]
"""The readings of an inspection by their card."""


@dataclass(frozen=True)
class InspectionView:
    """An inspection, as cards show it.

    Args:
        inspection: The inspection.
        name: Its run and step.
        groups: Its readings by their card.
        of_other_run: True if it is compared with the selected run as one of another.
        scale: The limits of its colours, where that run is of another architecture; None for those of both runs.
        snapshots: The snapshots of that run, in order; those of the selected run are passed to the cards.
    """

    inspection: Inspection
    name: str
    groups: Groups
    of_other_run: bool = False
    scale: Limits | None = None
    snapshots: Sequence[Inspection] = ()

    @property
    def step_label(self) -> str:
        """Its step, for display."""
        step = self.inspection.step
        return tr("step {step}", step=number_text(step)) if step else tr("untrained")

    @functools.cached_property
    def limits(self) -> Limits:
        """The limits of its own readings."""
        return limits_of(self.inspection.readings)


def view_of(inspection: Inspection, name: str, views: Mapping[str, View]) -> InspectionView:
    """Return an inspection with its readings grouped by card.

    Args:
        inspection: The inspection.
        name: Its run and step, for display.
        views: The views of plugins by name.
    """
    readings = inspection.readings
    of_plugins = {key_of_view(view): view.selected(readings) for view in views.values() if view.readings}
    together: Groups = {MAPS: readings_of_mixing(readings), **of_plugins, STATE: readings_of_state(readings)}
    groups = {key: found for key, found in together.items() if found}
    grouped = {id(one) for found in groups.values() for one in found}
    for reading in readings:
        if id(reading) not in grouped:
            groups.setdefault((reading_id(reading, readings), reading.axes), []).append(reading)
    return InspectionView(inspection, name, groups)


def key_of_view(view: View) -> Key:
    """Return the key of the card of a plugin's view that shows readings together."""
    return view.name, (VIEW, view.title)


def is_of_view(key: Key) -> bool:
    """Return True if a card is that of a plugin's view that shows readings together."""
    return key[1][:1] == (VIEW,)


def replacement(key: Key, views: Mapping[str, View]) -> str:
    """Return the name of the plugin's view that replaces that of the kit in a card; "" if none does."""
    if key == STATE:  # which combines readings of other axes
        return ""
    return next((name for name, view in views.items() if view.replaces and view.shows(key[1])), "")


def title_of_card(key: Key) -> str:
    """Return the title of a card."""
    if is_of_view(key):
        return tr_registered(key[1][1])
    titles = {
        MAPS: tr("Token mixing"),
        STATE: tr("State"),
        LENGTHS: tr("Length generalisation"),
        ABLATION: tr("Ablation"),
        SAMPLE: tr("Sample"),
    }
    return titles.get(key) or title_of_id(key[0])


def names_of_pair(view: InspectionView, other: InspectionView) -> tuple[str, str]:
    """Return the names of an inspection and the one compared with it: two steps of one run, or two runs."""
    if other.of_other_run:
        return view.name, other.name
    return view.step_label, tr("pinned: {step}", step=other.step_label)


def importance(
    key: Key,
    recorded: Collection[Key] = (),
    of_probes: Collection[Key] = (),
    views: Mapping[str, View] = MappingProxyType({}),
) -> tuple[int, str]:
    """Return the rank of a card: maps between tokens, state and plugins' views, scores of heads, lags, values by token.

    Args:
        key: The card.
        recorded: The cards of probes whose readings every run records.
        of_probes: The cards that show nothing but what a probe found.
        views: The views of plugins by name.
    """
    is_of_plugin = is_of_view(key) or (bool(replacement(key, views)) and key not in of_probes)
    axes = set(key[1])
    ranks = (
        key == MAPS or (any(pair <= axes for pair in BETWEEN) and key not in of_probes),
        key[1] == STATE_AXES or is_of_plugin or axes >= {"class", "y", "x"},
        key[1] == HEAD_SCORES_AXES,
        key in recorded and "lag" in axes,
        key in recorded and "head" in axes,
        "token" in axes and key not in of_probes,
        key in recorded,
        {"query", "key"} <= axes,
        axes >= {"class", "predicted"}
        or axes >= {"unit", "y", "x"}
        or (key[0].startswith("fit") and "example" in axes),
        "token" in axes,
        "vocabulary" in axes,
        True,
    )
    return ranks.index(True), title_of_card(key)
