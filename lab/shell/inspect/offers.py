"""What Inspect offers: the cards of an inspection in their order, the entries of the gallery, and what answers what."""

from __future__ import annotations

from lab.host import Plugins
from lab.shell.inspect.explanations import explanation_of
from lab.shell.inspect.gallery.collect import collect, questions_of
from lab.shell.inspect.gallery.entries import ALL, OTHER, OWN, QUESTIONS, Entry
from lab.shell.inspect.gallery.reading_selection import Key
from lab.shell.inspect.inspection_view import ABLATION, LENGTHS, MAPS, SAMPLE, STATE, importance
from lab.shell.inspect.lengths_card import Lengths
from lab.shell.inspect.model import InspectModel
from lab.shell.session.snapshots import Snapshots
from lab.widgets.core.i18n import tr, tr_registered

AT_FIRST = 3
"""Cards that are shown until the user switches some."""


class Offers:
    """What can be shown of the selected run, and the questions that it answers.

    Args:
        model: The state of Inspect.
        snapshots: The snapshots of the run.
        lengths: The measured losses at other lengths.
        plugins: The plugins that explain readings and views.
    """

    def __init__(self, model: InspectModel, snapshots: Snapshots, lengths: Lengths, plugins: Plugins) -> None:
        self._model, self._snapshots, self._lengths, self._plugins = model, snapshots, lengths, plugins

    def update(self, architecture: str) -> None:
        """Offer the cards of what is shown, and those of what else is known of its run.

        Args:
            architecture: The name of the architecture of its model.
        """
        shown, run, readings = self._model.shown, self._model.run, self._model.readings
        if shown is None:
            return
        probe_of, recorded = self._model.probe_of, self._model.probes.recorded
        recorded_keys = {key for key, probe in probe_of.items() if probe in recorded}
        found = {key: {tuple(one.axes) for one in group} for key, group in shown.groups.items()}
        if self._snapshots.at(shown.inspection.step) is shown.inspection:  # cards keep their places from step to step
            found = readings.extended(found)
        measured = (LENGTHS, SAMPLE, ABLATION)
        views = self._plugins.cards("views")
        keys = sorted(set(found) - set(measured), key=lambda key: importance(key, recorded_keys, probe_of, views))
        if run is not None and run.reads not in ("vectors", "images") and self._lengths.has(run):
            keys.insert(1 if run.on_examples else AT_FIRST - 1, LENGTHS)
        written = any(one.sample is not None for one in self._snapshots.inspections)
        if run is not None and (run.samples or run.works or written):
            keys.insert(AT_FIRST - 1, SAMPLE)
        keys.insert(AT_FIRST, ABLATION)
        names = {key: [one.name for one in shown.groups.get(key, ())] for key in keys}
        known = readings.questions
        questions = {key: questions_of(key, names[key], self._plugins) or known.get(key) or (OTHER,) for key in keys}
        readings.offer({key: found.get(key, set()) for key in keys}, AT_FIRST, questions, architecture)

    def entries(self) -> list[Entry]:
        """Return the entries of the gallery."""
        snapshots = self._snapshots.inspections if self._model.run is not None else ()
        recorded = {one.name for one in snapshots[-1].readings} if snapshots else set()
        return collect(self._model, self._plugins, recorded)

    def quantities_of(self, entry: Entry) -> list[str]:
        """Return the names of the quantities among which the card of an entry, or those of a probe, offers a choice."""
        shown, model = self._model.shown, self._model
        keys = model.cards_of_probe(entry.identity[0]) if entry.is_probe else [(entry.identity[0], entry.identity[1:])]
        readings = [one for key in keys if shown is not None for one in shown.groups.get(key, ())]
        names = (name for one in readings for name in one.coordinates.get("quantity", ()))
        return list(dict.fromkeys(tr_registered(str(name)) for name in names))

    def answers(self, key: Key, own: str) -> bool:
        """Return True if a card, or a plugin's own view of its readings, answers the selected question."""
        view = self._model.readings.view
        if view not in (*QUESTIONS, OTHER) or self._model.readings.switched.get(view, {}).get(key):
            return True
        explained = explanation_of(key, own, self._plugins) if own else None
        if explained is not None:
            return explained.question == view
        return view in (questions_of(key, (), self._plugins, own_views=False) or (view,)) or key in (MAPS, STATE)

    def answering_map(self) -> str:
        """Return the name of a map that answers the selected question; "" if there is none."""
        shown, view = self._model.shown, self._model.readings.view
        for name in dict.fromkeys(one.name for one in (() if shown is None else shown.groups.get(MAPS, ()))):
            explanation = self._plugins.explanation(name)
            if view in QUESTIONS and explanation is not None and explanation.question == view:
                return name
        return ""

    def reason_for_nothing(self) -> str:
        """Return why no card is shown."""
        if self._model.readings.view in (OWN, ALL):
            return tr("No readings are switched on.")
        if self._model.requests.pending:
            return tr("Reading what answers this question…")
        if self._model.is_recorded:
            return tr("Nothing that answers this question was recorded at this step. Press “now” to read the model.")
        return tr("No reading of this model answers this question.")
