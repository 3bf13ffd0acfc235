"""A run in a process of its own: followed and ordered through its folder, and nobody's harm where it dies."""

import io
import json
import os
import signal
import subprocess
import sys
import textwrap

import psutil
import pytest

from lab.base import BadInput, LabError
from lab.cli.main import main
from lab.runs import MetricWriter, RunFolder
from lab.runs.commands import COMMANDS_FILE, CommandReader, append_command
from lab.training.control import Control
from lab.workbench.launch.origins import NewRun
from lab.workbench.runners import worker
from lab.workbench.runners.commands import control_of
from lab.workbench.runners.follower import LogPosition, RunFollower
from lab.workbench.runners.process_run import ENDED_BY_HAND

LONG = 50
"""Seconds within which a process begins to train on a busy machine."""


def events_of(run):
    return [event["event"] for event in run.folder.events()]


# ---- orders through the folder


def test_a_training_follows_orders_from_its_folder(training, until):
    control = control_of(RunFolder.open(training.path))
    control.pause()
    until(lambda: training.state == "paused")
    step = training.step
    control.single_step(3)
    until(lambda: training.step == step + 3)
    control.set("training.clip", 0.5)
    control.resume()
    until(lambda: training.step > step + 3)
    control.stop()
    training.wait_out()
    assert training.state == "stopped"
    assert [name for name in events_of(training) if name != "checkpoint"] == [
        "pause",
        "resume",
        "pause",
        "set",
        "resume",
        "stop",
    ]


def test_a_command_that_cannot_be_executed_is_reported_and_the_training_continues(training, until, reported):
    append_command(training.folder, {"do": "explode"})
    control_of(training.folder).set("training.context_length", 3)
    until(lambda: len(reported) == 2)
    step = training.step
    until(lambda: training.step > step + 3)
    assert "is not a command" in reported[0].what
    assert reported[1].field == "training.context_length"


def test_an_order_to_another_process_and_what_is_no_order_are_passed_over(tmp_path):
    run = RunFolder.create(tmp_path / "run", "", {})
    me = json.loads((run.path / "status.json").read_text())["writer"]
    other, earlier = {**me, "pid": me["pid"] + 1}, {**me, "started": me["started"] - 60}
    lines = [
        {"to": other, "order": {"do": "stop"}},
        {"to": earlier, "order": {"do": "stop"}},
        {"to": me, "order": 3},
        {"to": 5},
        [],
    ]
    reader = CommandReader(run.path)
    assert reader.take() == []
    text = "".join(json.dumps(line) + "\n" for line in lines) + "{\n\xff\n" + "[" * 100_000 + "\n"
    (run.path / COMMANDS_FILE).write_text(text)
    append_command(run, {"do": "pause"})
    assert reader.take() == [{"do": "pause"}]
    assert reader.take() == []


def test_a_line_that_is_not_whole_yet_waits(tmp_path):
    run = RunFolder.create(tmp_path / "run", "", {})
    append_command(run, {"do": "pause"})
    whole = (run.path / COMMANDS_FILE).read_bytes()
    (run.path / COMMANDS_FILE).write_bytes(whole[:-5])
    reader = CommandReader(run.path)
    assert reader.take() == []
    (run.path / COMMANDS_FILE).write_bytes(whole)
    assert reader.take() == [{"do": "pause"}]


def test_nobody_follows_an_order_to_a_run_that_has_ended(bench, recipe):
    run = bench.start(recipe(1))
    run.wait_out()
    with pytest.raises(LabError, match="is not training"):
        control_of(run.folder).pause()


@pytest.mark.parametrize(
    "order",
    [
        {},
        {"do": "look"},
        {"do": "step"},
        {"do": "step", "steps": 0},
        {"do": "set", "path": 3, "value": 1},
        {"do": "__init__"},
    ],
)
def test_what_is_no_order_is_refused(order):
    with pytest.raises(BadInput, match="is not a command"):
        Control().give(order)


# ---- what the folder tells


@pytest.fixture
def folder(tmp_path):
    """A run that this process writes, in place of another one."""
    return RunFolder.create(tmp_path / "run", "", {})


def test_the_numbers_of_a_followed_run_come_in_their_order_once(folder):
    following = RunFollower(folder, LogPosition())
    following.update()
    assert following.ring is None
    folder.update(summary={"steps": 0})
    with MetricWriter(folder.metrics_file) as writer:
        writer.append((step, name, step + 0.5) for step in (1, 2) for name in ("loss", "tokens"))
        following.update()
        reader = following.ring.reader()
        reader.read = 0
        first = reader.take()
        writer.append([(3, "loss", 3.5), (3, "other", 1.0)])
        following.update()
        following.update()
        second = reader.take()
    assert first.steps.tolist() == [1, 1, 2, 2]
    assert second.steps.tolist() == [3, 3]
    assert second.values.tolist() == [3.5, 1.0]
    assert following.ring.names == ["loss", "tokens", "other"]


def test_only_new_rows_of_a_resumed_run_are_reported(folder):
    folder.update(step=2, summary={"steps": 2})
    folder.append_event({"event": "pause", "step": 2})
    with MetricWriter(folder.metrics_file) as writer:
        writer.append([(1, "loss", 1.0), (2, "loss", 2.0)])
        following = RunFollower(folder, LogPosition.of(folder.path))
        following.update()
        writer.append([(3, "loss", 3.0)])
        following.update()
    reader = following.ring.reader()
    reader.read = 0
    assert reader.take().steps.tolist() == [3]
    assert not following.paused


def test_a_pause_is_reported_with_its_reason(folder):
    following = RunFollower(folder, LogPosition())
    folder.append_event({"event": "pause", "step": 1})
    following.update()
    assert (following.paused, following.waits_for) == (True, None)
    folder.update(problem=LabError("no memory", remedy="Set it").problem)
    following.update()
    assert following.waits_for.line() == "no memory. Set it."
    folder.append_event({"event": "resume", "step": 1})
    following.update()
    assert (following.paused, following.waits_for) == (False, None)


def test_a_notice_of_the_other_process_is_given_here(folder, reported):
    folder.append_event({"event": "notice", "level": "warning", "step": 1, "what": "it is warm", "nonsense": 3})
    RunFollower(folder, LogPosition()).update()
    assert [problem.what for problem in reported] == ["it is warm"]


# ---- a process that dies before it trains


def test_a_process_that_dies_at_once_is_reported_and_leaves_no_folder(bench, recipe, lab_home, monkeypatch):
    code = "import os, sys; print('my last words', file=sys.stderr, flush=True); os.kill(os.getpid(), 9)"
    monkeypatch.setattr(worker, "command", lambda: [sys.executable, "-c", code])
    run = bench.start(recipe(), process=True)
    with pytest.raises(LabError, match=r"signal 9 \(SIGKILL\)"):
        run.wait_out()
    assert run.state == "failed"
    assert run.problem.trace == "my last words"
    assert list((lab_home / "runs").iterdir()) == []


def test_a_process_that_cannot_be_started_is_reported_by_the_run(bench, recipe, tmp_path, monkeypatch):
    monkeypatch.setattr(worker, "command", lambda: [str(tmp_path / "nothing")])
    run = bench.start(recipe(), process=True)
    with pytest.raises(LabError, match="no process could be started"):
        run.wait_out()


def test_before_it_has_begun_a_process_has_no_model_to_ask(bench, recipe, monkeypatch):
    monkeypatch.setattr(worker, "command", lambda: [sys.executable, "-c", "import time; time.sleep(60)"])
    run = bench.start(recipe(), process=True)
    with pytest.raises(LabError, match="Wait until it is prepared"):
        run.next_tokens("the")
    bench.close(detach_processes=True)
    children = psutil.Process().children()
    for child in children:
        child.kill()
    assert len(children) == 1


# ---- a worker


def test_a_packaged_app_starts_itself_as_a_worker(monkeypatch, capsys):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    executable, word = worker.command()
    assert executable == sys.executable
    monkeypatch.setattr(sys, "stdin", io.StringIO("{}"))
    assert main([word]) == 1
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["problem"]["what"] == "KeyError: 'plugins'"


def test_a_worker_takes_no_module_from_the_folder_it_is_started_in(tmp_path):
    (tmp_path / "json.py").write_text("raise SystemExit(77)")
    ended = subprocess.run(worker.command(), input=b"[", capture_output=True, check=False, cwd=tmp_path)
    assert ended.returncode == 1
    assert b"JSONDecodeError" in ended.stdout


@pytest.mark.skipif(os.name != "posix", reason="signals are another thing there")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_worker_that_is_asked_to_end_stops_and_saves_its_run(for_ever, tmp_path, monkeypatch, capsys, name):
    class Interrupted(worker.ActiveRun):
        def join(self, seconds):
            if self.step > 2 and not self.control.stopping.is_set():
                signal.raise_signal(getattr(signal, name))
            return super().join(min(seconds, 0.05))

    monkeypatch.setattr(worker, "ActiveRun", Interrupted)
    job = {"asked": {**NewRun(for_ever, None).request, "out": str(tmp_path / "run")}, "command": None, "plugins": {}}
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(job)))
    assert worker.main() == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1]) == {"state": "stopped"}
    run = RunFolder.open(tmp_path / "run")
    assert run.checkpoint_steps()[-1] == run.status().step > 2


# ---- real processes


@pytest.fixture
def apart(bench, for_ever, until):
    """A run that makes steps in a process of its own."""
    run = bench.start(for_ever, process=True)
    until(lambda: run.step > 2 or run.wait(0), LONG)
    return run


@pytest.mark.long
def test_the_process_of_a_run_can_be_ended_at_once(apart):
    apart.end_process()
    assert apart.wait(LONG)
    assert apart.state == "interrupted"
    assert apart.problem == ENDED_BY_HAND
    assert RunFolder.open(apart.folder.path).status().state == "interrupted"


def test_a_process_trains_to_the_end_with_the_losses_of_a_thread_bit_for_bit(bench, recipe):
    here = bench.start(recipe(10, "architecture.dropout=0.2"))
    here.wait_out()
    there = bench.start(recipe(10, "architecture.dropout=0.2"), process=True, command=["lm-lab", "train"])
    there.wait_out()
    assert (there.state, there.step, there.last_step) == ("finished", 10, 10)
    assert there.evaluated["protocol"] == "windows"
    assert there.folder.status().state == "finished"
    assert there.folder.facts["command"] == "lm-lab train"
    assert there.folder.checkpoint_steps()[-1] == 10
    losses = [run.folder.metrics().read("train loss")[1].tolist() for run in (here, there)]
    assert losses[0] == losses[1]


@pytest.mark.long
def test_a_process_follows_the_same_orders(apart, until):
    apart.control.pause()
    until(lambda: apart.state == "paused")
    step = apart.folder.status().step
    apart.control.single_step(3)
    until(lambda: apart.step == step + 3 and apart.state == "paused")
    apart.control.set("training.clip", 0.5)
    apart.control.resume()
    until(lambda: apart.step > step + 3)
    apart.control.stop()
    apart.wait_out()
    assert apart.state == "stopped"
    (change,) = [event for event in apart.folder.events() if event["event"] == "set"]
    assert (change["path"], change["value"]) == ("training.clip", 0.5)
    assert max(apart.folder.checkpoint_steps()) == apart.step


@pytest.mark.long
def test_orders_given_before_it_trains_are_followed_then(bench, for_ever):
    run = bench.start(for_ever, process=True)
    run.control.stop()
    run.wait_out()
    assert run.state == "stopped"


@pytest.mark.long
def test_a_refused_setting_is_reported_in_this_process(apart, until, reported):
    apart.control.set("training.context_length", 3)
    until(lambda: any(problem.field == "training.context_length" for problem in reported))
    assert apart.state == "running"


@pytest.mark.long
def test_the_model_in_a_process_is_asked_through_its_checkpoint(apart):
    pieces = list(apart.generate("the ", settings={}, seed=1, count=5))
    assert len(pieces) == 5
    assert pieces[0].step in apart.folder.checkpoint_steps()
    assert len(apart.next_tokens("the ").tokens) == 15
    assert apart.inspect("the cat").readings
    assert apart.state == "running"


@pytest.mark.long
def test_a_recipe_that_a_process_refuses_leaves_no_folder(bench, recipe, lab_home):
    run = bench.start(recipe(1, "architecture.width=17"), process=True)
    with pytest.raises(BadInput, match="not a multiple of heads"):
        run.wait_out()
    assert (run.state, run.folder) == ("failed", None)
    assert list((lab_home / "runs").iterdir()) == []


def killed(run):
    """Kill the process of a run as a system short of memory does."""
    (child,) = [child for child in psutil.Process().children() if child.pid == writer_of(run)]
    child.kill()
    run.wait()


def writer_of(run):
    return json.loads((run.path / "status.json").read_text())["writer"]["pid"]


@pytest.mark.long
def test_a_killed_process_costs_its_run_the_last_second_and_another_run_nothing(bench, training, recipe, until):
    run = bench.start(recipe(10**9, "training.checkpoint_every=10"), process=True)
    until(lambda: run.ring is not None and run.folder.checkpoint_steps(), LONG)
    killed(run)
    assert run.state == "interrupted"
    assert "signal 9 (SIGKILL)" in run.problem.what
    assert run.folder.events()[-1]["what"] == run.problem.what
    assert run.folder.status().problem["what"] == run.problem.what
    assert training.state == "running"
    again = bench.resume(run.path, process=True)
    until(lambda: again.ring is not None, LONG)
    until(lambda: again.step > run.step)
    again.control.stop()
    again.wait_out()
    assert again.state == "stopped"
    steps, _ = again.folder.metrics().read("train loss")
    assert steps.tolist() == list(range(1, len(steps) + 1))


@pytest.mark.long
def test_closing_stops_and_saves_a_process(bench, apart):
    bench.close()
    assert apart.state == "stopped"
    assert max(apart.folder.checkpoint_steps()) == apart.folder.status().step


@pytest.mark.long
def test_a_process_that_is_left_continues_and_is_found_as_a_run_like_any_other(bench, apart, until):
    pid = writer_of(apart)
    bench.close(detach_processes=True)
    found = RunFolder.open(apart.path)
    step = found.status().step
    until(lambda: found.status().step > step)
    assert found.status().state == "running"
    control_of(found).stop()
    until(lambda: found.status().state == "stopped")
    psutil.Process(pid).wait(20)


PARENT = """
    import os, sys, time
    from pathlib import Path
    from lab.recipes import Recipe
    from lab.workbench import Workbench

    run = Workbench().start(Recipe.load(Path(sys.argv[1])), out=Path(sys.argv[2]), process=True)
    while run.step < 3:
        time.sleep(0.05)
    os.kill(os.getpid(), 9)
"""


@pytest.mark.long
def test_a_run_continues_when_the_process_that_began_it_dies(for_ever, tmp_path, until):
    (tmp_path / "recipe.toml").write_text(for_ever.to_toml())
    words = [sys.executable, "-c", textwrap.dedent(PARENT), tmp_path / "recipe.toml", tmp_path / "run"]
    assert subprocess.run(words, check=False).returncode == -9
    run = RunFolder.open(tmp_path / "run")
    step = run.status().step
    until(lambda: run.status().step > step)
    control_of(run).stop()
    until(lambda: run.status().state == "stopped")


@pytest.mark.long
def test_a_worker_loads_no_qt_and_listens_to_the_system(apart, until):
    maps = psutil.Process(writer_of(apart)).memory_maps() if hasattr(psutil.Process, "memory_maps") else []
    assert not [one.path for one in maps if "Qt6" in one.path]
    os.kill(writer_of(apart), 15)
    apart.wait_out()
    assert apart.state == "stopped"
