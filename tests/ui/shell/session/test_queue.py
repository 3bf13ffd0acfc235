"""The queue in a window: it is restored and reordered, and runs of other processes accept commands."""

import pytest

from lab.runs.library.labels import read_label
from lab.shell.actions.groups import CommandGroup
from lab.shell.session.runs.formatting import detail_label, state_label, waiting_label
from lab.workbench import Workbench
from lab.workbench.queue_file import QueueFile


@pytest.fixture
def waited(small, lab_home):
    """Close a lab with two queued runs behind one that trains."""
    lab = Workbench(queue_file=QueueFile())
    lab.start(small("training.steps=1000000"))
    for steps in (2, 3):
        lab.start(small(f"training.steps={steps}", f"title=Run {steps}"))
    lab.close()


def action(window, name):
    window.commands.refresh()
    return next(action for action in window.commands.all() if action.command.key == name)


def waiting(window):
    return [run.name for run in reversed(window.session.registry.runs) if run.state == "queued"]


def queue(window):
    return [run.recipe.title for run in window.session.workbench.queue]


def test_restored_runs_are_listed_and_reported_and_start_on_request(waited, open_runs, until, reported):
    window = open_runs()
    assert waiting(window) == ["Run 2", "Run 3"]
    assert any("2 runs were queued when the lab was closed" in problem.what for problem in reported)
    action(window, "queue.begin").trigger()
    until(lambda: [run.state for run in window.session.registry.runs if run.name.startswith("Run")] == ["finished"] * 2)
    assert not action(window, "queue.begin").isEnabled()


@pytest.mark.long
def test_restored_runs_leave_the_run_of_the_last_session_selected(waited, open_window, saved_run, reopen, until):
    path, window = saved_run("One"), open_window()
    window.session.open_paths([str(path)])
    later = reopen(window)
    until(lambda: later.session.registry.is_listed)
    assert waiting(later) == ["Run 2", "Run 3"]
    assert later.session.selected.path == path


def test_a_queued_run_moves_earlier_and_later_until_the_queue_is_cleared(waited, open_runs, lab_home):
    window = open_runs()
    last = next(run for run in window.session.registry.runs if run.name == "Run 3")
    window.session.registry.select(last.key)
    assert not action(window, "queue.later").isEnabled()
    assert window.runs_controller.details.state.text() == "queued at position 2"
    action(window, "queue.sooner").trigger()
    assert window.runs_controller.details.state.text() == "queued at position 1"
    assert queue(window) == ["Run 3", "Run 2"]
    assert not action(window, "queue.sooner").isEnabled()
    action(window, "queue.later").trigger()
    assert queue(window) == ["Run 2", "Run 3"]
    action(window, "queue.clear").trigger()
    assert waiting(window) == []
    assert not (lab_home / "queue.json").exists()
    assert not action(window, "queue.clear").isEnabled()


def test_a_queued_run_starts_now_where_none_trains(waited, open_runs, until, click):
    window = open_runs()
    last = next(run for run in window.session.registry.runs if run.name == "Run 3")
    window.session.registry.select(last.key)
    click(window.runs_controller.details.start_now)
    until(lambda: last.state == "finished")
    assert not window.runs_controller.details.start_now.isVisible()
    assert waiting(window) == ["Run 2"]  # it is still held


@pytest.mark.parametrize("stops", [True, pytest.param(False, marks=pytest.mark.long)])
def test_a_queued_run_starts_now_once_the_one_that_trains_was_stopped_for_it(open_runs, until, click, stops):
    window = open_runs("training.steps=1000000")
    session = window.session
    session.start()
    first = session.selected
    until(lambda: first.state == "running")
    for number in (2, 3):
        session.draft.edit("training.steps", number)
        session.start()
    last = session.selected
    click(window.runs_controller.details.start_now)
    assert [run.recipe.training.steps for run in session.workbench.queue] == [3, 2]
    question = window.runs_controller.question
    assert question.choice.currentText() == f"Stop {first.name} first"
    question.choice.setCurrentIndex(1 if stops else 0)
    click(question.agree)
    if stops:
        until(lambda: last.state == "finished")
        assert first.state == "stopped"
    else:
        assert (first.state, last.state) == ("running", "queued")
        first.control.stop()
        until(lambda: last.state == "finished")


@pytest.mark.long
def test_a_queued_run_is_renamed_and_tagged_and_stays_so_after_a_restart_and_once_it_trains(waited, open_window, until):
    window = open_window()
    run = next(run for run in window.session.registry.runs if run.name == "Run 3")
    window.session.registry.select(run.key)
    for name in ("run.rename", "run.star", "run.tags", "run.note"):
        assert action(window, name).isEnabled()
    window.session.registry.label(run, name="Mine", tags=("long",))
    close(window, until)
    again = open_window()
    assert waiting(again) == ["Run 2", "Mine"]
    other, mine = (next(one for one in again.session.registry.runs if one.name == name) for name in ("Run 2", "Mine"))
    again.session.registry.select(other.key)
    again._refresh()
    assert not action(again, "run.stop").isEnabled()  # it is removed, and not stopped and saved
    assert again.top.stop.text() == "Remove"
    action(again, "queue.remove").trigger()
    assert waiting(again) == ["Mine"]
    assert queue(again) == ["Run 3"]  # by the title of its recipe
    action(again, "queue.begin").trigger()
    until(lambda: mine.state == "finished")
    until(lambda: read_label(mine.path).tags == ("long",))
    assert read_label(mine.path).name == "Mine"


def close(window, until):
    window.shutdown.close()
    until(lambda: window.shutdown.ended)


def test_the_delete_key_removes_a_queued_run_from_the_queue(waited, open_runs):
    window = open_runs()
    window.session.registry.select(next(one.key for one in window.session.registry.runs if one.name == "Run 2"))
    window.runs_controller.delete()
    assert waiting(window) == queue(window) == ["Run 3"]


def test_menus_are_named_for_what_their_commands_act_on(open_window):
    groups = open_window(ready=False).commands.groups()
    submenus = {CommandGroup.THEME, CommandGroup.TEXT_SIZE}  # of View
    menus = [group.title for group in groups if group not in submenus]
    assert menus == ["File", "Training", "Selected run", "View", "Edit", "Language", "Profile", "Recipes", "Help"]


def test_a_run_of_another_process_can_be_paused_resumed_and_stopped(open_window, small, click, until):
    elsewhere = Workbench()
    runner = elsewhere.start(small("training.steps=1000000"))
    try:
        until(lambda: runner.step > 2)
        window = open_window()
        until(lambda: any(run.elsewhere for run in window.session.registry.runs))
        (run,) = [run for run in window.session.registry.runs if run.elsewhere]
        window.session.registry.select(run.key)
        until(lambda: window.top.start.text() == "Pause")
        click(window.top.start)
        until(lambda: runner.state == "paused" and window.top.start.text() == "Resume")
        step = runner.step
        action(window, "run.step").trigger()
        until(lambda: runner.step == step + 1)
        click(window.top.start)
        until(lambda: runner.step > step + 1)
        click(window.top.stop)
        until(lambda: runner.state == "stopped")
    finally:
        elsewhere.close()


ENDLESS = "training.steps=1000000"


@pytest.fixture
def lined_up(open_session, until):
    """Start three runs, of which the first one trains and the others are queued behind it."""
    session = open_session(ENDLESS)
    for _ in range(3):
        session.start()
    third, second, first = session.registry.runs
    until(lambda: first.state == "running")
    session.registry.pull()
    return session, first, second, third


def test_a_queued_run_names_the_run_before_it(lined_up):
    _, first, second, third = lined_up
    assert (detail_label(second), detail_label(third)) == ("queued behind Small", "queued behind Small 2")
    assert waiting_label(first) == ""


def test_a_run_that_leaves_the_list_holds_on_to_no_other_run(lined_up):
    session, _, second, third = lined_up
    assert third.waits_for is second
    session.registry.withdraw(third)
    session.registry.remove(third)
    assert third.waits_for is None


def test_queued_runs_name_the_paused_run_for_which_they_wait(lined_up, until):
    session, first, second, third = lined_up
    first.control.pause()
    until(lambda: first.state == "paused")
    session.registry.pull()
    assert (detail_label(second), detail_label(third)) == ("queued behind Small (paused)",) * 2
    assert state_label(second) == "queued"


def test_a_run_that_is_told_to_stop_is_being_saved_at_once(lined_up, until, monkeypatch):
    session, first, *_ = lined_up
    first.control.pause()
    until(lambda: first.state == "paused")
    session.registry.select(first.key)
    with monkeypatch.context() as patch:
        patch.setattr(first.control, "_put", lambda **_: None)  # the training has not taken the command yet
        session.stop()
        assert (first.state, state_label(first)) == ("saving", "saving")
    session.stop()
    until(lambda: first.state == "stopped")


def test_a_queued_run_that_is_resumed_keeps_its_step_and_samples(open_session, trained_run, until):
    session = open_session(ENDLESS)
    run = session.registry.open(trained_run("training.steps=6", "training.evaluate_every=3"))
    until(lambda: run.samples)
    before = run.step, run.samples
    session.start()
    session.registry.resume(run, session.workbench.resume(run.path, steps=1000))
    session.registry.pull()
    assert (run.state, run.step, run.samples) == ("queued", *before)
    assert before[0] == 6
