"""A workbench that is closed at the end, small recipes, and a way to wait."""

import json
import shutil
import textwrap
import time
from types import SimpleNamespace

import pytest
import torch

from lab.recipes import Recipe
from lab.runs import RunFolder
from lab.runs.metrics.gauges import MACHINE, STEP_PARTS
from lab.training.recording.checkpoints import load_model_tables
from lab.workbench import Workbench

TEXT = "the cat sat on the mat. a dog ran to the hat.\n" * 60
SMALL = (
    "architecture.layers=1", "architecture.width=16", "architecture.heads=2", "training.context_length=8",
    "training.batch_size=4", "training.sample_tokens=2", "training.threads=1",
    "readings.moments=3",
)  # fmt: skip
CLOCK = {"seconds", "tokens per second", *MACHINE, *(f"{part} seconds" for part in STEP_PARTS)}
"""Series of times, which no two runs share."""

torch.set_num_threads(1)


@pytest.fixture(autouse=True)
def in_its_own_folder(tmp_path, monkeypatch, file_plugins_forgotten):
    """Work in an empty folder, and forget the modules of file plugins at the end."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def text(tmp_path):
    """A corpus in a folder whose name tells something about its owner."""
    file = tmp_path / "secret project of jane" / "animals.txt"
    file.parent.mkdir()
    file.write_text(TEXT)
    return file


@pytest.fixture(scope="session")
def small_recipe():
    """A recipe of the smallest transformer on a file, that takes so many steps; settings are assigned to it."""

    def small_recipe(file, steps, *assignments):
        recipe = Recipe().with_values({"corpus": {"name": "file", "path": str(file)}})
        return recipe.with_assignments(*SMALL, f"training.steps={steps}", *assignments)

    return small_recipe


@pytest.fixture
def recipe(text, small_recipe):
    """A small recipe on that corpus."""
    return lambda steps=5, *assignments: small_recipe(text, steps, *assignments)


@pytest.fixture
def for_ever(recipe, unhurried_training):
    """A recipe that does not end by itself."""
    return recipe(10**9)


@pytest.fixture
def bench():
    """A workbench."""
    bench = Workbench()
    yield bench
    bench.close()


@pytest.fixture
def until():
    """Wait until something is true."""

    def until(true, seconds=20):
        deadline = time.monotonic() + seconds
        while not true():
            assert time.monotonic() < deadline, "it did not come true in time"
            time.sleep(0.005)

    return until


@pytest.fixture
def training(bench, for_ever, until):
    """A run that makes steps."""
    run = bench.start(for_ever)
    until(lambda: run.trainer is not None and run.trainer.step > 2)
    return run


@pytest.fixture
def plugin(lab_home, bench):
    """Write a plugin of one file and enable it in the workbench."""

    def plugin(code):
        path = lab_home / "plugins" / "mine.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(code).lstrip())
        fresh = Workbench()
        fresh.plugins.enable("mine")
        bench.plugins = fresh.plugins

    return plugin


@pytest.fixture(scope="session")
def series():
    """Return the series of a run from a step on, each as its steps and values, without those of times."""

    def series(run, first=0):
        metrics = run.folder.metrics()
        read = {name: metrics.read(name, first=first) for name in metrics.series() if name not in CLOCK}
        return {name: list(zip(*map(list, both), strict=True)) for name, both in read.items() if len(both[0])}

    return series


@pytest.fixture(scope="session")
def weights():
    """Return the weights of a run at a step, by default the last one."""

    def weights(run, step=None):
        return load_model_tables(run.folder.checkpoint_folder(step or run.folder.checkpoint_steps()[-1]))

    return weights


@pytest.fixture(scope="session")
def same_end(series, weights):
    """Check that two runs have the same series, bit for bit, and ended with the same weights."""

    def same_end(one, other):
        assert series(one) == series(other)
        own, others = weights(one), weights(other)
        assert own.keys() == others.keys()
        assert all(torch.equal(own[name], others[name]) for name in own)

    return same_end


@pytest.fixture(scope="session")
def copy_of():
    """Return a copy of a run that ended, to be damaged and repaired."""

    def copy_of(run):
        folder = RunFolder.open(shutil.copytree(run.path, run.path.with_name("a copy")))
        return SimpleNamespace(folder=folder, path=folder.path)

    return copy_of


@pytest.fixture(scope="session")
def interrupt():
    """Turn an ended run into one whose process was killed, with its last checkpoint at some step; return its folder."""

    def interrupt(run, step):
        folder = run.folder
        for later in folder.checkpoint_steps():
            if later > step:
                shutil.rmtree(folder.checkpoint_folder(later))
        status = json.loads((folder.path / "status.json").read_text())
        status.update(state="running", writer={"pid": 2**22 + 7, "started": 1.0})
        (folder.path / "status.json").write_text(json.dumps(status))
        return folder

    return interrupt


@pytest.fixture
def died_and_resumed(bench, copy_of, interrupt):
    """Return the end of a run as it is after its process was killed with its last checkpoint at some step."""

    def died_and_resumed(run, step):
        resumed = bench.resume(interrupt(copy_of(run), step).path)
        resumed.wait_out()
        assert resumed.state == "finished"
        return resumed

    return died_and_resumed
