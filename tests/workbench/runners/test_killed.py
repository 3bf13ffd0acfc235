"""A training process that is killed at any moment loses at most a second, and goes on bit for bit."""

import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest
import torch

from lab.recipes import Recipe
from lab.runs import RunFolder
from lab.runs.metrics.gauges import MACHINE, STEP_PARTS
from lab.training.recording.checkpoints import load_model_tables

CODE = """
import sys, time
from pathlib import Path
from lab.base.system.compiler import hold_back_compiler
hold_back_compiler()
from lab.recipes import Recipe
from lab.training.trainer import Trainer
from lab.workbench import Workbench
take_commands = Trainer._take_commands
Trainer._take_commands = lambda trainer: (time.sleep(float(sys.argv[3])), take_commands(trainer))[1]
Workbench().start(Recipe.load(Path(sys.argv[1])), out=Path(sys.argv[2])).wait_out()
"""
CLOCK = {"seconds", "tokens per second", *MACHINE, *(f"{part} seconds" for part in STEP_PARTS)}


@pytest.fixture
def process():
    """Start a process that trains."""
    begun = []

    def process(*words):
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "GOMP_SPINCOUNT": "1000"}
        command = [sys.executable, "-c", CODE, *map(str, words)]
        begun.append(subprocess.Popen(command, env=environment))
        return begun[-1]

    yield process
    for one in begun:
        one.kill()
        one.wait()


@pytest.fixture
def steps():
    """Return the steps of a training."""
    return 24


@pytest.fixture
def file(tmp_path, recipe, steps):
    """The recipe as a file: dropout, accumulation, evaluations and checkpoints on the way, a scheduled edit."""
    whole = recipe(
        steps, "architecture.dropout=0.1", "training.accumulation=2", "training.checkpoint_every=7",
        "training.evaluate_every=9", "training.evaluate_tokens=64", "training.schedule.name=cosine",
        'training.edits=[{step=11, path="training.batch_size", value=6}]', "readings.moments=6",
    )  # fmt: skip
    file = tmp_path / "recipe-of-all.toml"
    file.write_text(whole.to_toml())
    return file


def ended(path):
    folder = RunFolder.open(path)
    metrics = folder.metrics()
    series = {name: [part.tolist() for part in metrics.read(name)] for name in metrics.series() if name not in CLOCK}
    return folder.status().state, series, load_model_tables(folder.checkpoint_folder(folder.checkpoint_steps()[-1]))


def kill_and_resume(bench, process, file, tmp_path, number, goal, rest=0.0):
    """Kill a training at some time after a step, and resume it until it ends.

    Args:
        bench: The workbench that resumes it.
        process: Starts the process to kill.
        file: The recipe.
        tmp_path: The folder of its run.
        number: Its number.
        goal: The step.
        rest: Seconds between two steps of the training that is killed.

    Returns:
        The state in which it was found, and its end.
    """
    path = tmp_path / f"killed-{number}"
    victim = process(file, path, rest)
    progress = path / "status.json"
    while victim.poll() is None:
        if (path / "run.json").is_file() and json.loads(progress.read_text())["step"] >= goal:
            break
        time.sleep(0.01)
    time.sleep(random.Random(number).random() * 0.05)
    victim.send_signal(signal.SIGKILL)
    victim.wait()
    folder = RunFolder.open(path)
    status = folder.status()
    assert status.state in ("interrupted", "finished")
    series = folder.metrics().series()
    assert all(folder.metrics().read(name)[0].size == info.count for name, info in series.items())
    if status.state == "interrupted":
        bench.resume(path).wait_out()
    return status.state, ended(path)


def compare(straight, found):
    assert found[0] == "finished"
    assert found[1] == straight[1]
    assert all(torch.equal(straight[2][name], found[2][name]) for name in straight[2])


@pytest.fixture
def straight(bench, file, tmp_path):
    """Return the end of the undisturbed training."""
    bench.start(Recipe.load(file), out=tmp_path / "straight").wait_out()
    return ended(tmp_path / "straight")


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("steps", [400])
def test_fifty_trainings_killed_at_random_moments_end_as_the_undisturbed_one(
    bench, process, file, tmp_path, straight, steps
):
    draws = random.Random(5)
    for number in range(50):
        _, end = kill_and_resume(bench, process, file, tmp_path, number, draws.randrange(steps))
        compare(straight, end)


def test_a_training_that_is_killed_in_the_middle_ends_as_the_undisturbed_one(bench, process, file, tmp_path, straight):
    state, end = kill_and_resume(bench, process, file, tmp_path, number=1, goal=12, rest=0.05)
    assert state == "interrupted"
    compare(straight, end)
