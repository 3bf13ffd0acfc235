"""Runs in other processes: a killed one is reported, shown, and resumed with a click."""

import json
import os
import subprocess
import sys

import numpy as np
import psutil
import pytest

from lab.runs import RunFolder
from lab.runs.folder import is_file
from lab.shell.session.runs.formatting import flag_of, state_label
from lab.shell.window.notices_view import Toast
from lab.widgets.core.controls import Button
from lab.workbench.runners import process_run
from lab.workbench.runners.commands import control_of

CODE = """
import sys
from pathlib import Path
from lab.recipes import Recipe
from lab.workbench import Workbench
Workbench().start(Recipe.load(Path(sys.argv[1])), out=Path(sys.argv[2])).wait_out()
"""

pytestmark = [pytest.mark.long, pytest.mark.timeout(180)]


@pytest.fixture
def elsewhere(small, lab_home, tmp_path):
    """Start a training in a process outside of the window; return (the process, the run's folder)."""
    started = []

    def elsewhere():
        recipe = small("training.steps=1000000", "training.checkpoint_every=50", "training.evaluate_every=40")
        file, path = tmp_path / "recipe.toml", lab_home / "runs" / "elsewhere"
        file.write_text(recipe.to_toml())
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "GOMP_SPINCOUNT": "1000"}
        started.append(subprocess.Popen([sys.executable, "-c", CODE, str(file), str(path)], env=environment))
        return started[-1], path

    yield elsewhere
    for one in started:
        one.kill()
        one.wait()


def edit_and_kill(child, path, until):
    """Make a live edit after a checkpoint, kill the process before the next one, and return the run."""
    until(lambda: is_file(path / "run.json") and RunFolder.open(path).status().step > 60)
    run = RunFolder.open(path)
    control_of(run).set("training.clip", 0.5)
    until(lambda: any(event["event"] == "set" for event in run.events()))
    edited = next(event["step"] for event in run.events() if event["event"] == "set")
    until(lambda: run.status().step > edited + 5)
    child.kill()
    child.wait()
    return run


def view_of(window, path):
    return next((run for run in window.session.registry.runs if run.path == path), None)


def toasts(window, words):
    return [one for one in window.findChildren(Toast) if words in one.text.text().replace("\u200b", "")]


def row_of(window, run):
    return next(row for row in window.runs.list.rows.rows if row.key == run.key)


def goes_on_whole(window, run, run_folder, until):
    """Check that a run continues from its last checkpoint with all earlier data, without a gap, and with one flag."""
    checkpoint, dead = run_folder.checkpoint_steps()[-1], run_folder.status().step
    window.show_place("train")
    until(lambda: run.active is not None and run.step > dead + 20)
    until(lambda: len(run.curves.steps("train loss")) and run.curves.steps("train loss")[-1] > dead + 20)
    steps = run.curves.steps("train loss")
    assert np.array_equal(steps, np.arange(1, len(steps) + 1))
    assert all(step <= run.step for step, _ in run.samples)
    assert len({step for step, _ in run.samples}) == len(run.samples)
    assert [event.value for event in run.events if event.path == "training.clip"] == [0.5]
    continued = [event["step"] for event in run_folder.events() if event["event"] == "continued"]
    assert continued == [checkpoint]
    until(lambda: any(line.key.startswith(run.key) and line.x[-1] > dead for line in window.train.loss.chart._lines))


def test_a_run_that_was_killed_before_the_window_opens_is_listed_with_its_last_step_and_resumed_with_a_click(
    elsewhere, open_window, until, click
):
    run_folder = edit_and_kill(*elsewhere(), until)
    dead = run_folder.status()
    assert dead.state == "interrupted"
    window = open_window()
    until(lambda: toasts(window, f"was interrupted at step {dead.step:,}"))
    run = view_of(window, run_folder.path)
    assert row_of(window, run).state == "interrupted"
    (toast,) = toasts(window, "was interrupted")
    click(next(button for button in toast.findChildren(Button) if button.text() == "Resume"))
    goes_on_whole(window, run, run_folder, until)


def test_a_run_killed_while_shown_is_reported_and_resumed_with_a_click(elsewhere, open_window, until, click):
    window = open_window()
    child, path = elsewhere()
    until(lambda: view_of(window, path) is not None)
    run = view_of(window, path)
    window.session.registry.select(run.key)
    until(lambda: len(run.curves.steps("train loss")) > 3)
    assert state_label(run) == "running elsewhere"
    run_folder = edit_and_kill(child, path, until)
    until(lambda: toasts(window, "was interrupted at step"))
    assert row_of(window, run).state == "interrupted"
    dead, saved = run_folder.status().step, run_folder.checkpoint_steps()[-1]
    details = window.runs_controller.details
    until(lambda: details.state.text() == f"interrupted at step {dead:,}, last checkpoint {saved:,}")
    until(lambda: run.curves.steps("train loss")[-1] >= dead - 1)
    click(window.runs_controller.details.resume)
    goes_on_whole(window, run, run_folder, until)


# ---- started by the window, in a process of its own


@pytest.fixture
def apart(open_window, until):
    """A window with a run in its own process: (the window, its RunModel)."""
    window = open_window("training.steps=1000000", "training.checkpoint_every=50")
    next(action for action in window.commands.all() if action.command.key == "run.beside").trigger()
    until(lambda: window.session.selected is not None)
    run = window.session.selected
    until(lambda: len(run.curves.steps("train loss")) > 3)
    until(lambda: window.top.start.text() == "Pause")
    return window, run


def taken(things):
    """Empty a list, and return its former content."""
    found, things[:] = list(things), []
    return found


def process_of(run):
    return psutil.Process(json.loads((run.path / "status.json").read_text())["writer"]["pid"])


def test_a_run_in_a_process_of_its_own_grows_and_follows_pause_resume_edits_and_stop(apart, until, click):
    window, run = apart
    assert process_of(run).pid != os.getpid()
    count = len(run.curves.steps("train loss"))
    until(lambda: len(run.curves.steps("train loss")) > count + 5)
    click(window.top.start)
    until(lambda: run.state == "paused" and window.top.start.text() == "Resume")
    click(window.top.step)
    window.session.change_live("training.clip", 0.5)
    click(window.top.start)
    until(lambda: [flag_of(event).label for event in run.events] == ["clip × ½"])
    until(lambda: run.state == "running" and window.top.stop.isEnabled())
    window.runs_controller.save()
    until(lambda: "hand" in {one.reason for one in RunFolder.open(run.path).checkpoints()})
    click(window.top.stop)
    until(lambda: run.active is None and run.state == "stopped")
    assert np.array_equal(run.curves.steps("train loss"), np.arange(1, run.step + 1))


def test_a_killed_process_is_reported_and_its_run_resumed_with_a_click(apart, until, click, reported):
    window, run = apart
    until(lambda: RunFolder.open(run.path).checkpoint_steps())
    process_of(run).kill()
    until(lambda: run.active is None and run.state == "interrupted")
    assert any("SIGKILL" in problem.what for problem in reported)
    until(lambda: toasts(window, "SIGKILL"))
    dead = run.step
    until(lambda: "last checkpoint" in window.runs_controller.details.state.text())
    click(window.runs_controller.details.resume)
    until(lambda: run.active is not None and run.step > dead)
    until(lambda: len(run.curves.steps("train loss")) > dead)
    steps = run.curves.steps("train loss")
    assert np.array_equal(steps, np.arange(1, len(steps) + 1))


def test_closing_can_leave_a_process_training_and_the_next_window_stops_it(apart, open_window, until, click):
    window, run = apart
    path, child = run.path, process_of(run)
    window.close()
    until(window.shutdown.panel.detach.isVisible)
    click(window.shutdown.panel.detach)
    until(lambda: window.shutdown.ended)
    assert child.is_running()
    again = open_window()
    until(lambda: view_of(again, path) is not None and view_of(again, path).elsewhere)
    there = view_of(again, path)
    again.session.registry.select(there.key)
    step = there.step
    until(lambda: there.step > step)
    again.runs_controller.save()
    until(lambda: "hand" in {one.reason for one in RunFolder.open(path).checkpoints()})
    until(again.top.stop.isEnabled)
    click(again.top.stop)
    until(lambda: there.state == "stopped")
    assert [one.wait(60) for one in taken(process_run.detached)] == [0]
