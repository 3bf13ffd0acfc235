"""Whatever a disk, a copy or a stranger did to a run or a bundle: it opens, or is refused with a message; no more."""

import functools
import shutil
import sys
import time

import pytest
from damage import damaged_bundles, damaged_folders, made_run, tree

from lab.base.folders import runs_folder
from lab.base.problems import LabError
from lab.host import Plugins
from lab.runs import RunFolder, read_readings, reading_steps
from lab.runs.bundle import export_bundle, import_bundle
from lab.runs.labels import read_label
from lab.workbench.saved import SavedRun

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and pipes are for administrators there")


@pytest.fixture
def whole(tmp_path):
    """A finished run with something of everything."""
    return made_run(tmp_path / "theirs" / "first")


@pytest.fixture(scope="module")
def plugins():
    """Plugins of which none is loaded: to open a run loads none."""
    return Plugins()


def refusal(ask):
    """The problem with which a question is refused, or None; any other exception fails the test."""
    try:
        ask()
    except LabError as error:
        return error.problem
    return None


def opens(ask):
    """Whether a question is answered; a refusal of it is in words."""
    problem = refusal(ask)
    assert problem is None or (problem.what and problem.trace is None)
    return problem is None


def looked_at(path, plugins):
    """Ask a run everything that opening one asks. Return how much was answered, or None where there is no run."""
    if not opens(lambda: RunFolder.open(path)):
        return None
    run = RunFolder.open(path)
    metrics = run.metrics()
    asked = [
        *(run.status, run.events, run.samples, lambda: run.told_since(0, 0), run.checkpoint_steps, run.checkpoints),
        *(lambda: (run.id, run.parent, run.created, run.name), lambda: read_label(path), metrics.series),
        *(lambda: SavedRun(run, plugins), lambda: SavedRun(run, plugins).summary),
        *(functools.partial(read_readings, path, step) for step in reading_steps(path)),
    ]
    if opens(metrics.series):
        for name in metrics.series():
            asked += [functools.partial(metrics.summary, name), functools.partial(metrics.read, name)]
    return sum(opens(ask) for ask in asked)


def try_bundles(whole, tmp_path, plugins, seed, **counts):
    """Import damaged bundles. Return how many were refused and how many opened."""
    outside = tmp_path / "outside"
    file = export_bundle(whole, tmp_path / "whole.lmlab")
    outside.mkdir()
    before = tree(tmp_path)
    refused = opened = 0
    for what, bundle in damaged_bundles(file, outside, seed, **counts):
        problem = refusal(lambda bundle=bundle: import_bundle(bundle, limit=2**24))
        made = list(runs_folder().iterdir()) if runs_folder().exists() else []
        if problem:
            assert (problem.field, problem.value) == ("file", str(bundle)), what
            assert problem.what, what
            assert problem.remedy, what
            assert made == [], what
            refused += 1
        else:
            assert len(made) == 1, what
            assert looked_at(made[0], plugins), what
            shutil.rmtree(made[0])
            opened += 1
    after = {name: kind for name, kind in tree(tmp_path).items() if not name.startswith("lab home")}
    assert after == before
    return refused, opened


def try_folders(whole, tmp_path, plugins, seed, **counts):
    """Open damaged run folders. Return how many were refused and how many opened, whole or in part."""
    results = {}
    for what, path in damaged_folders(whole.path, tmp_path, seed, **counts):
        before = tree(whole.path)
        began = time.monotonic()
        try:
            results[what] = looked_at(path, plugins)
        except Exception as error:
            error.add_note(f"seed {seed}: {what}")
            raise
        assert time.monotonic() - began < 10, what
        assert tree(whole.path) == before, what
    opened = sum(result is not None for result in results.values())
    return len(results) - opened, opened


def test_a_damaged_bundle_is_refused_or_opens(whole, tmp_path, plugins):
    refused, opened = try_bundles(whole, tmp_path, plugins, seed=5, flips=20, cuts=10)
    assert refused + opened >= 200
    assert refused > opened


def test_a_damaged_run_folder_is_refused_or_opens(whole, tmp_path, plugins):
    refused, opened = try_folders(whole, tmp_path, plugins, seed=5, flips=20, changes=20)
    assert refused + opened >= 200
    assert opened > refused
