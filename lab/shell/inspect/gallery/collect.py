"""The entries of the gallery for what Inspect offers: its cards and its probes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable

from lab.api import Explanation
from lab.host import Plugins
from lab.shell.inspect.explanations import explanation_of
from lab.shell.inspect.gallery.entries import Cost, Entry, formula_words
from lab.shell.inspect.gallery.probe_selection import Offer
from lab.shell.inspect.gallery.reading_selection import Key
from lab.shell.inspect.inspection_view import ABLATION, LENGTHS, MAPS, SAMPLE, STATE, is_of_view, title_of_card
from lab.shell.inspect.model import InspectModel
from lab.shell.inspect.probes import REPORTS
from lab.widgets.core.i18n import tr_registered
from lab.widgets.core.messages import problem_line

MEASURED_IN_TRAINING = (LENGTHS, SAMPLE)
"""Cards of what a run has measured or written itself."""


def questions_of(key: Key, names: Iterable[str], plugins: Plugins, *, own_views: bool = True) -> tuple[str, ...]:
    """Return the questions that a card answers, the most important one first.

    Args:
        key: The card.
        names: The names of its readings.
        plugins: The plugins that explain readings and views.
        own_views: Whether plugins' own views of its readings count, too.
    """
    found = [_explanation(key, plugins)]
    if key in (MAPS, STATE):  # which combine readings that are explained one by one
        found += [plugins.explanation(name) for name in sorted(set(names))]
    elif own_views and not is_of_view(key):
        views = plugins.cards("views").values()
        found += [view.explanation for view in views if view.shows(key[1])]
    return tuple(dict.fromkeys(one.question for one in found if one is not None))


def collect(model: InspectModel, plugins: Plugins, recorded: Collection[str] = ()) -> list[Entry]:
    """Return an entry for each probe that is offered, and for each card that is not the only one of a probe.

    Args:
        model: The state of Inspect.
        plugins: The plugins that explain readings and views.
        recorded: The names of the readings that the run has recorded.
    """
    offers = {offer.name: offer for offer in model.probes.offers}
    probes = [_of_probe(offer, model, recorded) for offer in offers.values()]
    titles = Counter(title_of_card(key) for key in model.readings.offered)
    cards = []
    for key in model.readings.offered:
        probe = model.probe_of.get(key, "")
        if probe not in offers or len(model.cards_of_probe(probe)) > 1:
            is_free = key in MEASURED_IN_TRAINING or _is_recorded(key, model, recorded)
            cost = Cost("free") if is_free else _cost_of_card(key, probe if probe in offers else "", model)
            cards.append(_of_card(key, cost, model, plugins, with_axes=titles[title_of_card(key)] > 1))
    order = list(model.readings.offered)
    return sorted([*cards, *probes], key=lambda entry: _position(entry, order, model))


def _position(entry: Entry, order: list[Key], model: InspectModel) -> int:
    """Return the position of an entry's first card among all cards; probes without a card come last."""
    keys = model.cards_of_probe(entry.identity[0]) if entry.is_probe else [(entry.identity[0], entry.identity[1:])]
    return min((order.index(key) for key in keys if key in order), default=len(order))


def _of_card(key: Key, cost: Cost, model: InspectModel, plugins: Plugins, *, with_axes: bool) -> Entry:
    explanation, axes = _explanation(key, plugins), () if is_of_view(key) else key[1]
    title = title_of_card(key)
    return Entry(
        (key[0], *key[1]),
        False,
        f"{title} ({' × '.join(axes)})" if with_axes and axes else title,
        "" if explanation is None else explanation.shows,
        tuple(model.readings.questions.get(key, ())),
        cost,
        is_on=model.readings.is_on(key),
        terms=" ".join(("reading", *axes, _terms(explanation))),
        sentences=sentences_of(explanation),
    )


def _of_probe(offer: Offer, model: InspectModel, recorded: Collection[str]) -> Entry:
    keys = model.cards_of_probe(offer.name)
    is_shown = not keys or any(map(model.readings.is_on, keys))
    problem = model.probes.problems.get(offer.name)
    is_free = any(_is_recorded(key, model, recorded) for key in keys)
    explanations = list(offer.explanations.values())
    of_cards = [question for key in keys for question in model.readings.questions.get(key, ())]
    titles = [title_of_card(key) for key in keys]
    return Entry(
        (offer.name,),
        True,
        offer.title,
        explanations[0].shows if len(explanations) == 1 else offer.summary,
        tuple(dict.fromkeys([*offer.questions, *of_cards])),
        Cost("free") if is_free else Cost("model", model.seconds.get(offer.name)),
        is_on=is_shown and (bool(keys) if model.is_recorded else model.probes.is_on(offer.name)),
        is_enabled=is_free or not model.is_recorded,
        problem="" if problem is None else problem_line(problem),
        is_refused=problem is not None and not problem.trace,
        terms=" ".join(("probe", offer.name, *offer.explanations, *titles, *map(_terms, explanations))),
        sentences=" ".join([*map(sentences_of, explanations), tr_registered(offer.summary)]),
    )


def _cost_of_card(key: Key, probe: str, model: InspectModel) -> Cost:
    if key == ABLATION or probe:
        return Cost("model", model.seconds.get(probe))
    return Cost("pass", model.seconds.get(REPORTS))


def _is_recorded(key: Key, model: InspectModel, recorded: Collection[str]) -> bool:
    group = () if model.shown is None else model.shown.groups.get(key, ())
    return bool(group) and (model.is_recorded or any(one.name in recorded for one in group))


def _explanation(key: Key, plugins: Plugins) -> Explanation | None:
    own = key[0] if is_of_view(key) else ""
    return explanation_of(key, own, plugins) if not own or own in plugins.cards("views") else None


def sentences_of(explanation: Explanation | None) -> str:
    """Return what an explanation says, in the language of the window; "" if there is none."""
    if explanation is None:
        return ""
    shows, how, example = map(tr_registered, (explanation.shows, explanation.how, explanation.example))
    return " ".join(filter(None, (f"{shows}.", how, example)))


def _terms(explanation: Explanation | None) -> str:
    """Return the text of an explanation by which it is found, besides its caption."""
    if explanation is None:
        return ""
    meanings = explanation.symbols.values()
    return " ".join((explanation.shows, explanation.how, formula_words(explanation.formula), *meanings))
