"""Snapshots in the window: one slider moves every card, on one scale, from memory; one can be pinned."""

import shutil
import threading
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt

from lab.api import Reading
from lab.base.problems import Problem
from lab.base.system import profile
from lab.runs import write_readings
from lab.shell.inspect.lengths_card import LengthsCard
from lab.shell.inspect.reading_card import ReadingCard
from lab.shell.inspect.sample_card import SampleCard
from lab.widgets.readings.mixing import MixingView
from lab.workbench import SavedRun
from lab.workbench.analysis.snapshots import Timeline


class Heads:
    """The card of the maps between tokens, with the heads that its views draw."""

    def __init__(self, card):
        self._card, self._pair = card, card._pair

    @property
    def _view(self):
        return self._card._view.heads

    @property
    def _pinned(self):
        return None if self._card._pinned is None else self._card._pinned.heads


def heads(window):
    """The card of the heads of attention."""
    return Heads(next(card for card in window.inspect.cards if isinstance(getattr(card, "_view", None), MixingView)))


def sample(window):
    """Return the card of samples."""
    return next(card for card in window.inspect.cards if isinstance(card, SampleCard))


def bar(window):
    return window.inspect.panel.timeline


def notes(window):
    """Return note and warning of the bar."""
    return bar(window)._note.text(), bar(window)._warning.text()


@pytest.fixture
def recorded(open_page, open_recorded):
    """Inspect with a run that has snapshots, all of them in memory."""
    return lambda *assignments: open_recorded(open_page("inspect"), *assignments)


@pytest.fixture
def recorded_window(open_window, open_recorded):
    """The window of the lab in Inspect with such a run."""
    return open_recorded(open_window(place="inspect"))


@pytest.fixture
def open_recorded(trained_run, small, until):
    """Open a run with snapshots, and wait until all of them are in memory."""

    def open_recorded(window, *assignments):
        recipe = small("training.steps=60", "training.evaluate_every=20", *assignments)
        window.session.open_paths([str(trained_run(recipe=recipe))])
        until(lambda: bar(window).slider.isEnabled() and window.inspect.model.shown is not None)
        until(lambda: window.inspect.snapshots.is_read or not window.inspect.snapshots.steps)
        return window

    return open_recorded


def file_of(window, step):
    return window.session.selected.path / "readings" / f"{step}.safetensors"


# ---- scrubbing


def test_a_move_of_the_slider_shows_the_snapshot_and_its_sample_at_once_without_using_a_model(recorded, monkeypatch):
    window = recorded()
    monkeypatch.setattr(SavedRun, "recorded", lambda run, step: pytest.fail("read from the disk"))
    monkeypatch.setattr(SavedRun, "inspect", lambda *_: pytest.fail("asked a model"))
    shown, written = [], set()
    for place, step in enumerate(bar(window).steps):
        bar(window).slider.setValue(place)
        assert window.inspect.model.shown.inspection.step == step  # without any turn of the event loop
        assert {card._note.full_text for card in window.inspect.cards if isinstance(card, ReadingCard)} == {
            window.inspect.model.shown.name
        }
        assert sample(window)._note.full_text == f"written at step {step}"
        shown.append(heads(window)._view._values.copy())
        written.add(sample(window)._text.toPlainText())
    assert len(shown) == 12
    assert not np.array_equal(shown[0], shown[-1], equal_nan=True)
    assert len(written) > 3


def test_colours_keep_one_scale_over_all_snapshots(recorded):
    window = recorded()
    for key in window.inspect.model.readings.offered:
        window.inspect.model.readings.switch(key, on=True)
    window.inspect._switch_readings()
    views = {card.title: card._view for card in window.inspect.cards if isinstance(card, ReadingCard)}
    scales = {title: set() for title in views}
    greatest = {title: set() for title in views}
    for place in range(len(bar(window).steps)):
        bar(window).slider.setValue(place)
        for title, view in views.items():
            if hasattr(view, "map"):
                scales[title].add((view.map.scale.low, view.map.scale.high))
                greatest[title].add(float(np.nanmax(np.abs(view._values))))
    assert all(len(found) == 1 for found in scales.values() if found)
    assert max(len(found) for found in greatest.values()) > 6
    note, warning = notes(window)
    assert "one colour scale" in note
    size = sum(file.stat().st_size for file in (window.session.selected.path / "readings").iterdir()) / 2**20
    assert note.splitlines()[0] == f"12 snapshots · {size:.2g} of 64 MB"
    assert warning == ""


def test_in_train_the_snapshot_is_marked_on_the_loss_its_sample_is_selected_and_the_space_bar_plays_no_more(
    recorded_window, until, qtbot
):
    window = recorded_window
    place = next(number for number, step in enumerate(bar(window).steps) if step > 20)
    step = bar(window).steps[place]
    bar(window).slider.setValue(place)
    window.show_place("train")
    loss, run = window.train.loss, window.session.selected
    assert [flag.x for flag in loss._flags(run) if flag.label == "snapshot"] == [step]
    until(lambda: window.train.samples._view.currentIndex().isValid())
    chosen = window.train.samples._view.currentIndex().row()
    assert run.samples[chosen][0] <= step < run.samples[chosen + 1][0]
    window.show_place("inspect")
    bar(window).now.click()
    assert [flag for flag in loss._flags(run) if flag.label == "snapshot"] == []
    bar(window)._set_speed("10")
    bar(window).slider.setFocus()
    qtbot.keyClick(bar(window).slider, Qt.Key.Key_Space)
    until(lambda: window.inspect.model.shown.inspection.step == bar(window).steps[2])
    assert bar(window).plays
    assert run.state == "finished"
    assert len(window.session.registry.runs) == 1  # the key started no run
    window.show_place("train")
    assert not bar(window).plays


# ---- a pinned snapshot


def test_a_pinned_snapshot_is_shown_with_the_others_on_the_same_scale_until_it_is_unpinned(
    recorded, click, button, saved_run, until
):
    window = recorded()
    bar(window).slider.setValue(0)
    click(button(window.inspect.panel, "Pin"))
    bar(window).slider.setValue(9)
    card, step = heads(window), bar(window).steps[9]
    assert card._pinned.isVisible()
    assert [title.full_text for title in card._pair._titles] == [f"step {step}", "pinned: untrained"]
    assert not np.array_equal(card._pinned._values, card._view._values, equal_nan=True)
    assert card._pinned.map.scale == card._view.map.scale
    assert sample(window)._pinned.toPlainText() != sample(window)._text.toPlainText()
    click(button(window.inspect.panel, "Unpin"))
    assert card._pinned is None
    assert [title.full_text for title in card._pair._titles if title.isVisible()] == []
    bar(window).pin_requested.emit()
    window.session.open_path(str(saved_run("Another run")))
    until(lambda: window.session.selected.name == "Another run")
    assert window.inspect.model.comparison.view is None
    assert bar(window)._pin.text() == "Pin"


def test_now_can_be_pinned_and_a_choice_in_one_of_two_views_applies_to_both(recorded):
    window = recorded()
    bar(window).pin_requested.emit()
    card = heads(window)
    now = card._view._values.copy()
    bar(window).slider.setValue(0)
    assert np.array_equal(card._pinned._values, now, equal_nan=True)
    assert card._pair._titles[1].full_text == "pinned: step 60"
    assert card._view.limits == card._pinned.limits
    bar(window).slider.setValue(3)
    for one, other in ((card._view, card._pinned), (card._pinned, card._view)):
        head = 1 - one._head
        one.strip.heads.picked.emit(head)
        assert other._head == head
        row = (one.map.selection[0] + 3) % one._values.shape[1]
        one.map.select(row, -1)
        one.map.selected.emit(row, -1)
        assert other.map.selection[0] == row
    card._view._root.click()
    assert not card._pinned._root.isChecked()
    window.inspect.panel._block.setCurrentIndex(1)
    assert (card._view._wanted, card._pinned._wanted) == (1, 1)


# ---- notes


def test_the_bar_explains_with_a_remedy_why_snapshots_or_all_of_them_were_left_out(recorded, trained_run, small, until):
    window = recorded("readings.budget=300000")
    (event,) = [one for one in window.session.selected.source.folder.events() if one["event"] == "budget"]
    assert len(bar(window).steps) == event["kept"] < 12
    assert bar(window).steps[-1] == 60
    assert f"holds {event['kept']} of 12" in notes(window)[1]
    assert "readings.budget" in notes(window)[1]
    for assignment, words in (
        ("readings.moments=0", "readings.moments is 0"),
        ("readings.budget=10", "One snapshot takes"),
    ):
        run = trained_run("training.steps=3", "training.evaluate_every=3", assignment)
        window.session.open_paths([str(run)])
        until(lambda words=words: words in notes(window)[1])
        assert "next run" in notes(window)[1]


def test_an_n_gram_has_snapshots_too(open_page, until):
    window = open_page("inspect")
    assert window.session.draft.apply({"architecture": {"name": "n-gram"}}) is None
    window.session.start()
    until(lambda: window.session.selected.state == "finished" and window.session.selected.active is None)
    until(lambda: window.inspect.snapshots.is_read and window.inspect.snapshots.steps)
    bar(window).slider.setValue(len(bar(window).steps) - 1)
    assert {card.state for card in window.inspect.cards} == {"content"}


# ---- garbage


def test_damaged_new_and_strange_snapshots_do_not_break_scrubbing_nor_does_their_removal(recorded, until, reported):
    window = recorded()
    bar(window).slider.setValue(2)
    here = bar(window).step
    shutil.copy(file_of(window, 60), file_of(window, 99))
    window.inspect.snapshots.find()
    until(lambda: bar(window).steps[-1] == 99)  # as those that a training run records
    assert bar(window).step == here
    until(lambda: window.inspect.snapshots.is_read)
    bar(window).slider.setValue(len(bar(window).steps) - 1)
    assert window.inspect.model.shown.inspection.step == 99

    file_of(window, bar(window).steps[4]).write_bytes(b"\0" * 100)
    window.inspect.snapshots.find()
    until(lambda: isinstance(window.inspect.snapshots.at(bar(window).steps[4]), Problem))
    view = heads(window)._view
    for place, step in enumerate(bar(window).steps):
        bar(window).slider.setValue(place)
        if place == 4:
            assert states_at_step(window) == {"empty"}
            assert f"step {step}" in heads_words(window)
            assert "cannot be read" in heads_words(window)
        else:
            assert window.inspect.model.shown.inspection.step == step
            assert states_at_step(window) == {"content"}
    assert heads(window)._view is view

    write_readings(
        window.session.selected.path, 1,
        [Reading("weights", ("token",), np.full(4, np.nan, np.float32)), Reading("count", (), np.int64(3))],
    )  # fmt: skip
    window.inspect.snapshots.find()
    until(lambda: len(getattr(window.inspect.snapshots.at(1), "readings", "")) == 2)
    for place in (0, 1, 2):
        bar(window).slider.setValue(place)
        assert window.inspect.model.shown.inspection.step == bar(window).steps[place]

    bar(window).slider.setValue(3)
    shutil.rmtree(window.session.selected.path)
    window.inspect.snapshots.find()
    until(lambda: window.inspect.snapshots.steps == [])
    until(lambda: bar(window).step is None)
    until(lambda: not window.inspect.model.requests.pending)
    assert [problem.trace for problem in reported if problem.trace] == []


def states_at_step(window):
    """Return the states of the cards that show the selected step: the loss by position is of the last checkpoint."""
    return {card.state for card in window.inspect.cards if not isinstance(card, LengthsCard)}


def heads_words(window):
    return window.inspect.cards[0]._other.shown_text[0]


def test_snapshots_that_do_not_fit_into_memory_are_read_when_shown(recorded, until, monkeypatch):
    monkeypatch.setattr(profile._Current, "profile", replace(profile.FULL, reading_bytes=300_000))
    window = recorded()
    in_memory = [step for step in bar(window).steps if window.inspect.snapshots.at(step) is not None]
    assert 0 < len(in_memory) < 12
    for place in (11, 0, 6):
        bar(window).slider.setValue(place)
        until(lambda place=place: window.inspect.model.shown.inspection.step == bar(window).steps[place])


def test_snapshots_that_were_found_for_a_closed_page_are_ignored(recorded):
    window = recorded()
    snapshots, shown = window.inspect.snapshots, []
    timeline = snapshots._timeline
    snapshots.loaded.connect(lambda: shown.append(snapshots.steps))
    snapshots.close_down()
    snapshots._take(timeline)  # as a thread delivers it after the window was replaced
    assert (shown, snapshots.steps) == ([], [])


def test_a_slow_search_is_followed_by_another_one_and_not_replaced(recorded, until, monkeypatch):
    snapshots, release, searches = recorded().inspect.snapshots, threading.Event(), []

    def slow(timeline):
        searches.append(timeline)
        release.wait(10)

    monkeypatch.setattr(Timeline, "find", slow)
    snapshots._reported = ()
    for _ in range(3):
        snapshots.find()
    found = []
    snapshots.list_changed.connect(lambda: found.append(len(searches)))
    release.set()
    until(lambda: len(searches) == 2 and snapshots._finding is None)
    assert len(found) == 1
