"""The commands of a session through the window: start, queue, stop, open, drop and paste."""

import threading

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from lab.base.jobs import Job
from lab.host import Plugins
from lab.shell.runtime.single_instance import Instance, offer
from lab.shell.session.session import Session

GATHER = Session._prepare_manual  # which all other tests do without
ENDLESS = "training.steps=1000000"


def drop(window, *, files=(), text=None):
    """Drop files or text onto the window, as the window system would."""
    mime = QMimeData()
    if files:
        mime.setUrls([QUrl.fromLocalFile(str(file)) if "://" not in str(file) else QUrl(str(file)) for file in files])
    if text is not None:
        mime.setText(text)
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(300, 300), Qt.DropAction.CopyAction, mime, left, none)
    QApplication.sendEvent(window, enter)
    if enter.isAccepted():
        QApplication.sendEvent(window, QDropEvent(QPointF(300, 300), Qt.DropAction.CopyAction, mime, left, none))
    return enter.isAccepted()


def corpus(window):
    """The corpus of the draft."""
    return window.session.draft.recipe.corpus


def shown_problem(window, path, knob):
    """Return the problem shown below a field of the form."""
    reason = knob(window, path)._reason
    return reason.text() if not reason.isHidden() else ""


# ------------------------------------------------------------------------------------------------------------- starting


def test_a_start_before_the_lab_is_ready_waits_with_a_message(open_window, click, until):
    window = open_window(ready=False)
    click(window.top.start)
    assert window.session.waiting
    assert window.top.start.text() == "Starting"
    assert not window.top.start.isEnabled()
    assert window.session.registry.views == []
    until(lambda: window.session.state == "running")
    assert not window.session.waiting


def test_a_waiting_start_can_be_cancelled_by_stop(open_window, click, until):
    window = open_window(ready=False)
    click(window.top.start)
    click(window.top.stop)
    until(lambda: window.session.warm_up.ready)
    assert window.session.registry.views == []


def test_a_second_start_is_queued_and_names_the_run_before_it(running, click, until, reported):
    window = running()
    window.session.draft.edit("training.seed", 5)
    click(window.draft_panel.start_button)
    until(lambda: "queued" in [view.state for view in window.session.registry.views])
    assert [view.state for view in window.session.registry.views] == ["queued", "running"]
    assert any(problem.what == "seed 5 · Transformer is queued behind Small" for problem in reported)
    assert window.session.selected is window.session.registry.views[0]


def test_a_start_while_a_run_is_paused_names_it_too(running, click, until, reported):
    window = running()
    click(window.top.start)
    until(lambda: window.session.state == "paused")
    click(window.draft_panel.start_button)
    assert any("is queued behind Small" in problem.what for problem in reported)


def test_a_queued_run_starts_when_the_one_before_it_has_ended(running, click, until):
    window = running()
    window.session.draft.edit("training.steps", 20)
    click(window.draft_panel.start_button)
    queued, first = window.session.registry.views
    window.session.registry.select(first.key)
    until(window.top.stop.isEnabled)
    click(window.top.stop)
    until(lambda: queued.state == "finished")
    assert first.state == "stopped"


def test_a_queued_run_is_withdrawn_by_stop(running, click, until):
    window = running()
    click(window.draft_panel.start_button)
    until(lambda: window.top.stop.isEnabled() and window.session.state == "queued")
    click(window.top.stop)
    (left,) = window.session.registry.views
    assert window.session.selected is left
    assert left.state == "running"


def test_a_run_can_be_started_while_another_trains(running, until, grown):
    window = running()
    action = next(action for action in window.commands.all() if action.command.key == "run.beside")
    action.trigger()
    until(lambda: [view.state for view in window.session.registry.views] == ["running", "running"])
    grown(window)


def test_starting_in_a_process_refuses_invalid_entries_too(running, enter):
    window = running()
    enter(window, "architecture.width", "-3")
    action = next(action for action in window.commands.all() if action.command.key == "run.beside")
    action.trigger()
    assert len(window.session.registry.views) == 1


def test_runs_of_one_name_get_distinct_numbers(running, click, until):
    window = running()
    for _ in range(2):
        click(window.draft_panel.start_button)
    assert [view.name for view in window.session.registry.views] == ["Small 3", "Small 2", "Small"]
    window.session.registry.withdraw(window.session.registry.views[1])
    click(window.draft_panel.start_button)
    names = [view.name for view in window.session.registry.views]
    assert len(set(names)) == 3


# --------------------------------------------------------------------------------------------------------- live edits


def test_an_edit_of_a_field_that_is_not_live_leaves_the_run_alone(running, enter, grown):
    window = running()
    before = window.session.selected.active.trainer.experiment.recipe
    enter(window, "architecture.width", "64")
    enter(window, "training.context_length", "16")
    grown(window)  # an edit would act at the next step
    window.session.selected.take_texts()
    assert window.session.selected.flags == []
    assert window.session.selected.active.trainer.experiment.recipe == before
    assert window.draft_panel.start_button.text() == "Start new run (2 changes)"


def test_a_live_edit_reaches_only_the_selected_run(running, enter, until, saved_run):
    window = running()
    training = window.session.selected
    window.session.open_paths([str(saved_run("Over"))])
    assert window.session.selected is not training
    enter(window, "training.optimizer.learning_rate", "0.009")
    assert training.active.trainer.experiment.optimizer.config.learning_rate == 0.003
    window.session.registry.select(training.key)
    enter(window, "training.clip", "0.5")
    until(lambda: [flag.label for flag in training.flags] == ["clip × ½"])


def test_the_form_marks_differences_from_the_selected_run(window, saved_run, until, small, knob):
    window.session.open_paths([str(saved_run("Wide", recipe=small("architecture.width=64")))])
    until(lambda: knob(window, "architecture.width").differs)
    assert window.draft_panel.start_button.text() == "Start new run (1 change)"
    assert "Wide" in window.draft_panel.start_button.toolTip()


def test_the_recipe_of_a_run_can_become_the_draft(window, saved_run, until, small):
    window.session.open_paths([str(saved_run("Wide", recipe=small("architecture.width=64")))])
    window.session.use_recipe()
    assert window.session.draft.card("architecture").config.width == 64
    until(lambda: window.draft_panel.start_button.text() == "Start new run")


# ----------------------------------------------------------------------------------------------------- refused recipes


def test_a_missing_corpus_is_reported_at_its_field_before_and_at_the_start(window, tmp_path, knob, until, click):
    drop(window, files=[tmp_path / "gone.txt"])
    until(lambda: "there is no" in shown_problem(window, "corpus.path", knob).lower())
    click(window.top.start)
    until(lambda: window.session.registry.views == [] and window.draft_panel._problem.isVisible())
    assert "corpus.path" in window.draft_panel._problem.text()


def test_heads_that_do_not_divide_the_width_are_refused_at_once(window, enter, knob, until):
    enter(window, "architecture.heads", "3")
    until(lambda: shown_problem(window, "architecture.heads", knob))
    assert window.session.draft.card("architecture").config.heads == 2
    assert "heads" in shown_problem(window, "architecture.heads", knob)


def test_a_context_longer_than_the_text_is_named_with_its_field(window, enter, knob, until, click):
    enter(window, "training.context_length", "100000")
    click(window.top.start)
    until(lambda: window.draft_panel._problem.isVisible())
    assert window.session.registry.views == []
    assert window.draft_panel._problem.text()
    fields = ("training.context_length", "corpus.text")
    assert any(shown_problem(window, field, knob) for field in fields)


def test_a_problem_disappears_with_its_cause_even_if_another_field_was_edited(window, tmp_path, knob, until):
    (tmp_path / "short.txt").write_text("ab" * 60)
    (tmp_path / "long.txt").write_text("the cat sat on the mat.\n" * 500)
    drop(window, files=[tmp_path / "short.txt"])
    window.session.draft.edit("training.context_length", 500)

    def reported():
        texts = [window.draft_panel._problem.text() if window.draft_panel._problem.isVisible() else ""]
        return "".join(texts + [shown_problem(window, p, knob) for p in ("training.context_length", "corpus.path")])

    until(reported)
    drop(window, files=[tmp_path / "long.txt"])
    until(lambda: not reported())


def test_a_refused_start_leaves_the_comparison_and_the_name_of_the_next_run_right(
    window, enter, until, tmp_path, click
):
    drop(window, files=[tmp_path / "gone.txt"])
    click(window.top.start)
    until(lambda: window.session.registry.views == [] and window.draft_panel._problem.isVisible())
    assert window.session.draft.base_name == "small"


@pytest.mark.parametrize(
    ("name", "content"),
    [("empty.txt", b""), ("binary.txt", bytes(range(256)) * 40), ("one.txt", b"x")],
)
def test_an_unusable_corpus_is_reported_with_its_field_and_a_remedy(window, tmp_path, click, until, name, content):
    (tmp_path / name).write_bytes(content)
    assert drop(window, files=[tmp_path / name])
    click(window.top.start)
    until(lambda: window.session.registry.views == [] and window.draft_panel._problem.isVisible())
    words = window.draft_panel._problem.text()
    assert "corpus" in words or "training.context_length" in words
    assert "." in words


# --------------------------------------------------------------------------------------------- dropping, pasting, files


def test_a_dropped_text_file_becomes_the_corpus(window, tmp_path):
    (tmp_path / "animals.txt").write_text("the cat sat on the mat\n" * 40)
    assert drop(window, files=[tmp_path / "animals.txt"])
    assert corpus(window).name == "file"
    assert corpus(window).settings["path"] == str(tmp_path / "animals.txt")


def test_a_dropped_recipe_becomes_the_draft(window, tmp_path, small):
    (tmp_path / "mine.toml").write_text(small("architecture.width=48").to_toml())
    drop(window, files=[tmp_path / "mine.toml"])
    assert window.session.draft.card("architecture").config.width == 48


def test_a_dropped_bad_recipe_is_reported_and_changes_nothing(window, tmp_path, until):
    (tmp_path / "bad.toml").write_text("[architecture]\nname = 'transformer'\nwidth = -4\n")
    before = window.session.draft.recipe
    drop(window, files=[tmp_path / "bad.toml"])
    assert window.session.draft.recipe == before
    until(lambda: "width" in window.draft_panel._problem.text() and window.draft_panel._problem.isVisible())


def test_a_dropped_run_is_opened(window, saved_run, until):
    path = saved_run("Dropped")
    drop(window, files=[path])
    assert window.session.selected.name == "Dropped"
    until(lambda: len(window.session.selected.curves.values("train loss")) == 3)


def test_a_run_dropped_twice_is_listed_once(window, saved_run):
    path = saved_run("Dropped")
    drop(window, files=[path])
    drop(window, files=[path])
    assert len(window.session.registry.views) == 1


def test_dropped_text_becomes_the_corpus(window):
    assert drop(window, text="the cat sat on the mat\n" * 40)
    assert corpus(window).name == "text"
    assert corpus(window).settings["text"].startswith("the cat")


def test_a_link_from_a_browser_does_not_become_the_corpus(window):
    before = window.session.draft.recipe
    drop(window, files=["https://example.org/page"], text="https://example.org/page")
    assert window.session.draft.recipe == before


def test_a_shortcut_makes_the_clipboard_the_corpus(window, qtbot):
    QApplication.clipboard().setText("a dog ran to the hat\n" * 40)
    modifiers = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(window, Qt.Key.Key_V, modifiers)
    assert corpus(window).settings["text"].startswith("a dog ran")


def test_an_empty_clipboard_is_reported_and_changes_nothing(window, reported):
    before = window.session.draft.recipe
    window.session.paste("  \n ")
    assert window.session.draft.recipe == before
    assert len(reported) == 1


def test_a_pasted_text_that_is_too_long_is_refused_with_a_remedy(window, reported, monkeypatch):
    monkeypatch.setattr("lab.shell.session.session.LONGEST_PASTE", 100)
    before = window.session.draft.recipe
    window.session.paste("x" * 101)
    assert window.session.draft.recipe == before
    (problem,) = reported
    assert "101" in problem.what
    assert "file" in problem.remedy


def test_a_long_pasted_text_stays_complete_if_its_field_had_the_focus(window, knob, qtbot, until):
    long = "the cat sat on the mat\n" * 4000
    window.session.paste(long)
    until(lambda: corpus(window).settings["text"] == long)
    QApplication.processEvents()
    window.reveal("corpus.text")
    field = knob(window, "corpus.text").control
    qtbot.mouseClick(field, Qt.MouseButton.LeftButton)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    window._centre.setFocus()
    assert corpus(window).settings["text"] == long


def test_a_second_start_passes_its_files_to_the_first(window, tmp_path, until):
    (tmp_path / "handed.txt").write_text("the cat sat on the mat\n" * 40)
    instance = Instance(window)
    instance.files.connect(window.take_files)
    second = threading.Thread(target=offer, args=([str(tmp_path / "handed.txt")],))
    second.start()
    until(lambda: corpus(window).settings.get("path", "").endswith("handed.txt"))
    second.join()
    instance.close()


def test_the_draft_is_saved_as_a_recipe_that_opens_again(window, tmp_path, reported):
    window.session.save_recipe(tmp_path / "saved.toml")
    window.session.draft.edit("architecture.width", 48)
    window.session.open_paths([str(tmp_path / "saved.toml")])
    assert window.session.draft.card("architecture").config.width == 32
    assert any("saved.toml" in problem.what for problem in reported)


def test_a_recipe_that_cannot_be_saved_becomes_a_notice(window, tmp_path, reported):
    (tmp_path / "file").write_text("")
    window.session.save_recipe(tmp_path / "file" / "saved.toml")
    assert len(reported) == 1


def test_the_manual_is_prepared_by_another_process_that_ends_with_the_job(qtbot, monkeypatch):
    seen = []
    monkeypatch.setattr("lab.text.corpora.manual.prepare_manual", lambda cancelled: seen.append(cancelled()))
    session, job = Session(Plugins(safe_mode=True)), Job("prepare", lambda _: None)
    GATHER(session, job)
    job.cancel()
    GATHER(session, job)
    assert seen == [False, True]
    session.close()
