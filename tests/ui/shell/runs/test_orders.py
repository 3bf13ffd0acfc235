"""Commands for runs in the window: resume, branch, verify, save, delete and restore."""

import json
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from lab.recipes import Recipe
from lab.runs import RunFolder
from lab.runs.bundle import export_bundle
from lab.runs.library.bin import delete_run
from lab.shell.session.runs.formatting import flag_of
from lab.shell.window.notices_view import Toast
from lab.widgets.core.controls import Button

DEAD = 2**22 + 1
"""A process that never was."""


@pytest.fixture
def trained(small, trained_run):
    """Return the folder of a tiny run that ended, with a checkpoint every 10 steps."""

    def trained(recipe=None):
        return trained_run(
            recipe=recipe or small("training.steps=30", "training.checkpoint_every=10", "training.keep_last=9")
        )

    return trained


@pytest.fixture
def interrupted(trained):
    """Leave a run as a killed process does: its status is running, and its last checkpoints are missing."""

    def interrupted(recipe=None):
        path = trained(recipe)
        status = json.loads((path / "status.json").read_text())
        status |= {"state": "running", "writer": {"pid": DEAD, "started": 0.0}}
        (path / "status.json").write_text(json.dumps(status))
        for file in (path / "checkpoints" / "30").iterdir():
            file.unlink()
        (path / "checkpoints" / "30").rmdir()
        return path

    return interrupted


@pytest.fixture
def toast(until):
    """Wait for a notice with this text, and return it."""

    def toast(window, words):
        found = []

        def there():
            found[:] = [one for one in window.findChildren(Toast) if words in one.text.text().replace("\u200b", "")]
            return bool(found)

        until(there)
        return found[0]

    return toast


def press(toast, words):
    next(button for button in toast.findChildren(Button) if button.text() == words).click()


def view_of(window, path):
    return next(run for run in window.session.registry.runs if run.path == path)


def ended(run):
    return run.active is None and run.state == "finished"


def test_an_interrupted_run_is_reported_once_and_resumed_with_a_click(
    interrupted, open_window, registry, until, toast, reported
):
    path = interrupted()
    window = open_window()
    notice = toast(window, "was interrupted at step 30")
    again = []
    registry.interrupted.connect(again.append)
    registry.begin()
    until(lambda: [run.state for run in registry.runs] == ["interrupted"])  # listed and reported in one go
    assert again == []
    press(notice, "Resume")
    run = view_of(window, path)
    until(lambda: ended(run))
    assert run is window.session.selected
    until(lambda: run.curves.steps("train loss").tolist() == list(range(1, 31)))
    assert RunFolder.open(path).status().state == "finished"
    assert [problem.line() for problem in reported if "interrupted" in problem.what] == []


@pytest.mark.long
def test_the_selected_interrupted_run_shows_its_last_checkpoint_and_a_resume_button(
    interrupted, open_window, until, click
):
    path = interrupted()
    window = open_window()
    until(lambda: any(run.path == path for run in window.session.registry.runs))
    window.session.registry.select(view_of(window, path).key)
    until(lambda: window.runs_controller.details.state.text() == "interrupted at step 30, last checkpoint 20")
    until(window.top.resume.isVisible)
    click(window.runs_controller.details.resume)
    until(lambda: ended(view_of(window, path)))
    assert not window.runs_controller.details.resume.isVisible()


def test_a_finished_run_is_trained_further_to_a_given_number_of_steps(trained, open_runs, until, click):
    path = trained()
    window = open_runs()
    window.session.open_paths([str(path)])
    window.runs_controller.train_further()
    question = window.runs_controller.question
    question.field.setText("20")
    click(question.agree)
    assert "Enter more than 30" in question._refused.text()
    question.field.setText("40")
    click(question.agree)
    assert question.isHidden()
    run = window.session.selected
    until(lambda: ended(run) and run.step == 40)
    until(lambda: run.curves.steps("train loss").tolist() == list(range(1, 41)))
    assert run.last_step == 40


@pytest.mark.long
def test_training_further_for_days_is_asked_about_before(trained, open_window, until, click):
    path = trained()
    window = open_window()
    window.session.open_paths([str(path)])
    run, asked = window.session.selected, lambda: window.draft_panel._question
    window.runs_controller.train_further()
    window.runs_controller.question.field.setText(str(10**9))
    click(window.runs_controller.question.agree)
    until(lambda: asked() is not None and asked().isVisible())
    assert "on this machine" in asked()._reasons.text()
    click(asked().cancel)
    assert run.active is None
    assert run.last_step == 30


def test_a_branch_starts_at_a_checkpoint_with_the_changes_of_the_draft_and_names_its_parent_unless_it_is_dropped(
    trained, open_window, until, click, enter
):
    path = trained()
    window = open_window()
    window.session.open_paths([str(path)])
    parent = window.session.selected
    window.session.run_commands.branch(parent, 20)
    until(lambda: window.session.draft.branch_point is not None)
    until(window.draft_panel.branch.remove.isVisible)
    click(window.draft_panel.branch.remove)
    until(lambda: window.draft_panel.start_button.text() == "Start new run")
    assert window.session.draft.branch_point is None
    window.runs_controller.branch()
    question = window.runs_controller.question
    until(question.isVisible)
    assert [question.choice.itemText(place) for place in range(question.choice.count())] == [
        "step 10", "step 20", "step 30",
    ]  # fmt: skip
    question.choice.setCurrentIndex(1)
    QTest.keyClick(question.choice, Qt.Key.Key_Return)
    until(lambda: window.session.draft.branch_point is not None)
    enter(window, "training.optimizer.learning_rate", "0.001")
    until(lambda: window.draft_panel.start_button.text() == "Start branch (1 change)")
    assert window.draft_panel.branch.text.text() == f"Branch from {parent.name} at step 20"
    click(window.draft_panel.start_button)
    until(lambda: window.session.selected is not parent)
    branch = window.session.selected
    until(lambda: ended(branch))
    assert branch.parent["step"] == 20
    assert branch.parent["changes"] == ["training.optimizer.learning_rate=0.001"]
    assert branch.curves.steps("train loss")[0] == 21
    assert window.session.draft.branch_point is None
    until(window.runs_controller.details.parent_button.isVisible)
    assert "from" in window.runs_controller.details.parent_button.text()
    click(window.runs_controller.details.parent_button)
    assert window.session.selected is parent


def test_verifying_a_run_shows_that_it_is_exact_unless_it_is_cancelled(
    trained, open_runs, registry, until, click, monkeypatch
):
    window = open_runs()
    window.session.open_paths([str(trained())])
    run, details = window.session.selected, window.runs_controller.details
    cancelled_calls = []

    def slow(run, *, cancelled, progress, **_):
        progress(1, 10)
        pause = threading.Event()
        while not cancelled():
            pause.wait(0.01)
        cancelled_calls.append(True)
        raise AssertionError("cancelled")

    with monkeypatch.context() as patch:
        patch.setattr(window.session.workbench, "verify", slow)
        window.runs_controller.verify()
        until(lambda: details.verified.text() == "verifying, 10 %" or window.session.registry.list_changed.emit())
        until(details.cancel.isVisible)
        click(details.cancel)
        until(lambda: cancelled_calls and run.verifying is None)
    assert not details.cancel.isVisible()
    assert run.verification is None
    window.runs_controller.verify()
    until(lambda: run.verification is not None)
    assert run.verification.kind == "exact"
    until(lambda: details.verified.text() == "✓ exact")
    until(lambda: window.runs.list.rows.rows[0].badge == "exact")
    registry.begin()
    until(lambda: [run.verification and run.verification.kind for run in registry.runs] == ["exact"])


def test_a_run_that_trains_is_saved_on_request_and_not_deleted(open_runs, reported, until):
    window = open_runs("training.steps=1000000")
    window.session.start()
    until(lambda: window.session.selected.step > 2)
    run = window.session.selected
    assert "hand" not in {one.reason for one in RunFolder.open(run.path).checkpoints()}
    window.runs_controller.save()
    until(lambda: "hand" in {one.reason for one in RunFolder.open(run.path).checkpoints()})
    window.runs_controller.delete()
    assert window.session.transfers.binned == []
    window.session.transfers.delete([run])
    until(lambda: any("so it was not deleted" in problem.what for problem in reported))
    assert run.path.exists()


@pytest.mark.parametrize("again", [False, pytest.param(True, marks=pytest.mark.long)])
def test_live_edits_are_replayed_as_a_schedule_that_the_next_run_carries_out(running, until, click, again):
    window = running()
    schedule, first = window.draft_panel.schedule, window.session.selected

    def replay():
        run = window.session.selected
        until(lambda: window.top.stop.isEnabled() and window.session.state == "running")
        click(window.top.stop)
        until(lambda: run.active is None)
        window.runs_controller.replay()

    window.session.change_live("training.optimizer.learning_rate", 0.001)
    until(lambda: first.events)
    replay()
    until(lambda: window.session.draft.recipe.training.edits)
    edit = window.session.draft.recipe.training.edits[0]
    assert (edit.path, edit.value) == ("training.optimizer.learning_rate", 0.001)
    until(schedule.isVisible)
    assert schedule.text.text() == f"1 scheduled edit at step {edit.step:,}"
    assert "training.optimizer.learning_rate = 0.001" in schedule.text.toolTip()
    click(window.draft_panel.start_button)
    until(lambda: window.session.selected is not first)
    second = window.session.selected
    until(lambda: [one.step for one in second.events] == [one.step for one in first.events])
    if again:
        window.session.change_live("training.batch_size", 2)
        until(lambda: len(second.events) == 2)
        replay()
        until(lambda: schedule.text.text().startswith("2 scheduled edits from step"))
        click(window.draft_panel.start_button)
        until(lambda: window.session.selected is not second)
        third = window.session.selected
        until(lambda: [one.step for one in third.events] == [one.step for one in second.events])
    click(schedule.remove)
    until(lambda: not schedule.isVisible())
    assert window.session.draft.recipe.training.edits == []


def test_batch_size_and_steps_are_edited_while_a_run_trains_and_each_edit_is_a_flag(running_page, until, grown):
    window = running_page("train")
    run = window.session.selected
    window.session.change_live("training.batch_size", 2)
    window.session.change_live("training.steps", 900_000)
    until(lambda: [flag_of(event).label for event in run.events] == ["batch size × ½", "steps 1000000 → 900000"])
    assert run.last_step == 900_000
    assert run.active.trainer.learner.training.batch_size == 2
    grown(window)
    run_folder = RunFolder.open(run.path)
    until(lambda: any(step <= run.events[0].step for step in run_folder.checkpoint_steps()))  # edits in a row share one


def test_a_deleted_run_is_restored_by_undo_or_after_a_restart_by_the_palette(saved_run, open_window, until, toast):
    path, other, before = saved_run("Gone"), saved_run("Other"), saved_run("Deleted before")
    delete_run(RunFolder.open(before))
    window = open_window()
    until(lambda: len(window.runs.list.rows.rows) == 2)
    window.session.registry.select(view_of(window, path).key)
    window.runs_controller.delete()
    offered = toast(window, "Moved to the bin: Gone")
    assert not path.exists()
    assert window.session.selected.path == other
    assert [row.name for row in window.runs.list.rows.rows] == ["Other"]
    press(offered, "Undo")
    until(lambda: len(window.runs.list.rows.rows) == 2)
    assert path.exists()
    assert window.session.selected.name == "Gone"
    until(lambda: len(window.runs_controller.entries()) == 1)
    entry = window.runs_controller.entries()[0]
    assert entry.title == "Restore Deleted before"
    entry.do()
    until(lambda: len(window.runs.list.rows.rows) == 3)


def test_an_opened_bundle_is_imported_and_selected_and_a_damaged_one_refused(
    trained, open_session, until, tmp_path, reported, monkeypatch
):
    path = trained()
    bundle = export_bundle(RunFolder.open(path), tmp_path / "given.lmlab")
    monkeypatch.setenv("LAB_HOME", str(tmp_path / "another home"))
    session = open_session()
    damaged = tmp_path / "damaged.lmlab"
    damaged.write_bytes(b"PK nothing that can be unpacked")
    session.open_paths([str(damaged)])
    until(lambda: reported)
    assert reported[0].trace is None
    assert session.registry.runs == []
    session.open_paths([str(bundle)])
    until(lambda: session.selected is not None)
    assert session.selected.id == RunFolder.open(path).id
    until(lambda: len(session.selected.curves.values("train loss")) == 30)


def test_a_run_is_exported_as_a_bundle(trained, open_runs, until, tmp_path, monkeypatch):
    window = open_runs()
    window.session.open_paths([str(trained())])
    bundle = (str(tmp_path / "one"), "Bundle, to open in LM Lab (*.lmlab)")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: bundle)
    window.runs_controller.export()
    until((tmp_path / "one.lmlab").exists)


@pytest.fixture
def export_as_script(open_runs, tmp_path, monkeypatch):
    """Open a run and export it as a script under the name that is offered; returns what was offered."""
    window = open_runs()
    offered = []

    def ask(parent, title, start, filters):
        offered.append((Path(start), filters))
        return str(tmp_path / offered[-1][0].name), "Plain PyTorch script (*.py)"

    monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)

    def export(path):
        window.session.open_paths([str(path)])
        next(action for action in window.commands.all() if action.command.key == "run.export").trigger()
        return offered

    return export


def test_a_run_is_exported_as_a_script_that_compiles(trained, export_as_script, until, tmp_path):
    offered = export_as_script(trained())
    script = tmp_path / "Small.py"
    until(script.exists)
    assert "Plain PyTorch script (*.py)" in offered[0][1]
    compile(script.read_text(), script.name, "exec")


@pytest.mark.long
def test_a_second_export_is_offered_another_name(trained, export_as_script, until, tmp_path):
    path = trained()
    for name in ("Small.py", "Small 2.py"):
        export_as_script(path)
        until((tmp_path / name).exists)


def test_a_run_that_cannot_become_a_script_says_why(saved_run, export_as_script, until, tmp_path, reported):
    export_as_script(saved_run("Without facts"))
    until(lambda: any("corpus" in problem.line() for problem in reported))
    assert list(tmp_path.glob("*.py")) == []


def test_a_run_whose_text_is_missing_asks_for_it_and_resumes_with_the_right_file(
    interrupted, small, open_runs, until, tmp_path, click, monkeypatch
):
    text = tmp_path / "texts" / "mine.txt"
    text.parent.mkdir()
    text.write_text("the cat sat on the mat. a dog ran to the hat.\n" * 80)
    recipe = Recipe.from_toml(small("training.steps=30", "training.checkpoint_every=10").to_toml()).with_values(
        {"corpus": {"name": "file", "path": str(text)}}
    )
    path = interrupted(recipe=recipe)
    moved, wrong = tmp_path / "moved.txt", tmp_path / "wrong.txt"
    text.rename(moved)
    wrong.write_text("something else entirely, and long enough for a window. " * 80)
    window = open_runs()
    until(lambda: any(run.path == path for run in window.session.registry.runs))
    run = view_of(window, path)
    window.session.run_commands.resume(run)
    details = window.runs_controller.details
    until(details.choose.isVisible)
    assert "was not found" in details.problem.text()
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(wrong), ""))
    click(details.choose)
    until(lambda: details.choose.isVisible() and "not the text" in details.problem.text())
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(moved), ""))
    click(details.choose)
    until(lambda: ended(run))
