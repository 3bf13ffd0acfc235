"""Probes in Inspect: offered by title, run only while they are switched on, with the reason why one found nothing."""

import pytest

from lab.host import Plugins
from lab.shell.inspect.probes import offered
from lab.shell.inspect.reading_card import ReadingCard
from lab.widgets.core.i18n import tr_registered

PROBES = '''
"""Probes for all models: one counts its calls, one takes its time, one is for no model, one raises."""
import time

import numpy as np

from lab.api import BadInput, Probe, Reading, hookimpl

calls = []


def counting(config):
    def probe(model, tokens):
        calls.append(tokens.shape[1])
        return [Reading("calls so far", ("lag",), np.arange(1.0, 5.0))]

    return probe


def slow(config):
    def probe(model, tokens):
        since = time.thread_time()
        while time.thread_time() - since < 0.2:
            pass
        return []

    return probe


def nothing(config):
    def probe(model, tokens):
        raise BadInput("this is for models with wings", remedy="Choose another probe")

    return probe


def raising(config):
    def probe(model, tokens):
        raise RuntimeError("no such thing")

    return probe


@hookimpl
def lab_register_probes(register):
    register(Probe("counting", "Counting", counting, summary="How often it was called.", everywhere=True))
    register(Probe("slow", "Slow", slow, everywhere=True))
    register(Probe("wings", "Wings", nothing, everywhere=True))
    register(Probe("raising", "Raising", raising, everywhere=True))
    register(Probe("elsewhere", "Elsewhere", counting))
'''


def probes(page):
    """Return the probes in the gallery, by title."""
    return {entry.title: entry for entry in page.inspect.panel.gallery.entries if entry.is_probe}


def titles(page):
    """Return the titles of the cards of readings."""
    return [card.title for card in page.inspect.cards if isinstance(card, ReadingCard)]


@pytest.fixture
def calls():
    """Return what the counting probe was called with."""
    import sys

    return sys.modules["lab_plugin_probes"].calls


@pytest.fixture
def page(open_page, plugin, until):
    """Open Inspect with probes of a plugin, and wait for its first inspection."""
    page = open_page("inspect", enable=[plugin("probes", PROBES)])
    until(lambda: titles(page))
    return page


def test_probes_for_all_models_and_those_of_the_architecture_are_offered_by_title(page):
    offered = set(probes(page))
    assert {"Counting", "Wings", "Head scores"} <= offered
    assert "Elsewhere" not in offered
    assert "Counts of n-grams" not in offered
    assert page.session.draft.apply({"architecture": {"name": "n-gram"}}) is None
    page.inspect.ask()
    assert {"Counting", "Counts of n-grams"} <= set(probes(page))


def test_what_every_run_records_is_switched_on_at_first_and_the_rest_is_not(page):
    assert probes(page)["Head scores"].is_on
    assert not probes(page)["Counting"].is_on
    assert "Head scores" in titles(page)


def test_a_probe_is_run_only_while_it_is_switched_on_and_its_card_comes_at_once(page, calls, until, switch):
    assert calls == []
    switch(page, "Counting")
    until(lambda: "Calls so far" in titles(page))
    assert len(calls) == 1
    page.inspect.ask()
    until(lambda: len(calls) == 2 and not page.inspect.model.requests.pending)
    switch(page, "Counting")
    until(lambda: "Calls so far" not in titles(page))
    assert len(calls) == 2


def test_a_probe_that_finds_nothing_says_why_under_its_name_and_the_others_are_run(page, calls, until, switch):
    for name in ("Wings", "Raising", "Counting"):
        switch(page, name)
    until(lambda: probes(page)["Wings"].problem and probes(page)["Raising"].problem)
    assert "models with wings" in probes(page)["Wings"].problem
    assert "no such thing" in probes(page)["Raising"].problem
    until(lambda: "Calls so far" in titles(page))
    switch(page, "Wings")
    assert not probes(page)["Wings"].problem


def test_the_time_of_probes_counts_for_the_pause_between_inspections(page, until, switch):
    switch(page, "Slow")
    until(lambda: not page.inspect.model.requests.pending)
    assert page.inspect.model.requests.rest >= 25 * 0.2


def test_at_a_recorded_step_its_snapshot_is_shown_and_no_probe_is_run(page, calls, until, trained_run, switch):
    switch(page, "Counting")
    until(lambda: "Calls so far" in titles(page))
    page.session.open_path(str(trained_run("training.steps=20")))
    until(lambda: page.inspect.snapshots.is_read and page.inspect.panel.timeline.slider.isEnabled())
    until(lambda: not page.inspect.model.requests.pending)
    before = len(calls)
    page.inspect.panel.timeline.slider.setValue(1)
    until(lambda: page.inspect.model.is_recorded and page.inspect.model.shown_step is not None)
    assert ("head scores", ("quantity", "layer", "head")) in page.inspect.model.readings.offered
    assert not probes(page)["Counting"].is_enabled
    assert len(calls) == before


def test_few_numbers_are_shown_over_the_training_with_the_selected_step(page, until, click, trained_run):
    page.session.open_path(str(trained_run("training.steps=20")))
    until(lambda: page.inspect.snapshots.is_read and "Head scores" in titles(page))
    (card,) = (card for card in page.inspect.cards if card.title == "Head scores")
    until(lambda: card._over.isVisible())
    click(card._over)
    chart = card._history.chart
    assert chart.isVisible()
    first, *others = chart._lines
    assert first.long_name == "block 1 · head 1"  # the selected one
    assert {line.long_name for line in others} == {"block 1 · head 2", "block 2 · head 1", "block 2 · head 2"}
    assert [line.y[-1] for line in others] == sorted((line.y[-1] for line in others), reverse=True)
    until(lambda: chart._lines[0].x.tolist() == page.inspect.snapshots.steps)
    steps = page.inspect.snapshots.steps
    page.inspect.panel.timeline.slider.setValue(2)
    assert chart._flags[0].x == steps[2]
    page.inspect.panel.timeline.slider.setValue(3)
    assert chart._flags[0].x == steps[3]
    before = chart._lines[0].y.tolist()
    menu = card._view._choice.menu()
    next(action for action in menu.actions() if action.text() == "induction").trigger()
    assert chart._lines[0].y.tolist() != before
    click(card._over)
    assert card._view.isVisible()
    heads = next(card for card in page.inspect.cards if card.title == "Token mixing")
    assert not heads._over.isVisible()


def test_probes_are_offered_by_their_titles_in_the_language_of_the_window(german, small):
    titles = {offer.title for offer in offered(Plugins(safe_mode=True), small(), tr_registered)}
    assert {"Kopfwerte", "Einfluss", "Attention-Rollout"} <= titles
