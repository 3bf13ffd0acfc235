"""The commands of a session through the window: start, queue, stop, open, drop and paste."""

import threading

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from lab.base.jobs import Job, running_jobs
from lab.base.problems import Problem
from lab.host import Plugins
from lab.shell.runtime.single_instance import Instance, offer
from lab.shell.session.runs.formatting import flag_of
from lab.shell.session.session import Session

GATHER = Session._prepare_manual  # which all other tests do without
ENDLESS = "training.steps=1000000"


def test_the_time_of_a_run_is_estimated_before_a_run_has_finished(open_session, until):
    session, found = open_session("training.steps=40", ready=False), []
    session.costs.computed.connect(found.append)
    session.durations.speed = 2.0
    session.begin()
    until(lambda: found and found[-1] is not None)
    assert found[-1].seconds == pytest.approx(
        found[-1].tokens * found[-1].flops_per_token / session.durations.operations_per_second()
    )


def test_a_home_that_nothing_can_be_written_to_is_reported_at_the_start(open_session, lab_home, until, reported):
    lab_home.write_text("a file where the folder should be")
    open_session()
    until(lambda: any(problem.value == str(lab_home) for problem in reported))


def test_the_time_of_a_run_is_estimated_by_the_pace_of_one_in_this_session(open_session, until, monkeypatch):
    session, found = open_session(ENDLESS), []
    session.durations.speed = 2.0
    session.start()
    until(lambda: session.selected.step > 2)
    pace = [2.0]
    monkeypatch.setattr(session.selected._pace, "seconds_for", lambda steps: steps * pace[0])
    session.registry.pull()
    session.costs.computed.connect(found.append)
    session.draft.edit("training.steps", 40)
    until(lambda: found and found[-1] is not None)
    assert found[-1].seconds == pytest.approx(80.0)
    pace[0], step = 5.0, session.selected.step
    until(lambda: session.registry.pull() or session.selected.step > step)
    session.registry.list_changed.emit()
    assert found[-1].seconds == pytest.approx(200.0)


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


def trigger(window, key):
    """Carry out a command of the window."""
    next(action for action in window.commands.all() if action.command.key == key).trigger()


@pytest.fixture
def start_refused(click, until):
    """Start a run that is refused, and return the problem shown above the button."""

    def start_refused(window):
        window.draft_panel.forget_problem()
        click(window.top.start)
        until(lambda: window.session.registry.runs == [] and window.draft_panel._problem.isVisible())
        return window.draft_panel._problem.text()

    return start_refused


# ------------------------------------------------------------------------------------------------------------- starting


def test_a_start_before_the_lab_is_ready_waits_with_a_message(open_window, click, until):
    window = open_window(ready=False)
    click(window.top.start)
    assert window.session.waiting
    assert window.top.start.text() == "Starting"
    assert not window.top.start.isEnabled()
    assert window.session.registry.runs == []
    click(window.top.stop)
    assert not window.session.waiting
    click(window.top.start)
    until(lambda: window.session.state == "running")
    assert not window.session.waiting


def test_a_waiting_start_can_be_cancelled_by_stop(open_session, until):
    session = open_session(ready=False)
    session.start()
    assert session.waiting
    session.stop()
    session.begin()
    until(lambda: session.warm_up.ready)
    assert session.registry.runs == []


def test_the_costs_of_an_edit_that_is_undone_at_once_are_computed_again(open_session, until):
    session, figures = open_session(), []
    session.costs.computed.connect(figures.append)
    session.draft.edit("training.seed", 7)
    until(lambda: session.costs._computed_for is session.draft.recipe and figures[-1] is not None)
    figures.clear()
    session.draft.edit("training.steps", 3)
    session.draft.undo()
    until(lambda: figures and figures[-1] is not None)


def test_a_link_that_waited_in_vain_is_reported_as_a_link(open_session, reported):
    session = open_session(ready=False)
    session.open_path("lmlab:1abc")
    session.warm_up.failed.emit()
    assert reported[-1].what == "The link was not opened, since the lab could not finish loading"


def test_a_start_after_a_failed_warm_up_says_again_why_it_failed(open_session, reported):
    session = open_session(ready=False)
    session.warm_up.problem = Problem("no run can be started: too deep")
    session.warm_up.failed.emit()
    session.start()
    assert reported == [session.warm_up.problem]
    assert session.registry.runs == []


def test_a_second_start_is_queued_behind_the_run_that_trains_until_that_ends_or_it_is_withdrawn(
    running, click, until, reported
):
    window = running()
    window.session.draft.edit("training.seed", 5)
    click(window.draft_panel.start_button)
    until(lambda: "queued" in [run.state for run in window.session.registry.runs])
    queued, first = window.session.registry.runs
    assert [queued.state, first.state] == ["queued", "running"]
    assert any(problem.what == "seed 5 · Transformer is queued behind Small" for problem in reported)
    assert window.session.selected is queued
    until(lambda: window.top.stop.isEnabled() and window.session.state == "queued")
    click(window.top.stop)
    assert window.session.registry.runs == [first]
    assert window.session.selected is first
    assert first.state == "running"
    until(lambda: window.top.start.text() == "Pause")
    click(window.top.start)
    until(lambda: window.session.state == "paused")
    del reported[:]
    window.session.draft.edit("training.steps", 3)
    click(window.draft_panel.start_button)
    until(lambda: any("is queued behind Small" in problem.what for problem in reported))
    queued = window.session.selected
    window.session.registry.select(first.key)
    until(lambda: window.top.stop.isEnabled() and window.session.state == "paused")
    click(window.top.stop)
    until(lambda: queued.state == "finished")
    assert first.state == "stopped"


def start_beside(window, enter, until):
    """Start a run in a process while another trains, and return both."""
    enter(window, "architecture.width", "-3")
    trigger(window, "run.beside")
    assert len(window.session.registry.runs) == 1
    enter(window, "architecture.width", "32")
    trigger(window, "run.beside")
    until(lambda: len(window.session.registry.runs) == 2)
    return window.session.registry.runs


def test_a_run_can_be_started_in_a_process_while_another_trains_unless_an_entry_is_invalid(running, enter, until):
    window = running()
    other, first = start_beside(window, enter, until)
    assert (other.state, first.state) == ("preparing", "running")
    assert window.session.selected is other
    other.active.end_process()  # before it has loaded torch
    until(lambda: window.session.registry.runs == [first])
    assert first.state == "running"


@pytest.mark.long
def test_a_run_in_a_process_trains_while_another_waits_and_while_it_trains(running, enter, until, grown):
    window = running()
    other, first = start_beside(window, enter, until)
    first.control.pause()  # while the process loads torch
    grown(window)
    first.control.resume()
    until(lambda: (other.state, first.state) == ("running", "running"))


def test_runs_of_one_name_get_distinct_numbers(open_session):
    session = open_session(ENDLESS)
    for _ in range(3):
        session.start()
    assert [run.name for run in session.registry.runs] == ["Small 3", "Small 2", "Small"]
    session.registry.withdraw(session.registry.runs[1])
    session.start()
    names = [run.name for run in session.registry.runs]
    assert len(set(names)) == 3


# ----------------------------------------------------------------------------------------------------------- live edits


def test_an_edit_of_the_form_leaves_the_run_that_trains_as_it_is_and_a_live_edit_reaches_only_the_selected_run(
    running, enter, grown, until, saved_run
):
    window = running()
    training = window.session.selected
    before = training.active.trainer.experiment.recipe
    enter(window, "training.context_length", "16")
    enter(window, "training.optimizer.learning_rate", "0.009")
    grown(window)  # an edit would act at the next step
    training.take_texts()
    assert training.events == []
    assert training.active.trainer.experiment.recipe == before
    assert training.active.trainer.experiment.optimizer.config.learning_rate == 0.003
    assert window.draft_panel.start_button.text() == "Start new run (2 changes)"
    window.session.open_paths([str(saved_run("Over"))])
    assert window.session.selected is not training
    window.session.change_live("training.clip", 0.25)
    window.session.registry.select(training.key)
    window.session.change_live("training.clip", 0.5)
    until(lambda: [flag_of(event).label for event in training.events] == ["clip × ½"])


def test_the_form_marks_differences_from_the_selected_run_whose_recipe_can_become_the_draft(
    window, saved_run, until, small, knob
):
    window.session.open_paths([str(saved_run("Wide", recipe=small("architecture.width=64")))])
    until(lambda: knob(window, "architecture.width").differs)
    start = window.draft_panel.start_button
    assert start.text() == "Start new run"  # nobody changed the draft
    assert "Compared with Wide: 1 change (Width)." in start.toolTip()
    window.session.use_recipe()
    assert window.session.draft.card("architecture").config.width == 64
    until(lambda: window.draft_panel.start_button.text() == "Start new run")


# ------------------------------------------------------------------------------------------------------ refused recipes


def name_as_corpus(window, file):
    """Name a file in the draft as a recipe does, unread."""
    assert window.session.draft.apply({"corpus": None}, {"corpus": {"name": "file", "path": str(file)}}) is None


def test_an_unusable_corpus_is_reported_with_its_field_and_a_remedy(window, tmp_path, knob, until, start_refused):
    name_as_corpus(window, tmp_path / "gone.txt")
    until(lambda: "there is no" in shown_problem(window, "corpus.path", knob).lower())
    assert "corpus.path" in start_refused(window)
    assert window.session.draft.base_name == "small"  # the name and the comparison of the next run stay right
    (tmp_path / "one.txt").write_bytes(b"x")
    name_as_corpus(window, tmp_path / "one.txt")
    assert "corpus: is too short" in start_refused(window)


@pytest.mark.long
@pytest.mark.parametrize("content", [b"", bytes(range(256)) * 40], ids=["empty", "binary"])
def test_a_corpus_that_is_no_text_is_reported(window, tmp_path, start_refused, content):
    (tmp_path / "file.txt").write_bytes(content)
    name_as_corpus(window, tmp_path / "file.txt")
    assert "corpus" in start_refused(window)


def test_settings_that_do_not_fit_are_reported_at_their_fields_until_the_cause_is_gone(
    window, enter, tmp_path, knob, until, start_refused
):
    enter(window, "architecture.heads", "3")
    until(lambda: shown_problem(window, "architecture.heads", knob))
    assert window.session.draft.card("architecture").config.heads == 2
    assert "heads" in shown_problem(window, "architecture.heads", knob)
    enter(window, "architecture.heads", "2")
    assert not shown_problem(window, "architecture.heads", knob)
    enter(window, "training.context_length", "100000")
    assert start_refused(window)
    fields = ("training.context_length", "corpus.text")
    assert any(shown_problem(window, field, knob) for field in fields)
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


# --------------------------------------------------------------------------------------------- dropping, pasting, files


def test_dropped_files_become_the_corpus_the_draft_or_a_run(window, tmp_path, small, saved_run, until):
    (tmp_path / "animals.txt").write_text("the cat sat on the mat\n" * 40)
    assert drop(window, files=[tmp_path / "animals.txt"])
    until(lambda: corpus(window).settings.get("path") == str(tmp_path / "animals.txt"))
    (tmp_path / "mine.toml").write_text(small("architecture.width=48").to_toml())
    drop(window, files=[tmp_path / "mine.toml"])
    assert window.session.draft.card("architecture").config.width == 48
    (tmp_path / "bad.toml").write_text("[architecture]\nname = 'transformer'\nwidth = -4\n")
    before = window.session.draft.recipe
    drop(window, files=[tmp_path / "bad.toml"])
    assert window.session.draft.recipe == before
    until(lambda: "width" in window.draft_panel._problem.text() and window.draft_panel._problem.isVisible())
    path = saved_run("Dropped")
    for _ in range(2):
        drop(window, files=[path])
        assert window.session.selected.name == "Dropped"
        assert len(window.session.registry.runs) == 1
    until(lambda: len(window.session.selected.curves.values("train loss")) == 3)


def test_text_that_is_dropped_pasted_or_handed_over_becomes_the_corpus_and_a_link_does_not(
    window, qtbot, until, knob, tmp_path
):
    before = window.session.draft.recipe
    drop(window, files=["https://example.org/page"], text="https://example.org/page")
    assert window.session.draft.recipe == before
    assert drop(window, text="the cat sat on the mat\n" * 40)
    until(lambda: corpus(window).settings.get("text", "").startswith("the cat"))
    QApplication.clipboard().setText("a dog ran to the hat\n" * 40)
    modifiers = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(window, Qt.Key.Key_V, modifiers)
    until(lambda: corpus(window).settings["text"].startswith("a dog ran"))

    long = "the cat sat on the mat\n" * 4000  # it stays complete if its field has the focus
    window.session.opener.paste(long)
    until(lambda: corpus(window).settings.get("text") == long)
    QApplication.processEvents()
    window.configuration.reveal("corpus.text")
    field = knob(window, "corpus.text").control
    qtbot.mouseClick(field, Qt.MouseButton.LeftButton)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    window._centre.setFocus()
    assert corpus(window).settings["text"] == long

    (tmp_path / "handed.txt").write_text("the cat sat on the mat\n" * 40)
    instance = Instance(window)
    instance.files.connect(window.take_files)
    second = threading.Thread(target=offer, args=([str(tmp_path / "handed.txt")],))
    second.start()
    until(lambda: corpus(window).settings.get("path", "").endswith("handed.txt"))
    second.join()
    instance.close()


def test_an_empty_clipboard_is_reported_and_changes_nothing(open_session, reported):
    session = open_session()
    before = session.draft.recipe
    session.opener.paste("  \n ")
    assert session.draft.recipe == before
    assert len(reported) == 1


def test_a_pasted_text_that_is_too_long_is_refused_with_a_remedy(open_session, reported, monkeypatch):
    monkeypatch.setattr("lab.shell.session.opener.LONGEST_PASTE", 100)
    session = open_session()
    before = session.draft.recipe
    session.opener.paste("x" * 101)
    assert session.draft.recipe == before
    (problem,) = reported
    assert "101" in problem.what
    assert "file" in problem.remedy


def test_the_draft_is_saved_as_a_recipe_that_opens_again(open_session, tmp_path, reported):
    session = open_session()
    session.save_recipe(tmp_path / "saved.toml")
    session.draft.edit("architecture.width", 48)
    session.open_paths([str(tmp_path / "saved.toml")])
    assert session.draft.card("architecture").config.width == 32
    assert any("saved.toml" in problem.what for problem in reported)


def test_a_recipe_that_cannot_be_saved_becomes_a_notice(open_session, tmp_path, reported):
    (tmp_path / "file").write_text("")
    open_session().save_recipe(tmp_path / "file" / "saved.toml")
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


def test_a_run_that_is_deleted_before_its_end_was_read_is_deleted_afterwards(open_session, until, reported):
    session = open_session("training.steps=3")
    session.start()
    run = session.selected
    run.active.wait_out()
    run.active.join()
    session.transfers.delete([run])
    for job in running_jobs():
        job.join()  # what would have moved its folder away by now
    session.registry.pull()
    until(lambda: session.registry.runs == [])
    assert [name for name, _ in session.transfers.binned] == [run.name]
    assert [problem.what for problem in reported if "was not" in problem.what or "is not" in problem.what] == []
