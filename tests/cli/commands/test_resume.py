"""`lm-lab resume` and `lm-lab branch`: a training goes on, with the same progress, end and exit codes as a new one."""

import json
import os
import shutil
import signal
from pathlib import Path

import numpy as np
import pytest

from lab.runs import RunFolder

posix = pytest.mark.skipif(os.name != "posix", reason="signals are another thing there")


def losses(run):
    return RunFolder.open(Path(run)).metrics().read("train loss")


@pytest.mark.long  # in short: the same of the workbench
def test_a_resumed_run_has_the_losses_of_one_that_was_never_interrupted(train, lm_lab):
    straight = ("--set", "training.schedule.name=constant")
    train(*straight, steps=6, out="straight")
    train(*straight, steps=3)
    ended = lm_lab("resume", "./run", "--steps", 6, "--json")
    assert ended.code == 0
    assert (ended.json["state"], ended.json["steps"]) == ("finished", 6)
    for one, other in zip(losses("run"), losses("straight"), strict=True):
        np.testing.assert_array_equal(one, other)


def test_the_figures_are_printed_as_after_a_training(train, lm_lab):
    train()
    out = lm_lab("resume", "./run", "--steps", 5).out
    assert "5 steps in" in out
    assert "validation loss" in out
    assert "protocol windows" in out


def test_a_run_whose_end_was_reached_is_refused_or_left_as_it_is(train, lm_lab):
    train()
    before = losses("run")[0].tolist()
    ended = lm_lab("resume", "./run", "--steps", 1)
    assert ended.code == 2
    assert "Traceback" not in ended.err
    assert losses("run")[0].tolist() == before


@pytest.mark.parametrize(
    "words", [("resume", "nothing"), ("branch", "nothing", "--from", 3), ("resume", "./run", "--steps", "x")]
)
def test_what_cannot_be_meant_is_refused_in_one_line_and_as_json(run, lm_lab, words):
    ended = lm_lab(*words)
    assert ended.code == 2
    assert ended.problem
    assert lm_lab(*words, "--json").json["problem"]["what"]


def test_a_run_without_its_corpus_is_refused_until_it_is_named(train, lm_lab, text, tmp_path):
    train()
    moved = Path(shutil.move(text, tmp_path / "moved.txt"))
    ended = lm_lab("resume", "./run", "--steps", 4)
    assert ended.code == 2
    assert "--corpus" in ended.problem
    assert lm_lab("resume", "./run", "--steps", 4, "--corpus", moved).code == 0


@pytest.mark.long  # in short: the same of the workbench
def test_a_killed_training_continues_from_its_last_checkpoint(train, lm_lab):
    train("--set", "training.checkpoint_every=4", steps=5)
    shutil.rmtree("run/checkpoints/5")
    status = Path("run/status.json")
    dead = {"state": "running", "writer": {"pid": 2**22 + 7, "started": 1.0}}  # what a process leaves that is killed
    status.write_text(json.dumps({**json.loads(status.read_text()), **dead}))
    assert lm_lab("runs", "show", "./run", "--json").json["state"] == "interrupted"
    steps, losses_there = losses("run")
    assert len(steps) == len(losses_there) > 0
    assert RunFolder.open(Path("run")).checkpoint_steps() == [4]
    ended = lm_lab("resume", "./run", "--steps", 7, "--json")
    assert (ended.code, ended.json["steps"]) == (0, 7)
    (continued,) = (event for event in RunFolder.open(Path("run")).events() if event["event"] == "continued")
    assert continued["step"] == 4


def test_a_resumed_run_is_stopped_and_saved_by_ctrl_c(train, lm_lab, monkeypatch):
    def pressed(run, progress):
        if run.trainer is not None and run.trainer.step > 5:
            raise KeyboardInterrupt

    train()
    monkeypatch.setattr("lab.cli.commands.train._show", pressed)
    ended = lm_lab("resume", "./run", "--steps", 10**6, "--json")
    assert ended.code == 130
    assert ended.json["state"] == "stopped"
    assert RunFolder.open(Path("run")).checkpoint_steps()[-1] == ended.json["steps"] > 5


@pytest.mark.long
@posix
def test_ctrl_c_stops_and_saves_a_resumed_run_too(train, begin, end, eventually, lm_lab):
    train()
    process = begin("resume", "./run", "--steps", 10**6, "--json")
    eventually(lambda: RunFolder.open(Path("run")).status().state == "running", process)
    eventually(lambda: RunFolder.open(Path("run")).metrics().summary("train loss").count > 5, process)
    process.send_signal(signal.SIGINT)
    ended = end(process)
    assert ended.code == 130
    assert ended.json["state"] == "stopped"
    assert RunFolder.open(Path("run")).checkpoint_steps()[-1] == ended.json["steps"]


def test_a_branch_is_a_new_run_with_its_own_settings_that_knows_where_it_is_from(train, lm_lab):
    train()
    rate = "training.optimizer.learning_rate=0.5"
    ended = lm_lab("branch", "./run", "--from", 3, "--set", rate, "--set", "training.steps=5", "--out", "b", "--json")
    assert ended.code == 0
    assert (ended.json["run"], ended.json["steps"]) == (str(Path("b").absolute()), 5)
    page = lm_lab("runs", "show", "./b", "--json").json
    assert page["parent"]["name"] == "run"
    assert page["parent"]["step"] == 3
    assert rate in page["parent"]["changes"]
    assert page["settings"]["training.optimizer.learning_rate"] == 0.5
    assert "run at step 3, with" in lm_lab("runs", "show", "./b").out
    assert lm_lab("runs", "show", "./run", "--json").json["settings"]["training.steps"] == 3


def test_a_run_lists_its_branches(train, lm_lab):
    name = Path(train("--json", out=None).json["run"]).name
    branch = Path(lm_lab("branch", name, "--from", 3, "--set", "training.steps=4", "--json").json["run"]).name
    assert [each["run"] for each in lm_lab("runs", "show", name, "--json").json["branches"]] == [branch]
    assert f"{branch} from step 3" in lm_lab("runs", "show", name).out
    listed = lm_lab("runs", "--search", f"parent={name}", "--columns", "folder", "--json").json["runs"]
    assert [each["folder"] for each in listed] == [branch]


@pytest.mark.parametrize(
    "words",
    [
        ("--from", 2),
        ("--from", "x"),
        (),
        ("--from", 3, "--set", "training.steps=-1"),
        ("--from", 3, "--set", "nothing"),
    ],
)
def test_a_branch_that_cannot_be_made_is_refused_and_leaves_nothing(run, lm_lab, words, tmp_path):
    before = sorted(path.name for path in tmp_path.iterdir())
    ended = lm_lab("branch", "./run", *words, "--out", "b")
    assert ended.code == 2
    assert ended.problem
    assert sorted(path.name for path in tmp_path.iterdir()) == before
