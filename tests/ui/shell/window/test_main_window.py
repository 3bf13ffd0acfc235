"""The window used like a person does, by buttons and keys, from start to end."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QWidget

from lab.runs import list_runs
from lab.shell.inspect.reading_card import ReadingCard
from lab.widgets.readings.mixing import MixingView


def points(window):
    """Points of the longest line of the loss chart."""
    return max((len(line.x) for line in window.train.loss.chart._lines), default=0)


def rows(window):
    """The rows of the list of runs."""
    return window.runs.list.rows.rows


def test_an_empty_window_explains_what_to_do_has_one_primary_button_and_closes_without_asking(window, button, qtbot):
    assert window.train.loss.state == "empty"
    assert button(window.train.loss, "Start").isEnabled()
    assert rows(window) == []
    assert button(window.runs, "Start the first run").isEnabled()
    assert not window.top.stop.isEnabled()
    assert not window.top.step.isEnabled()
    starts = {"train": window.draft_panel.start_button, "play": window.play.generate_button}
    for place in ("train", "inspect", "play"):
        window.show_place(place)
        assert window.top.start.text() == "Start new run"
        assert (window.top.start.property("role") == "primary") == (place not in starts)
        assert place not in starts or starts[place].property("role") == "primary"
    with qtbot.waitSignal(window.closed):
        window.close()
    assert not window.shutdown.panel.isVisible()


def test_a_click_on_start_lists_the_run_and_draws_its_loss_on_which_a_live_edit_leaves_a_flag(
    open_window, click, until
):
    window = open_window("training.steps=1000000")  # it must not end between two looks
    click(window.top.start)
    until(lambda: points(window) > 5)
    few = points(window)
    until(lambda: points(window) > few)
    assert window.train.loss.state == "content"
    (row,) = rows(window)
    assert row.name == "Small"
    line = window.train.loss.chart._lines[0]
    assert np.all(np.diff(line.x) > 0)
    window.session.change_live("training.optimizer.learning_rate", 0.006)
    trainer = window.session.selected.active.trainer
    until(lambda: trainer.experiment.optimizer.config.learning_rate == 0.006)
    until(lambda: len(window.train.loss.chart._scene.flags) == 1)
    (flag,) = window.train.loss.chart._scene.flags
    assert flag.label == "learning rate × 2"
    assert 0 < flag.x <= window.session.selected.step


def test_keys_start_pause_step_and_resume_a_run(open_window, until, qtbot):
    window = open_window("training.steps=1000000")
    qtbot.keyClick(window, Qt.Key.Key_Space)
    until(lambda: window.session.state == "running" and window.session.selected.step > 2)
    until(lambda: window.top.start.text() == "Pause")
    window.setFocus()
    qtbot.keyClick(window, Qt.Key.Key_Space)
    until(lambda: window.session.state == "paused")
    step = window.session.selected.step
    qtbot.keyClick(window, Qt.Key.Key_Period)
    until(lambda: window.session.selected.step == step + 1 and window.session.state == "paused")
    qtbot.keyClick(window, Qt.Key.Key_Space)
    until(lambda: window.session.selected.step > step + 2)
    window.session.stop()
    until(lambda: window.session.selected.state == "stopped" and window.top.start.text() == "Start new run")
    qtbot.keyClick(window, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    until(lambda: window.session.state == "running" and len(rows(window)) == 2)


def test_buttons_pause_step_resume_and_stop_a_run_which_is_saved_and_stays_in_the_list(running, click, until, grown):
    window = running()
    click(window.top.start)
    until(lambda: window.session.state == "paused")
    until(lambda: window.top.start.text() == "Resume")
    step = window.session.selected.step
    click(window.top.step)
    until(lambda: window.session.selected.step == step + 1 and window.session.state == "paused")
    beats = len(window.watchdog.gaps())
    until(lambda: len(window.watchdog.gaps()) > beats + 3)
    assert window.session.selected.step == step + 1
    assert window.session.state == "paused"
    click(window.top.start)
    grown(window)
    assert window.session.state == "running"
    click(window.top.stop)
    until(lambda: rows(window)[0].state == "stopped")
    assert window.top.start.text() == "Start new run"
    (folder,), problems = list_runs()
    assert problems == []
    assert folder.status().state == "stopped"
    assert folder.checkpoint_steps()[-1] == window.session.selected.step


def test_an_edit_is_undone_and_redone_by_keys(window, enter, knob, qtbot, until):
    field = knob(window, "architecture.width").control
    enter(window, "architecture.width", "48")
    assert window.session.draft.card("architecture").config.width == 48
    window._centre.setFocus()
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.session.draft.card("architecture").config.width == 32
    until(lambda: field.text() == "32")
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert window.session.draft.card("architecture").config.width == 48
    until(lambda: field.text() == "48")


def test_an_invalid_entry_is_named_and_keeps_every_start_from_starting_until_it_is_corrected(
    window, enter, click, knob, qtbot, button, until
):
    enter(window, "architecture.width", "-3")
    click(window.top.start)
    assert window.session.registry.runs == []
    assert "architecture.width = -3" in window.draft_panel._problem.text()
    window._centre.setFocus()
    qtbot.keyClick(window, Qt.Key.Key_Space)
    for start in (window.draft_panel.start_button, button(window.train.loss, "Start")):
        click(start)
    assert window.session.registry.runs == []
    enter(window, "architecture.width", "32")
    for path, refused, corrected in (
        ("architecture.heads", "5", "2"),
        ("training.optimizer.learning_rate", "abc", "0.003"),
    ):
        field = knob(window, path).control
        assert field.text() == corrected
        enter(window, path, refused)
        click(window.top.start)
        assert window.session.registry.runs == []
        assert window.draft_panel._problem.isVisible()
        enter(window, path, corrected)
        assert field.text() == corrected
        until(lambda: not window.draft_panel._problem.isVisible())
    click(window.top.start)
    until(lambda: len(window.session.registry.runs) == 1)


def test_the_other_places_follow_the_run_while_it_trains_and_closing_asks_and_stops_it_only_if_agreed_to(
    running, click, until, button, grown, qtbot
):
    window = running()
    click(button(window.top, "Inspect"))
    until(lambda: any(isinstance(card, ReadingCard) for card in window.inspect.cards))
    views = [card._view for card in window.inspect.cards if isinstance(card, ReadingCard)]
    assert any(isinstance(view, MixingView) for view in views)
    click(button(window.top, "Play"))
    window.play.prompt.setPlainText("the ")
    click(window.play.generate_button)
    until(lambda: len(window.play.model.tokens) > 5)
    assert window.session.state == "running"
    assert window.play.generate_button.text() == "Stop generating"
    click(window.play.generate_button)
    written = window.play.text.text()
    assert written.startswith("the ")
    assert len(written) > len("the ") + 3
    assert window.play.generate_button.text() == "Generate"
    assert not window.close()
    assert window.shutdown.panel.isVisible()
    click(window.shutdown.panel.stay)
    assert not window.shutdown.panel.isVisible()
    grown(window)
    window.close()
    with qtbot.waitSignal(window.closed):
        click(window.shutdown.panel.stop)
    (folder,), _ = list_runs()
    assert folder.status().state == "stopped"
    assert folder.checkpoint_steps()


def test_the_window_can_be_closed_before_it_is_ready(open_window, qtbot):
    window = open_window(ready=False)
    with qtbot.waitSignal(window.closed):
        window.close()


@pytest.mark.long
def test_updates_made_while_hidden_are_drawn_when_a_place_opens(window, saved_run, until):
    one, other = saved_run("One", losses=[3.0, 2.0]), saved_run("Other", losses=[3.0, 2.0, 1.0, 0.5])
    window.session.open_paths([str(one)])
    until(lambda: points(window) == 2)
    window.show_place("play")
    window.session.open_paths([str(other)])
    window.session.registry.show(window.session.registry.runs[1].key, False)
    until(lambda: len(window.session.selected.curves.values("train loss")) == 4)
    window.show_place("train")
    until(lambda: points(window) == 4)


@pytest.mark.long
def test_a_finished_run_shows_its_last_state_in_every_place(open_window, click, until):
    window = open_window("training.steps=20")
    window.show_place("inspect")
    click(window.top.start)
    until(lambda: window.session.selected is not None and window.session.selected.state == "finished")
    until(lambda: window.inspect.model.shown is not None and window.inspect.model.shown.inspection.step == 20)
    window.show_place("play")
    until(lambda: "step 20" in window.play.text_card._note.full_text)


@pytest.mark.long
def test_a_run_of_an_earlier_window_is_listed_and_opens_by_a_click(open_window, trained_run, click, until, qtbot):
    trained_run("training.steps=20")
    window = open_window()
    until(lambda: len(rows(window)) == 1)
    place = window.runs.list.visualRect(window.runs.list.rows.index(0)).center()
    qtbot.mouseClick(window.runs.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    until(lambda: points(window) == 20)
    window.show_place("play")
    window.play.prompt.setPlainText("the ")
    click(window.play.generate_button)
    until(lambda: len(window.play.model.tokens) > 5)


class Flashes(QObject):
    """An event filter that records every widget shown as a separate window."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.seen.append(watched)
        return False


def test_no_widget_is_ever_shown_as_a_separate_window(open_window, until, qapp):
    flashes = Flashes()
    qapp.installEventFilter(flashes)
    window = open_window()
    for place in ("inspect", "play", "train"):
        window.show_place(place)
        until(lambda: window.inspect.model.shown is not None)
    window.show_log(True)
    window.command_palette.toggle()
    qapp.removeEventFilter(flashes)
    assert flashes.seen == [window]
    assert qapp.activeWindow() is window


@pytest.mark.long
def test_the_whole_way_from_start_to_the_end(open_window, click, until, enter, button, grown, qtbot):
    window = open_window("training.steps=1000000")
    click(window.top.start)
    until(lambda: points(window) > 20)
    click(button(window.top, "Inspect"))
    until(lambda: any(isinstance(getattr(card, "_view", None), MixingView) for card in window.inspect.cards))
    click(button(window.top, "Play"))
    window.play.prompt.setPlainText("the ")
    click(window.play.generate_button)
    until(lambda: len(window.play.model.tokens) > 20)
    click(window.play.generate_button)
    click(button(window.top, "Train"))
    click(window.top.start)
    until(lambda: window.session.state == "paused")
    step = window.session.selected.step
    until(window.top.step.isEnabled)
    click(window.top.step)
    until(lambda: window.session.selected.step == step + 1 and window.session.state == "paused")
    click(window.top.start)
    grown(window)
    window.session.change_live("training.optimizer.learning_rate", 0.001)
    until(lambda: len(window.train.loss.chart._scene.flags) == 1)
    enter(window, "training.optimizer.learning_rate", "0.002")
    window._centre.setFocus()
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.session.draft.recipe.training.optimizer.settings["learning_rate"] == 0.003
    before = points(window)
    until(lambda: points(window) > before)
    click(window.top.stop)
    until(lambda: rows(window)[0].state == "stopped")
    with qtbot.waitSignal(window.closed):
        window.close()
    assert QApplication.activeModalWidget() is None


@pytest.mark.long
def test_the_palette_offers_architectures_corpora_and_tokenizers_for_the_draft(window, qtbot):
    palette = window.command_palette
    for typed, title, field, name in (
        ("mamba", "Use the architecture Mamba", "architecture", "mamba"),
        ("use corpus parity", "Use the corpus Parity", "corpus", "parity"),
        ("use tokenizer bytes", "Use the tokenizer Bytes", "tokenizer", "byte"),
    ):
        palette.toggle()
        qtbot.keyClicks(palette.field, typed)
        titles = [palette.list.item(row).text() for row in range(palette.list.count())]
        assert title in titles
        palette.list.setCurrentRow(titles.index(title))
        qtbot.keyClick(palette.field, Qt.Key.Key_Return)
        if field != "tokenizer":  # that of parity is its own
            assert getattr(window.session.draft.recipe, field).name == name


@pytest.mark.long
def test_home_opens_when_the_last_run_is_removed_unless_data_is_open_or_another_run_is_selected(
    open_window, saved_run, until
):
    window = open_window()
    for place, after in (("train", "home"), ("inspect", "home"), ("data", "data")):
        window.session.open_paths([str(saved_run("Only"))])
        until(lambda: window.session.selected is not None and window.place == "train")
        window.show_place(place)
        window.runs_controller.delete()
        until(lambda: window.session.selected is None)
        QApplication.processEvents()
        assert window.place == after
    window.session.open_paths([str(saved_run("One")), str(saved_run("Two"))])
    until(lambda: len(rows(window)) == 2)
    window.show_place("inspect")
    removed = window.session.selected
    window.runs_controller.delete()
    until(lambda: window.session.selected not in (None, removed))
    QApplication.processEvents()
    assert window.place == "inspect"
