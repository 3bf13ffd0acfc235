"""A workbench that is closed at the end, small recipes, and a way to wait."""

import sys
import textwrap
import time

import pytest
import torch

from lab.recipes import Recipe
from lab.workbench import Workbench

TEXT = "the cat sat on the mat. a dog ran to the hat.\n" * 60
SMALL = (
    "architecture.layers=1", "architecture.width=16", "architecture.heads=2", "training.context_length=8",
    "training.batch_size=4", "training.sample_tokens=2", "training.threads=1",
    "readings.moments=3",
)  # fmt: skip

torch.set_num_threads(1)


@pytest.fixture(autouse=True)
def in_its_own_folder(tmp_path, monkeypatch):
    """Work in an empty folder, and forget the modules of file plugins at the end."""
    monkeypatch.chdir(tmp_path)
    yield
    for name in [name for name in sys.modules if name.startswith("lab_plugin_")]:
        del sys.modules[name]


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
