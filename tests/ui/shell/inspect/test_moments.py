"""Inspect says whose readings it shows: of which run and step, on which text; and nothing of another model."""

import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPlainTextEdit

from lab.shell.inspect.reading_card import ReadingCard
from lab.workbench import SavedRun
from lab.workbench.access.untrained import Untrained
from lab.workbench.analysis.snapshots import Timeline


def cards(window):
    """The cards of readings."""
    return [card for card in window.inspect.cards if isinstance(card, ReadingCard)]


def notes(window):
    """What the titles of the cards say about their readings."""
    return {card._note.whole for card in cards(window)}


def probe_text(window):
    """Where the probe text is typed."""
    return window.inspect.panel.findChild(QPlainTextEdit)


@pytest.fixture
def looked(until):
    """Open Inspect, and wait for what it finds."""

    def looked(window):
        window.show_place("inspect")
        until(lambda: cards(window) and window.inspect._scene is not None)
        return window

    return looked


@pytest.fixture
def trained(open_window, until):
    """A window whose run has ended."""

    def trained(*assignments):
        window = open_window("training.steps=60", *assignments)
        window.session.start()
        until(lambda: window.session.selected.state == "finished" and window.session.selected.active is None)
        return window

    return trained


# ---- whose readings


def test_cards_name_the_run_and_the_step_of_what_they_show(trained, looked):
    window = looked(trained())
    assert notes(window) == {f"{window.session.selected.name} · step 60"}


def test_before_any_run_cards_say_that_the_model_is_untrained(window, looked):
    looked(window)
    assert all("untrained" in note for note in notes(window))


def test_when_another_run_is_selected_nothing_of_the_old_one_is_shown(trained, looked, until, saved_run):
    window = looked(trained())
    old = cards(window)
    window.session.open_path(str(saved_run("Another run")))
    assert {card.state for card in old} == {"empty"}
    assert notes(window) == {""}


def test_a_run_that_cannot_be_looked_into_says_so_in_the_place_with_a_way_to_look_again(
    trained, looked, until, saved_run, click, button, qtbot, monkeypatch
):
    window = looked(trained())
    good = window.session.selected
    window.session.open_path(str(saved_run("Another run")))  # which has no checkpoint
    until(lambda: not cards(window))
    (place,) = window.inspect.cards
    assert place.isVisible()
    assert place.state == "empty"
    until(lambda: place._other.said[1] == "Look again")
    assert "vocabulary" in place._other.said[0] or "checkpoint" in place._other.said[0]
    monkeypatch.setattr(SavedRun, "inspect", lambda run, text, **_: good.run.recorded(0))
    qtbot.wait(50)  # until the button stands at its place
    click(button(place, "Look again"))
    until(lambda: notes(window) == {"Another run · untrained"})


def test_another_run_shown_beside_changes_neither_moment_nor_readings(trained, looked, until, saved_run):
    saved_run("Another run")
    window = looked(trained())
    panel = window.inspect.panel
    until(lambda: panel.film.slider.isEnabled())
    panel.film.slider.setValue(0)
    until(lambda: window.inspect._scene.look.step == 0)
    seen = window.inspect._scene
    other = next(view for view in window.session.book.views if view is not window.session.selected)
    window.session.book.show(other.key, True)
    assert panel.moment == 0
    assert window.inspect._scene is seen


def test_an_edit_of_the_draft_is_followed_where_no_run_is_selected(window, looked, until):
    looked(window)
    assert len(cards(window)[0]._view.layers()) == 2
    assert window.session.draft.edit("architecture.layers", 3) is None
    until(lambda: cards(window)[0].state == "content" and len(cards(window)[0]._view.layers()) == 3)


def test_an_edit_of_the_draft_is_not_followed_where_nobody_looks(window, looked, qtbot):
    looked(window)
    seen = window.inspect._scene
    window.show_place("train")
    assert window.session.draft.edit("architecture.layers", 3) is None
    qtbot.wait(900)
    assert window.inspect._scene is seen


# ---- moments


def test_the_slider_is_moved_by_the_arrow_keys_and_says_its_step_at_once(trained, looked, until, qtbot):
    window = looked(trained())
    panel, slider = window.inspect.panel, window.inspect.panel.film.slider
    until(slider.isEnabled)
    slider.setFocus()
    steps = window.session.selected.run.recorded_steps()
    for back in (1, 2):
        qtbot.keyClick(slider, Qt.Key.Key_Left)
        assert panel.film.reported.text() == f"step {steps[-back]}" == slider.accessibleDescription()
    qtbot.keyClick(slider, Qt.Key.Key_Home)
    until(lambda: window.inspect._scene.look.step == 0)
    assert all("untrained" in note for note in notes(window))


def test_a_recorded_moment_is_on_the_runs_own_text_and_now_brings_the_given_one_back(
    trained, looked, until, qtbot, click, button
):
    window = looked(trained())
    panel, edit = window.inspect.panel, probe_text(window)
    qtbot.keyClicks(edit, "a dog")
    click(button(panel, "Read it"))
    until(lambda: len(window.inspect._scene.look.labels) == 5)
    until(panel.film.slider.isEnabled)
    assert not panel._own_text.isVisible()
    panel.film.slider.setValue(0)
    until(lambda: len(window.inspect._scene.look.labels) > 5)
    assert not edit.isEnabled()
    assert "own probe text" in panel._own_text.text()
    assert panel._own_text.isVisible()
    click(button(panel, "now"))
    until(lambda: len(window.inspect._scene.look.labels) == 5)
    assert edit.isEnabled()
    assert edit.toPlainText() == "a dog"
    assert not panel._own_text.isVisible()


def test_a_look_into_the_model_that_comes_late_does_not_take_the_place_of_a_recorded_moment(
    trained, looked, until, monkeypatch
):
    window = looked(trained())
    place, slow = window.inspect, threading.Event()
    until(lambda: place.moments.is_read and place.panel.film.slider.isEnabled())
    look = SavedRun.inspect
    monkeypatch.setattr(SavedRun, "inspect", lambda run, *given, **named: slow.wait(5) and look(run, *given, **named))
    place.ask()
    place.panel.film.slider.setValue(1)
    shown, keys = place._scene.look, list(place.panel.chosen_readings)
    assert shown.step == place.panel.moment == place._seen
    slow.set()
    until(lambda: not place._under_way)
    assert place._scene.look is shown
    assert place.panel.chosen_readings == keys


def test_where_step_0_was_not_recorded_the_left_end_is_the_untrained_model_on_any_text(
    trained, looked, until, click, button
):
    window = looked(trained("readings.budget=0"))
    panel = window.inspect.panel
    assert window.session.selected.run.recorded_steps() == []
    until(panel.film.slider.isEnabled)
    panel.film.slider.setValue(0)
    until(lambda: window.inspect._scene.look.step == 0)
    assert all("untrained" in note for note in notes(window))
    probe_text(window).setPlainText("a dog")
    click(button(panel, "Read it"))
    until(lambda: len(window.inspect._scene.look.labels) == 5)
    assert window.inspect._scene.look.step == 0


@pytest.mark.long
def test_moments_are_never_looked_for_in_the_main_thread(running, looked, until, monkeypatch):
    threads, find = [], Timeline.find

    def noted(film):
        threads.append(threading.current_thread())
        return find(film)

    monkeypatch.setattr(Timeline, "find", noted)
    window = looked(running())
    until(lambda: len(threads) >= 2)
    assert threading.main_thread() not in threads
    assert window.inspect.panel.film.slider.isEnabled()


@pytest.mark.long
def test_moments_are_looked_for_seldom_and_not_where_nobody_looks(running, looked, until, qtbot, monkeypatch):
    calls, find = [], Timeline.find
    monkeypatch.setattr(Timeline, "find", lambda film: calls.append(film) or find(film))
    window = looked(running())
    qtbot.wait(1500)
    assert len(calls) == 1
    window.show_place("train")
    qtbot.wait(2600)
    assert len(calls) == 1


# ---- models that nobody asks


def test_the_untrained_model_is_dropped_once_a_run_is_asked_in_its_stead(running, until):
    window = running()
    window.session.subjects.choose("play", untrained=True)
    assert isinstance(window.session.subjects.now("play")[0], Untrained)
    assert window.session.subjects.now("inspect")[0] is window.session.selected.run
    assert window.session.subjects._untrained is not None
    window.session.subjects.choose("play", untrained=False)
    assert window.session.subjects._untrained is None
    assert window.session.subjects.now("play")[0] is window.session.selected.run


def test_the_model_of_a_run_on_disk_is_given_back_when_another_is_selected(trained, looked, until, saved_run):
    window = looked(trained())
    run = window.session.selected.run
    until(lambda: run._cache)
    window.session.open_path(str(saved_run("Another run")))
    assert not run._cache


def test_in_play_the_model_of_a_run_is_asked_before_and_after_its_training(trained, until):
    window = trained()
    window.show_place("play")
    play = window.play
    play.prompt.setPlainText("the ")
    until(lambda: "step 60" in play.next_card._note.whole)
    assert play._model.isVisible()
    play._model.menu().actions()[1].trigger()
    until(lambda: "untrained" in play.next_card._note.whole)
    play._model.menu().actions()[0].trigger()
    until(lambda: "step 60" in play.next_card._note.whole)


def test_in_play_there_is_no_choice_of_model_before_any_run(window):
    window.show_place("play")
    assert not window.play._model.isVisible()
