"""Inspect names the run and step whose readings it shows, and shows nothing of another model."""

import threading
import time

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QPlainTextEdit

from lab.base.problems import LabError
from lab.shell.inspect.model import FIND
from lab.shell.inspect.reading_card import ReadingCard
from lab.workbench import SavedRun
from lab.workbench.access.untrained import Untrained
from lab.workbench.analysis.snapshots import Timeline


def cards(page):
    """Return the cards of readings."""
    return [card for card in page.inspect.cards if isinstance(card, ReadingCard)]


def notes(page):
    """Return the notes in the titles of the cards."""
    return {card._note.full_text for card in cards(page)}


def probe_text(page):
    """Return the field of the probe text."""
    return page.inspect.panel.findChild(QPlainTextEdit)


@pytest.fixture
def inspected(until):
    """Wait for the first inspection of a page."""

    def inspected(page):
        until(lambda: cards(page) and page.inspect.model.shown is not None)
        return page

    return inspected


@pytest.fixture
def page(open_page):
    """Inspect before any run."""
    return open_page("inspect")


@pytest.fixture
def trained(open_page, trained_run):
    """Open Inspect or Play with a run that has ended."""

    def trained(*assignments, name="inspect"):
        run = trained_run("training.steps=20", *assignments)
        page = open_page(name)
        page.session.open_path(str(run))
        return page

    return trained


# ---- whose readings


def test_cards_name_the_run_and_the_step_of_what_they_show_and_show_nothing_of_it_once_another_is_selected(
    trained, inspected, until, saved_run
):
    page = inspected(trained())
    assert notes(page) == {f"{page.session.selected.name} · step 20"}
    run, old, status = page.session.selected.source, cards(page), page.inspect.panel.timeline.status
    until(lambda: run._cache)
    assert status.text() == "step 20"
    page.session.open_path(str(saved_run("Another run")))
    assert not run._cache  # its model is released
    assert {card.state for card in old} == {"empty"}
    assert notes(page) == {""}
    assert status.text() == ""
    page.inspect._refresh()
    assert status.text() == ""


def test_before_any_run_cards_name_the_untrained_model_whose_draft_is_followed_while_somebody_sees_it(
    page, inspected, until
):
    inspected(page)
    assert all("untrained" in note for note in notes(page))
    assert len(cards(page)[0]._view.layers()) == 2
    assert page.session.draft.edit("architecture.layers", 3) is None
    until(lambda: cards(page)[0].state == "content" and len(cards(page)[0]._view.layers()) == 3)
    until(lambda: not page.inspect.model.requests.pending)
    seen = page.inspect.model.shown
    page.inspect.hide()
    assert page.session.draft.edit("architecture.layers", 4) is None
    assert not page.inspect._edited.isActive()
    assert page.inspect.model.shown is seen


def test_a_run_that_cannot_be_inspected_shows_why_with_a_button_to_try_again(
    trained, inspected, until, saved_run, click, button, monkeypatch
):
    page = inspected(trained())
    good = page.session.selected
    page.session.open_path(str(saved_run("Another run")))  # which has no checkpoint
    until(lambda: not cards(page))
    (place,) = page.inspect.cards
    assert place.isVisible()
    assert place.state == "empty"
    until(lambda: place._other.shown_text[1] == "Try again")
    assert "vocabulary" in place._other.shown_text[0] or "checkpoint" in place._other.shown_text[0]
    monkeypatch.setattr(SavedRun, "inspect", lambda run, text, **_: good.source.recorded(0))
    again = button(place, "Try again")
    until(lambda: page.childAt(again.mapTo(page, again.rect().center())) is again)  # it is laid out
    click(again)
    until(lambda: notes(page) == {"Another run · untrained"})


# ---- snapshots


def test_the_slider_is_moved_by_the_arrow_keys_shows_its_step_at_once_and_stays_when_another_run_is_shown(
    trained, inspected, until, qtbot, saved_run
):
    saved_run("Another run")
    page = inspected(trained())
    panel, slider = page.inspect.panel, page.inspect.panel.timeline.slider
    until(slider.isEnabled)
    slider.setFocus()
    steps = page.session.selected.source.recorded_steps()
    for back in (1, 2):
        qtbot.keyClick(slider, Qt.Key.Key_Left)
        assert panel.timeline.status.text() == f"step {steps[-back]}" == slider.accessibleDescription()
    qtbot.keyClick(slider, Qt.Key.Key_Home)
    until(lambda: page.inspect.model.shown.inspection.step == 0)
    assert all("untrained" in note for note in notes(page))
    seen = page.inspect.model.shown
    other = next(run for run in page.session.registry.runs if run is not page.session.selected)
    page.session.registry.show(other.key, True)
    assert page.inspect.model.step == 0
    assert page.inspect.model.shown is seen


def test_a_snapshot_is_on_the_runs_own_text_and_now_restores_the_submitted_one(
    trained, inspected, until, qtbot, click, button
):
    page = inspected(trained())
    panel, edit = page.inspect.panel, probe_text(page)
    qtbot.keyClicks(edit, "a dog")
    click(button(panel, "Inspect text"))
    until(lambda: len(page.inspect.model.shown.inspection.labels) == 5)
    until(panel.timeline.slider.isEnabled)
    assert not panel._own_text.isVisible()
    panel.timeline.slider.setValue(0)
    until(lambda: len(page.inspect.model.shown.inspection.labels) > 5)
    assert not edit.isEnabled()
    assert "own probe text" in panel._own_text.text()
    assert panel._own_text.isVisible()
    click(button(panel, "now"))
    until(lambda: len(page.inspect.model.shown.inspection.labels) == 5)
    assert edit.isEnabled()
    assert edit.toPlainText() == "a dog"
    assert not panel._own_text.isVisible()


def test_an_inspection_that_comes_late_does_not_replace_a_snapshot(trained, inspected, until, monkeypatch):
    page = inspected(trained())
    place, slow = page.inspect, threading.Event()
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


@pytest.mark.long
def test_where_step_0_was_not_recorded_the_left_end_is_the_untrained_model_on_any_text(
    trained, inspected, until, click, button
):
    page = inspected(trained("readings.budget=0"))
    panel = page.inspect.panel
    assert page.session.selected.source.recorded_steps() == []
    until(panel.timeline.slider.isEnabled)
    panel.timeline.slider.setValue(0)
    until(lambda: page.inspect.model.shown.inspection.step == 0)
    assert all("untrained" in note for note in notes(page))
    probe_text(page).setPlainText("a dog")
    click(button(panel, "Inspect text"))
    until(lambda: len(page.inspect.model.shown.inspection.labels) == 5)
    assert page.inspect.model.shown.inspection.step == 0


@pytest.mark.long
def test_snapshots_are_never_searched_for_in_the_main_thread(running_page, inspected, until, monkeypatch):
    threads, find = [], Timeline.find

    def noted(film):
        threads.append(threading.current_thread())
        return find(film)

    monkeypatch.setattr(Timeline, "find", noted)
    page = inspected(running_page("inspect"))
    until(lambda: len(threads) >= 2)
    assert threading.main_thread() not in threads
    assert page.inspect.panel.timeline.slider.isEnabled()


def test_snapshots_are_searched_for_rarely_and_not_while_nobody_sees_inspect(running_page, inspected, monkeypatch):
    searches = []
    page = inspected(running_page("inspect"))
    place = page.inspect
    monkeypatch.setattr(place.snapshots, "find", lambda: searches.append(True))
    place.model.start_search(time.perf_counter())
    place._refresh()
    assert searches == []
    place.model.start_search(time.perf_counter() - 2 * FIND)
    place._refresh()
    assert len(searches) == 1
    page.inspect.hide()
    place.model.start_search(time.perf_counter() - 2 * FIND)
    assert not place._timer.isActive()
    place._find_snapshots()
    assert len(searches) == 1


# ---- models that nobody uses


def test_the_untrained_model_is_released_once_a_run_is_used(running_page, until):
    page = running_page("inspect")
    page.session.model_provider.choose("play", untrained=True)
    assert isinstance(page.session.model_provider.current("play")[0], Untrained)
    assert page.session.model_provider.current("inspect")[0] is page.session.selected.source
    assert page.session.model_provider._untrained is not None
    page.session.model_provider.choose("play", untrained=False)
    assert page.session.model_provider._untrained is None
    assert page.session.model_provider.current("play")[0] is page.session.selected.source


def test_in_play_the_model_of_a_run_is_used_before_and_after_its_training(trained, until):
    page = trained(name="play")
    play = page.play
    play.prompt.setPlainText("the ")
    until(lambda: "step 20" in play.next_card._note.full_text)
    assert play._models.isVisible()
    play._models.menu().actions()[1].trigger()
    until(lambda: "untrained" in play.next_card._note.full_text)
    play._models.menu().actions()[0].trigger()
    until(lambda: "step 20" in play.next_card._note.full_text)


def test_in_play_there_is_no_choice_of_model_before_any_run(open_page):
    page = open_page("play")
    assert page.play.isVisible()
    assert not page.play._models.isVisible()


# ---- while a model is read


def test_the_newest_snapshot_of_a_run_is_shown_until_its_model_was_inspected(
    open_page, trained_run, until, monkeypatch
):
    page, release = open_page("inspect"), threading.Event()
    monkeypatch.setattr("lab.shell.inspect.place.inspect_model", lambda request, job: release.wait(10) and None)
    page.session.open_path(str(trained_run("training.steps=20")))
    until(lambda: page.inspect.model.shown is not None)
    assert page.inspect.model.requests.pending
    assert page.inspect.model.shown.inspection.step == 20
    page.inspect.model.requests.drop()
    release.set()


@pytest.fixture
def waiting(running_page, inspected, until, monkeypatch):
    """Inspect with a run that trains, whose model answered once and is not to be inspected again for long."""

    def waiting(*assignments):
        page = inspected(running_page("inspect", *assignments))
        until(lambda: not page.inspect.model.requests.pending)
        monkeypatch.setattr(page.inspect.model, "is_due", lambda now: False)
        return page

    return waiting


def test_now_follows_the_snapshots_while_the_model_is_not_inspected_again(waiting, until):
    page = waiting()
    first = page.inspect.model.shown.inspection.step
    until(lambda: page.inspect.model.shown.inspection.step > first, timeout=20000)
    assert page.inspect.model.step is None


def test_what_is_shown_as_now_says_how_many_steps_it_is_behind_and_now_reads_the_model(waiting, until, click):
    page = waiting("readings.budget=0")
    model, bar = page.inspect.model, page.inspect.panel.timeline
    first = model.shown.inspection.step
    until(lambda: bar.status.text().startswith(f"step {first} · ") and "behind" in bar.status.text())
    until(bar.now.isEnabled)
    click(bar.now)
    assert not bar.now.isEnabled()
    until(lambda: model.shown.inspection.step > first)


def test_what_is_being_read_of_a_model_is_named(page, until, monkeypatch):
    release = threading.Event()

    def slow(request, job):
        request.stages.extend(["reports", "head-scores"])
        release.wait(10)
        raise LabError("nothing was found")

    monkeypatch.setattr("lab.shell.inspect.place.inspect_model", slow)
    assert page.session.draft.apply({"architecture": {"layers": 1}}) is None
    page.inspect.ask()
    until(lambda: any("probe 1: Head scores" in str(card._other.shown_text) for card in page.inspect.cards))
    release.set()
    until(lambda: not page.inspect.model.requests.pending)


def test_a_block_that_is_picked_among_all_heads_is_that_of_the_panel(page, inspected):
    inspected(page)
    cards(page)[0]._view.heads._on_grid_picked(1, 0)
    assert page.inspect.model.block == 1
    assert page.inspect.panel._block.currentText() == "2 of 2"
    assert {card._view.shown.layer for card in cards(page) if card._view.shown.layer is not None} == {1}


def card_of(page, title):
    """Return the card with a title."""
    return next(card for card in cards(page) if card.title == title)


def test_a_cell_of_head_scores_selects_its_block_and_head_in_every_card(page, inspected, qtbot):
    inspected(page)
    table, heads = card_of(page, "Head scores")._view.map, card_of(page, "Token mixing")._view.heads
    qtbot.mouseClick(table, Qt.MouseButton.LeftButton, pos=table.rect_of(1, 1).center().toPoint())
    assert page.inspect.model.block == 1
    assert (heads.shown.layer, heads._head, heads.strip.heads.current) == (1, 1, 1)
    heads.strip._choose(0)
    assert table.selection == (1, 0)
    page.inspect.panel.select_block(0)
    assert table.selection == (0, 0)
    assert {card._view.shown.layer for card in cards(page) if card._view.shown.layer is not None} == {0}


def test_cards_keep_their_places_while_scrubbing_and_say_what_a_step_lacks(trained, inspected, until, switch):
    page = inspected(trained())
    until(lambda: not page.inspect.model.requests.pending and page.inspect.panel.timeline.slider.isEnabled())
    switch(page, "Logit lens")
    until(lambda: any(key[0].startswith("logit lens") for key in page.inspect.model.readings.selected))
    before, places = list(page.inspect.model.readings.offered), list(page.inspect.cards)
    page.inspect.panel.timeline.slider.setValue(1)
    until(lambda: page.inspect.model.shown.inspection.step == page.inspect.model.step)
    assert list(page.inspect.model.readings.offered) == before
    assert page.inspect.cards == places
    (lens,) = (card for card in cards(page) if card._key[0].startswith("logit lens"))
    assert "not recorded at step" in lens._other.shown_text[0]


def test_a_long_name_of_a_step_does_not_push_the_controls_under_the_scroll_bar(page):
    status = page.inspect.panel.timeline.status
    page.inspect.panel.timeline.show_status("step 500 · 300 steps behind")
    assert status.minimumSizeHint().width() < status.fontMetrics().horizontalAdvance(status.text()) / 2


def test_a_probe_text_that_is_longer_than_what_is_read_says_so(page, inspected, until, click, button):
    inspected(page)
    cut = page.inspect.panel._cut
    assert not cut.isVisible()
    longest = page.session.draft.recipe.readings.tokens
    probe_text(page).setPlainText("the cat " * longest)
    click(button(page.inspect.panel, "Inspect text"))
    until(cut.isVisible)
    read = len(page.inspect.model.shown.inspection.labels)
    assert cut.text() == f"the first {read} of {page.inspect.model.shown.inspection.given} tokens"
    assert page.inspect.model.shown.inspection.given > read
    probe_text(page).setPlainText("the cat")
    click(button(page.inspect.panel, "Inspect text"))
    until(lambda: not cut.isVisible())


# ---- another model and back


@pytest.fixture
def draft_model(until):
    """Inspect the untrained model of another architecture, and wait for its readings."""

    def draft_model(page, name, **settings):
        before = page.inspect.model.shown
        assert page.session.draft.apply({"architecture": {"name": name, **settings}}) is None
        until(lambda: page.inspect.model.shown not in (None, before) and not page.inspect.model.requests.pending)
        until(lambda: page.inspect.model.last_request.model is page.session.model_provider.current("inspect")[0])
        until(lambda: not page.inspect._edited.isActive() and not page.inspect.model.requests.pending)

    return draft_model


def test_a_selected_head_and_measure_survive_a_look_at_a_model_without_heads(page, inspected, draft_model, qtbot):
    inspected(page)
    recipe = page.session.draft.recipe.architecture
    scores, mixing = card_of(page, "Head scores"), card_of(page, "Token mixing")
    qtbot.mouseClick(scores._view.map, Qt.MouseButton.LeftButton, pos=scores._view.map.rect_of(1, 1).center().toPoint())
    scores._view._choice.pick("1")
    assert scores._view.measure == "mean distance"
    draft_model(page, "n-gram")
    assert "Head scores" not in {card.title for card in cards(page)}
    draft_model(page, recipe.name, **recipe.settings)
    scores, mixing = card_of(page, "Head scores"), card_of(page, "Token mixing")
    assert scores._view.measure == "mean distance"
    assert scores._view.map.selection == (1, 1)
    heads = mixing._view.heads
    assert (heads.shown.layer, heads.strip.heads.current) == (1, 1)


@pytest.mark.long
def test_a_map_of_another_model_is_not_taken_for_a_head(page, inspected, draft_model):
    inspected(page)
    recipe = page.session.draft.recipe.architecture
    card_of(page, "Token mixing")._view.heads.strip._choose(1)
    draft_model(page, "mamba")
    maps = card_of(page, "Token mixing")._view.heads
    assert not maps.has_heads
    maps._on_head_picked(0)
    draft_model(page, recipe.name, **recipe.settings)
    heads, table = card_of(page, "Token mixing")._view.heads, card_of(page, "Head scores")._view.map
    assert (heads.strip.heads.current, table.selection[1]) == (1, 1)


@pytest.mark.long
def test_ticks_of_readings_are_not_changed_by_a_look_at_another_model(page, inspected, open_page, draft_model, switch):
    def ticks(page):
        return {entry.title: entry.is_on for entry in page.inspect._offers.entries()}

    at_first = ticks(inspected(page))
    other = open_page("inspect", visible=False)
    recipe = other.session.draft.recipe.architecture
    assert other.session.draft.apply({"architecture": {"name": "mamba"}}) is None
    other.show()
    inspected(other)
    draft_model(other, recipe.name, **recipe.settings)
    assert ticks(other) == at_first
    switch(other, "Head scores")
    switched = ticks(other)
    assert switched["Head scores"] is not at_first["Head scores"]
    draft_model(other, "mamba")
    draft_model(other, recipe.name, **recipe.settings)
    assert ticks(other) == switched


def test_what_is_seen_is_exported_as_a_film_of_all_steps_which_can_be_cancelled(
    trained, inspected, until, click, tmp_path, monkeypatch, reported
):
    page = inspected(trained("readings.moments=3"))
    bar = page.inspect.panel.timeline
    until(lambda: bar._export.isEnabled())
    files = iter(["film.gif", "pictures", "other.gif"])
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / next(files)), "Folder"))
    seen = cards(page)[0].subject
    assert seen is not None
    click(bar._export)
    until((tmp_path / "film.gif").exists)
    until(lambda: any("film.gif" in str(notice) for notice in reported))
    goes_on = threading.Event()

    def write(run, path, name, layer, *, overwrite, cancelled):
        assert (name, layer) == seen
        goes_on.wait(10)
        assert cancelled()

    monkeypatch.setattr("lab.interop.film.write_film", write)
    click(bar._export)
    assert bar._export.toolTip() == "Cancel the export of the film"
    click(bar._export)
    assert bar._export.toolTip() == "Export all recorded steps as a film"
    goes_on.set()
