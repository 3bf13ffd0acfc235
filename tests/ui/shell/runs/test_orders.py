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
from lab.shell.window.notices_view import Toast
from lab.widgets.core.controls import Button
from lab.workbench import Workbench

DEAD = 2**22 + 1
"""A process that never was."""


@pytest.fixture
def trained(small, lab_home):
    """Train a tiny run to its end, with a checkpoint every 10 steps, and return its path."""

    def trained(*assignments, recipe=None):
        workbench = Workbench()
        made = recipe or small(
            "training.steps=30", "training.checkpoint_every=10", "training.keep_last=9", *assignments
        )
        run = workbench.start(made)
        run.wait_out()
        workbench.close()
        return run.path

    return trained


@pytest.fixture
def interrupted(trained):
    """Leave a run as a killed process does: its status is running, and its last checkpoints are missing."""

    def interrupted(*assignments, **more):
        path = trained(*assignments, **more)
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
    return next(view for view in window.session.registry.views if view.path == path)


def ended(view):
    return view.active is None and view.state == "finished"


def test_an_interrupted_run_is_reported_once_and_resumed_with_a_click(interrupted, open_window, until, toast, reported):
    path = interrupted()
    window = open_window()
    notice = toast(window, "was interrupted at step 30")
    press(notice, "Resume")
    view = view_of(window, path)
    until(lambda: ended(view))
    assert view is window.session.selected
    until(lambda: view.curves.steps("train loss").tolist() == list(range(1, 31)))
    assert RunFolder.open(path).status().state == "finished"
    assert [problem.line() for problem in reported if "interrupted" in problem.what] == []


def test_a_reported_interruption_is_not_reported_again(interrupted, open_window, until, toast, qtbot):
    path = interrupted()
    toast(open_window(), "was interrupted")
    again = open_window()
    until(lambda: any(view.path == path for view in again.session.registry.views))  # listed and reported in one go
    assert not any("interrupted" in one.text.text() for one in again.findChildren(Toast))


def test_the_selected_interrupted_run_shows_its_last_checkpoint_and_a_resume_button(
    interrupted, open_window, until, click
):
    path = interrupted()
    window = open_window()
    until(lambda: any(view.path == path for view in window.session.registry.views))
    window.session.registry.select(view_of(window, path).key)
    until(lambda: window.runs_controller.details.state.text() == "interrupted at step 30, last checkpoint 20")
    until(window.top.resume.isVisible)
    click(window.runs_controller.details.resume)
    until(lambda: ended(view_of(window, path)))
    assert not window.runs_controller.details.resume.isVisible()


def test_a_finished_run_is_trained_further_to_a_given_number_of_steps(trained, open_window, until, qtbot, click):
    path = trained()
    window = open_window()
    window.session.open_paths([str(path)])
    window.runs_controller.train_further()
    question = window.runs_controller.question
    question.field.setText("20")
    click(question.agree)
    assert "Enter more than 30" in question._refused.text()
    question.field.setText("40")
    click(question.agree)
    assert question.isHidden()
    view = window.session.selected
    until(lambda: ended(view) and view.step == 40)
    until(lambda: view.curves.steps("train loss").tolist() == list(range(1, 41)))
    assert view.last_step == 40


def test_a_branch_starts_at_a_checkpoint_with_the_changes_of_the_draft_and_names_its_parent(
    trained, open_window, until, click, enter
):
    path = trained()
    window = open_window()
    window.session.open_paths([str(path)])
    parent = window.session.selected
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
    branch = window.session.selected
    until(lambda: branch is not parent and ended(branch))
    assert branch.parent["step"] == 20
    assert branch.parent["changes"] == ["training.optimizer.learning_rate=0.001"]
    assert branch.curves.steps("train loss")[0] == 21
    assert window.session.draft.branch_point is None
    until(window.runs_controller.details.parent_button.isVisible)
    assert "from" in window.runs_controller.details.parent_button.text()
    click(window.runs_controller.details.parent_button)
    assert window.session.selected is parent


def test_a_branch_can_be_turned_into_a_new_run(trained, open_window, until, click):
    window = open_window()
    window.session.open_paths([str(trained())])
    window.session.run_commands.branch(window.session.selected, 20)
    until(lambda: window.session.draft.branch_point is not None)
    until(window.draft_panel.branch.remove.isVisible)
    click(window.draft_panel.branch.remove)
    until(lambda: window.draft_panel.start_button.text() == "Start new run")
    assert window.session.draft.branch_point is None


def test_verifying_a_run_shows_that_it_is_exact(trained, open_window, until):
    path = trained()
    window = open_window()
    window.session.open_paths([str(path)])
    window.runs_controller.verify()
    view = window.session.selected
    until(lambda: view.verification is not None)
    assert view.verification.kind == "exact"
    until(lambda: window.runs_controller.details.verified.text() == "✓ exact")
    until(lambda: window.runs.list.rows.rows[0].badge == "exact")
    other = open_window()
    until(lambda: len(other.runs.list.rows.rows) == 1 and other.runs.list.rows.rows[0].badge == "exact")


def test_a_verification_can_be_cancelled(trained, open_window, until, click, monkeypatch):
    window = open_window()
    window.session.open_paths([str(trained())])
    cancelled_calls = []

    def slow(run, *, cancelled, progress, **_):
        progress(1, 10)
        pause = threading.Event()
        while not cancelled():
            pause.wait(0.01)
        cancelled_calls.append(True)
        raise AssertionError("cancelled")

    monkeypatch.setattr(window.session.workbench, "verify", slow)
    window.runs_controller.verify()
    until(
        lambda: (
            window.runs_controller.details.verified.text() == "verifying, 10 %"
            or window.session.registry.list_changed.emit()
        )
    )
    until(window.runs_controller.details.cancel.isVisible)
    click(window.runs_controller.details.cancel)
    until(lambda: cancelled_calls and window.session.selected.verifying is None)
    assert not window.runs_controller.details.cancel.isVisible()


def test_save_now_makes_a_checkpoint_of_a_run_that_trains(running, until):
    window = running()
    view = window.session.selected
    assert "hand" not in {one.reason for one in RunFolder.open(view.path).checkpoints()}
    window.runs_controller.save()
    until(lambda: "hand" in {one.reason for one in RunFolder.open(view.path).checkpoints()})


def test_live_edits_are_replayed_as_a_schedule(running, until, enter, click):
    window = running()
    enter(window, "training.optimizer.learning_rate", "0.001")
    view = window.session.selected
    until(lambda: view.flags)
    click(window.top.stop)
    until(lambda: view.active is None)
    window.runs_controller.replay()
    until(lambda: window.session.draft.recipe.training.edits)
    edit = window.session.draft.recipe.training.edits[0]
    assert (edit.path, edit.value) == ("training.optimizer.learning_rate", 0.001)
    schedule = window.draft_panel.schedule
    until(schedule.isVisible)
    assert schedule.text.text() == f"1 scheduled edit at step {edit.step:,}"
    assert "training.optimizer.learning_rate = 0.001" in schedule.text.toolTip()
    click(schedule.remove)
    until(lambda: not schedule.isVisible())
    assert window.session.draft.recipe.training.edits == []


def test_the_next_run_carries_out_the_schedule_of_a_replay(running, until, enter, click):
    window = running()
    enter(window, "training.clip", "0.5")
    enter(window, "training.batch_size", "2")
    view = window.session.selected
    until(lambda: len(view.flags) == 2)
    click(window.top.stop)
    until(lambda: view.active is None)
    window.runs_controller.replay()
    until(window.draft_panel.schedule.isVisible)
    assert window.draft_panel.schedule.text.text().startswith("2 scheduled edits from step")
    click(window.draft_panel.start_button)
    until(lambda: window.session.selected is not view and len(window.session.selected.flags) == 2)
    assert [flag.x for flag in window.session.selected.flags] == [flag.x for flag in view.flags]


def test_batch_size_and_steps_are_edited_while_a_run_trains_and_each_edit_is_a_flag(running, until, enter, grown):
    window = running()
    view = window.session.selected
    enter(window, "training.batch_size", "2")
    enter(window, "training.steps", "900000")
    until(lambda: [flag.label for flag in view.flags] == ["batch size × ½", "steps 1000000 → 900000"])
    assert view.last_step == 900_000
    assert view.active.trainer.learner.training.batch_size == 2
    grown(window)
    run = RunFolder.open(view.path)
    until(lambda: any(step <= view.flags[0].x for step in run.checkpoint_steps()))  # edits in a row share one


def test_deleting_a_run_moves_it_to_the_bin_and_undo_restores_it(saved_run, open_window, until, toast):
    path, other = saved_run("Gone"), saved_run("Other")
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


def test_a_training_run_is_not_deleted_and_this_is_reported(running, reported, until):
    window = running()
    window.runs_controller.delete()
    assert window.session.transfers.binned == []
    window.session.transfers.delete([window.session.selected])
    until(lambda: any("so it was not deleted" in problem.what for problem in reported))
    assert window.session.selected.path.exists()


def test_a_deleted_run_is_offered_by_the_palette_after_a_restart(saved_run, open_window, until):
    path = saved_run("Gone")
    first = open_window()
    until(lambda: len(first.runs.list.rows.rows) == 1)
    first.session.transfers.delete(first.session.registry.views)
    until(lambda: not path.exists())
    window = open_window()
    until(window.runs_controller.entries)
    _, title, _, restore = window.runs_controller.entries()[0]
    assert title == f"Restore {path.name}"
    restore()
    until(lambda: len(window.runs.list.rows.rows) == 1)


def test_an_opened_bundle_is_imported_and_selected(trained, open_window, until, tmp_path, monkeypatch):
    path = trained()
    bundle = export_bundle(RunFolder.open(path), tmp_path / "given.lmlab")
    monkeypatch.setenv("LAB_HOME", str(tmp_path / "another home"))
    window = open_window()
    window.session.open_paths([str(bundle)])
    until(lambda: window.session.selected is not None)
    assert window.session.selected.id == RunFolder.open(path).id
    until(lambda: len(window.session.selected.curves.values("train loss")) == 30)


def test_a_damaged_bundle_is_refused_with_a_message(open_window, tmp_path, reported, until):
    bundle = tmp_path / "damaged.lmlab"
    bundle.write_bytes(b"PK nothing that can be unpacked")
    window = open_window()
    window.session.open_paths([str(bundle)])
    until(lambda: reported)
    assert reported[0].trace is None
    assert window.session.registry.views == []


def test_a_run_is_exported_as_a_bundle_to_a_selected_file(saved_run, open_window, until, tmp_path, monkeypatch):
    window = open_window()
    window.session.open_paths([str(saved_run("One"))])
    place = tmp_path / "one"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(place), "Bundle, to open in a lab (*.lmlab)"))
    window.runs_controller.export()
    until((tmp_path / "one.lmlab").exists)


def test_a_run_is_exported_as_a_script_or_the_reason_why_not_is_reported(
    trained, saved_run, open_window, until, tmp_path, monkeypatch, reported
):
    window = open_window()
    window.session.open_paths([str(trained())])
    offered = []

    def ask(parent, title, start, filters):
        offered.append((Path(start), filters))
        return str(tmp_path / offered[-1][0].name), "Plain PyTorch script (*.py)"

    monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
    next(action for action in window.commands.all() if action.command.key == "run.export").trigger()
    script = tmp_path / "Small.py"
    until(script.exists)
    assert "Plain PyTorch script (*.py)" in offered[0][1]
    compile(script.read_text(), script.name, "exec")
    window.runs_controller.export()
    until((tmp_path / "Small 2.py").exists)
    window.session.open_paths([str(saved_run("Without facts"))])
    del reported[:]
    window.runs_controller.export()
    until(lambda: any("corpus" in problem.line() for problem in reported))
    assert not (tmp_path / "Without-facts.py").exists()


def test_a_run_whose_text_is_missing_asks_for_it_and_resumes_with_the_right_file(
    interrupted, small, open_window, until, tmp_path, click, monkeypatch, lab_home
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
    window = open_window()
    until(lambda: any(view.path == path for view in window.session.registry.views))
    view = view_of(window, path)
    window.session.run_commands.resume(view)
    details = window.runs_controller.details
    until(details.choose.isVisible)
    assert "was not found" in details.problem.text()
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(wrong), ""))
    click(details.choose)
    until(lambda: details.choose.isVisible() and "not the text" in details.problem.text())
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(moved), ""))
    click(details.choose)
    until(lambda: ended(view))
