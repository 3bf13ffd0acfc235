"""Inspect names the run and step whose readings it shows, and shows nothing of another model."""

import threading
import time

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPlainTextEdit

from lab.shell.inspect.place import FIND
from lab.shell.inspect.reading_card import ReadingCard
from lab.workbench import SavedRun
from lab.workbench.access.untrained import Untrained
from lab.workbench.analysis.snapshots import Timeline


def cards(window):
    """Return the cards of readings."""
    return [card for card in window.inspect.cards if isinstance(card, ReadingCard)]


def notes(window):
    """Return the notes in the titles of the cards."""
    return {card._note.full_text for card in cards(window)}


def probe_text(window):
    """Return the field of the probe text."""
    return window.inspect.panel.findChild(QPlainTextEdit)


@pytest.fixture
def inspected(until):
    """Open Inspect, and wait for its first inspection."""

    def inspected(window):
        window.show_place("inspect")
        until(lambda: cards(window) and window.inspect.model.shown is not None)
        return window

    return inspected


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


def test_cards_name_the_run_and_the_step_of_what_they_show(trained, inspected):
    window = inspected(trained())
    assert notes(window) == {f"{window.session.selected.name} · step 60"}


def test_before_any_run_cards_name_the_untrained_model(window, inspected):
    inspected(window)
    assert all("untrained" in note for note in notes(window))


def test_when_another_run_is_selected_nothing_of_the_old_one_is_shown(trained, inspected, until, saved_run):
    window = inspected(trained())
    old = cards(window)
    window.session.open_path(str(saved_run("Another run")))
    assert {card.state for card in old} == {"empty"}
    assert notes(window) == {""}


def test_a_run_that_cannot_be_inspected_shows_why_with_a_button_to_try_again(
    trained, inspected, until, saved_run, click, button, monkeypatch
):
    window = inspected(trained())
    good = window.session.selected
    window.session.open_path(str(saved_run("Another run")))  # which has no checkpoint
    until(lambda: not cards(window))
    (place,) = window.inspect.cards
    assert place.isVisible()
    assert place.state == "empty"
    until(lambda: place._other.shown_text[1] == "Try again")
    assert "vocabulary" in place._other.shown_text[0] or "checkpoint" in place._other.shown_text[0]
    monkeypatch.setattr(SavedRun, "inspect", lambda run, text, **_: good.run.recorded(0))
    again = button(place, "Try again")
    until(lambda: window.childAt(again.mapTo(window, again.rect().center())) is again)  # it is laid out
    click(again)
    until(lambda: notes(window) == {"Another run · untrained"})


def test_showing_another_run_changes_neither_step_nor_readings(trained, inspected, until, saved_run):
    saved_run("Another run")
    window = inspected(trained())
    panel = window.inspect.panel
    until(lambda: panel.timeline.slider.isEnabled())
    panel.timeline.slider.setValue(0)
    until(lambda: window.inspect.model.shown.inspection.step == 0)
    seen = window.inspect.model.shown
    other = next(view for view in window.session.registry.views if view is not window.session.selected)
    window.session.registry.show(other.key, True)
    assert window.inspect.model.step == 0
    assert window.inspect.model.shown is seen


def test_an_edit_of_the_draft_is_followed_where_no_run_is_selected(window, inspected, until):
    inspected(window)
    assert len(cards(window)[0]._view.layers()) == 2
    assert window.session.draft.edit("architecture.layers", 3) is None
    until(lambda: cards(window)[0].state == "content" and len(cards(window)[0]._view.layers()) == 3)


def test_an_edit_of_the_draft_is_not_followed_while_nobody_sees_inspect(window, inspected):
    inspected(window)
    seen = window.inspect.model.shown
    window.show_place("train")
    assert window.session.draft.edit("architecture.layers", 3) is None
    assert not window.inspect._edited.isActive()
    assert window.inspect.model.shown is seen


# ---- snapshots


def test_the_slider_is_moved_by_the_arrow_keys_and_shows_its_step_at_once(trained, inspected, until, qtbot):
    window = inspected(trained())
    panel, slider = window.inspect.panel, window.inspect.panel.timeline.slider
    until(slider.isEnabled)
    slider.setFocus()
    steps = window.session.selected.run.recorded_steps()
    for back in (1, 2):
        qtbot.keyClick(slider, Qt.Key.Key_Left)
        assert panel.timeline.status.text() == f"step {steps[-back]}" == slider.accessibleDescription()
    qtbot.keyClick(slider, Qt.Key.Key_Home)
    until(lambda: window.inspect.model.shown.inspection.step == 0)
    assert all("untrained" in note for note in notes(window))


def test_a_snapshot_is_on_the_runs_own_text_and_now_restores_the_submitted_one(
    trained, inspected, until, qtbot, click, button
):
    window = inspected(trained())
    panel, edit = window.inspect.panel, probe_text(window)
    qtbot.keyClicks(edit, "a dog")
    click(button(panel, "Read it"))
    until(lambda: len(window.inspect.model.shown.inspection.labels) == 5)
    until(panel.timeline.slider.isEnabled)
    assert not panel._own_text.isVisible()
    panel.timeline.slider.setValue(0)
    until(lambda: len(window.inspect.model.shown.inspection.labels) > 5)
    assert not edit.isEnabled()
    assert "own probe text" in panel._own_text.text()
    assert panel._own_text.isVisible()
    click(button(panel, "now"))
    until(lambda: len(window.inspect.model.shown.inspection.labels) == 5)
    assert edit.isEnabled()
    assert edit.toPlainText() == "a dog"
    assert not panel._own_text.isVisible()


def test_an_inspection_that_comes_late_does_not_replace_a_snapshot(trained, inspected, until, monkeypatch):
    window = inspected(trained())
    place, slow = window.inspect, threading.Event()
    until(lambda: place.snapshots.is_read and place.panel.timeline.slider.isEnabled())
    look = SavedRun.inspect
    monkeypatch.setattr(SavedRun, "inspect", lambda run, *given, **named: slow.wait(5) and look(run, *given, **named))
    place.ask()
    place.panel.timeline.slider.setValue(1)
    shown, keys = place.model.shown.inspection, list(place.model.readings.selected)
    assert shown.step == place.model.step == place.model.shown_step
    slow.set()
    until(lambda: not place.model.requests.pending)
    assert place.model.shown.inspection is shown
    assert place.model.readings.selected == keys


def test_where_step_0_was_not_recorded_the_left_end_is_the_untrained_model_on_any_text(
    trained, inspected, until, click, button
):
    window = inspected(trained("readings.budget=0"))
    panel = window.inspect.panel
    assert window.session.selected.run.recorded_steps() == []
    until(panel.timeline.slider.isEnabled)
    panel.timeline.slider.setValue(0)
    until(lambda: window.inspect.model.shown.inspection.step == 0)
    assert all("untrained" in note for note in notes(window))
    probe_text(window).setPlainText("a dog")
    click(button(panel, "Read it"))
    until(lambda: len(window.inspect.model.shown.inspection.labels) == 5)
    assert window.inspect.model.shown.inspection.step == 0


@pytest.mark.long
def test_snapshots_are_never_searched_for_in_the_main_thread(running, inspected, until, monkeypatch):
    threads, find = [], Timeline.find

    def noted(film):
        threads.append(threading.current_thread())
        return find(film)

    monkeypatch.setattr(Timeline, "find", noted)
    window = inspected(running())
    until(lambda: len(threads) >= 2)
    assert threading.main_thread() not in threads
    assert window.inspect.panel.timeline.slider.isEnabled()


def test_snapshots_are_searched_for_rarely_and_not_while_nobody_sees_inspect(running, inspected, monkeypatch):
    searches = []
    window = inspected(running())
    place = window.inspect
    monkeypatch.setattr(place.snapshots, "find", lambda: searches.append(place._found))
    place._found = time.perf_counter()
    place._refresh()
    assert searches == []
    place._found -= FIND
    place._refresh()
    assert len(searches) == 1
    window.show_place("train")
    place._found -= FIND
    assert not place._timer.isActive()
    place._find_snapshots()
    assert len(searches) == 1


# ---- models that nobody uses


def test_the_untrained_model_is_released_once_a_run_is_used(running, until):
    window = running()
    window.session.model_provider.choose("play", untrained=True)
    assert isinstance(window.session.model_provider.current("play")[0], Untrained)
    assert window.session.model_provider.current("inspect")[0] is window.session.selected.run
    assert window.session.model_provider._untrained is not None
    window.session.model_provider.choose("play", untrained=False)
    assert window.session.model_provider._untrained is None
    assert window.session.model_provider.current("play")[0] is window.session.selected.run


def test_the_model_of_a_run_on_disk_is_released_when_another_is_selected(trained, inspected, until, saved_run):
    window = inspected(trained())
    run = window.session.selected.run
    until(lambda: run._cache)
    window.session.open_path(str(saved_run("Another run")))
    assert not run._cache


def test_in_play_the_model_of_a_run_is_used_before_and_after_its_training(trained, until):
    window = trained()
    window.show_place("play")
    play = window.play
    play.prompt.setPlainText("the ")
    until(lambda: "step 60" in play.next_card._note.full_text)
    assert play._models.isVisible()
    play._models.menu().actions()[1].trigger()
    until(lambda: "untrained" in play.next_card._note.full_text)
    play._models.menu().actions()[0].trigger()
    until(lambda: "step 60" in play.next_card._note.full_text)


def test_in_play_there_is_no_choice_of_model_before_any_run(window):
    window.show_place("play")
    assert not window.play._models.isVisible()
