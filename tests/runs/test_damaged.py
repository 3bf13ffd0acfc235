"""A damaged run or bundle opens or is refused with a message, whatever the damage."""

import functools
import itertools
import json
import os
import shutil
import sys
import time

import psutil
import pytest
from damage import damaged_bundles, damaged_folders, made_run, tree

from lab.base.folders import runs_folder
from lab.base.problems import LabError
from lab.host import Plugins
from lab.runs import MetricReader, RunFolder, list_runs, read_readings, reading_steps
from lab.runs.bundle import export_bundle, import_bundle
from lab.runs.library.labels import read_label
from lab.runs.metrics import reader as metric_reader
from lab.workbench.access.saved import SavedRun

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and pipes are for administrators there")


@pytest.fixture
def intact(tmp_path):
    """A finished run with something of everything."""
    return made_run(tmp_path / "theirs" / "first")


@pytest.fixture(scope="module")
def plugins():
    """Plugins, of which none is loaded, as opening a run loads none."""
    return Plugins()


def refusal(query):
    """The problem with which a question is refused, or None; any other exception fails the test."""
    try:
        query()
    except LabError as error:
        return error.problem
    return None


def opens(query):
    """Return True if a query returns; a refusal must be a LabError."""
    problem = refusal(query)
    assert problem is None or (problem.what and problem.trace is None)
    return problem is None


def inspected(path, plugins, *, pack=False):
    """Ask a run everything that opening one asks, and pack it. Return how much was answered; None: there is no run."""
    if not opens(lambda: RunFolder.open(path)):
        return None
    run = RunFolder.open(path)
    metrics = run.metrics()
    queried = [
        *(run.status, run.events, run.samples, lambda: run.read_since(0, 0), run.checkpoint_steps, run.checkpoints),
        *(lambda: (run.id, run.parent, run.created, run.name), lambda: read_label(path), metrics.series),
        *(lambda: SavedRun(run, plugins), lambda: SavedRun(run, plugins).summary),
        *(functools.partial(read_readings, path, step) for step in reading_steps(path)),
    ]
    if opens(metrics.series):
        for name in metrics.series():
            queried += [functools.partial(metrics.summary, name), functools.partial(metrics.read, name)]
    again, pieces = path.with_name("again.lmlab"), itertools.count()
    if pack:
        queried.append(lambda: export_bundle(run, again, cancelled=lambda: next(pieces) > 20))
    try:
        return sum(opens(query) for query in queried)
    finally:
        again.unlink(missing_ok=True)


def try_bundles(intact, tmp_path, plugins, seed, **counts):
    """Import damaged bundles. Return how many were refused and how many opened."""
    outside = tmp_path / "outside"
    file = export_bundle(intact, tmp_path / "whole.lmlab")
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
            assert inspected(made[0], plugins), what
            shutil.rmtree(made[0])
            opened += 1
    after = {name: kind for name, kind in tree(tmp_path).items() if not name.startswith("lab home")}
    assert after == before
    return refused, opened


def try_folders(intact, tmp_path, plugins, seed, *, pack=False, **counts):
    """Open damaged run folders. Return how many were refused and how many opened, completely or partly."""
    results = {}
    for what, path in damaged_folders(intact.path, tmp_path, seed, **counts):
        before = tree(intact.path)
        try:
            results[what] = inspected(path, plugins, pack=pack)
        except Exception as error:
            error.add_note(f"seed {seed}: {what}")
            raise
        assert tree(intact.path) == before, what
    opened = sum(result is not None for result in results.values())
    return len(results) - opened, opened


def test_a_damaged_bundle_is_refused_or_opens(intact, tmp_path, plugins):
    refused, opened = try_bundles(intact, tmp_path, plugins, seed=5, flips=10, cuts=5, forgeries=60)
    assert refused + opened == 75
    assert refused > opened > 0


def test_a_damaged_run_folder_is_refused_or_opens(intact, tmp_path, plugins):
    refused, opened = try_folders(intact, tmp_path, plugins, seed=5, flips=8, changes=8, most=70)
    assert refused + opened == 70
    assert opened > refused > 0


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", range(3))
def test_much_damage_of_many_kinds_is_refused_or_opens(intact, tmp_path, plugins, seed):
    bundles = try_bundles(intact, tmp_path, plugins, seed, flips=400, cuts=100)
    folders = try_folders(intact, tmp_path, plugins, seed, pack=True, flips=400, changes=400)
    assert sum(bundles) >= 500
    assert sum(folders) >= 800


def test_a_pipe_in_the_place_of_a_file_keeps_nobody_waiting(intact):
    for name in ("status.json", "events.jsonl", "samples.jsonl"):
        (intact.path / name).unlink()
        os.mkfifo(intact.path / name)
    run = RunFolder.open(intact.path)
    for query in (run.status, run.events, run.samples):
        assert "it is not a regular file" in refusal(query).what


def test_records_larger_than_any_run_writes_are_not_read_into_memory(intact):
    with (intact.path / "samples.jsonl").open("ab") as file:
        file.truncate(2**36)
    assert refusal(intact.samples).what == "samples.jsonl cannot be read: it is larger than 64 MiB"


@pytest.mark.timeout(30)
def test_a_recipe_that_would_be_parsed_for_minutes_is_refused(intact, plugins):
    (intact.path / "recipe.toml").write_text("a" + ".a" * 100_000 + " = 1")
    assert "too many dots" in refusal(lambda: SavedRun(RunFolder.open(intact.path), plugins)).what


def test_without_metrics_the_rest_of_a_run_opens_and_says_what_is_missing(intact, plugins):
    for damage in (lambda: intact.metrics_file.write_bytes(b"garbage" * 999), intact.metrics_file.unlink):
        damage()
        run = SavedRun(RunFolder.open(intact.path), plugins)
        problem = refusal(run.metrics().series)
        assert problem.what.startswith("metrics.sqlite cannot be read")
        assert "The rest of the run still opens" in problem.remedy
        assert (run.status.state, run.recorded_steps(), run.folder.checkpoint_steps()) == (
            "finished",
            [0, 50],
            [50, 100],
        )
        assert len(run.folder.events()) == len(run.folder.samples()) == 2


def test_events_stay_in_the_order_in_which_they_happened_for_any_clock(run, monkeypatch):
    for clock, step in ((1000.0, 1), (10.0, 2), (500.0, 3)):
        monkeypatch.setattr(time, "time", lambda clock=clock: clock)
        run.append_event({"kind": "pause", "step": step})
        run.update(step=step)
    assert [event["step"] for event in run.events()] == [1, 2, 3]
    assert (run.status().state, run.status().step) == ("running", 3)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process tells when it started by the clock of then")
def test_a_clock_that_is_set_does_not_make_a_run_that_continues_look_dead(run, monkeypatch):
    linux = psutil._psplatform
    at = linux.boot_time()
    monkeypatch.setattr(linux, "boot_time", lambda: at - 3600)  # what Linux calls its start, after an hour less
    run.update(step=7)
    assert (run.status().state, run.status().step) == ("running", 7)


def test_runs_made_while_the_clock_went_backwards_are_all_listed_by_its_times():
    for name, created in (("b", "2030"), ("a", "2030"), ("c", "2020"), ("d", None)):
        run = RunFolder.create(runs_folder() / name, "", {})
        (run.path / "run.json").write_text(json.dumps({"format": 1, "created": created}))
    runs, problems = list_runs()
    assert [run.name for run in runs] == ["d", "b", "a", "c"]
    assert problems == []


WITHOUT_LOG = """
import os, signal, sys
from pathlib import Path
from lab.runs.metrics import writer as metric_writer
real = metric_writer._journal_mode
metric_writer._journal_mode = lambda db, mode: real(db, "DELETE")  # what a network drive allows
writer = metric_writer.MetricWriter(Path(sys.argv[1]))
writer.append([(step, "loss", step / 2) for step in range(3000)])
writer._db.execute("PRAGMA cache_size=5")
with writer._transaction():
    writer._put_tail(1, range(3000, 30000), [1.0] * 27000)
    writer._db.execute("UPDATE tail SET value=7")  # more than fits in memory: half of it is in the file
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_on_a_drive_without_log_a_killed_writer_leaves_complete_transactions(start, metrics_file, monkeypatch):
    start(WITHOUT_LOG, metrics_file).wait()
    assert metrics_file.with_name("metrics.sqlite-journal").exists()
    with monkeypatch.context() as changed:  # as on read-only media
        real = metric_reader.connect
        changed.setattr(metric_reader, "connect", lambda path, options: real(path, options.replace("=rw", "=ro")))
        problem = refusal(MetricReader(metrics_file).series)
        assert "left it half written" in problem.what
        assert problem.remedy == "Copy the run to your disk"
    steps, values = MetricReader(metrics_file).read("loss")
    assert (len(steps), values[-1]) == (3000, 2999 / 2)
    assert sum(values) == sum(range(3000)) / 2


@pytest.mark.parametrize("item", ["n" * 100, "ü" * 50, "走" * 33])
def test_a_path_longer_than_metrics_can_have_is_refused_when_the_run_is_made(tmp_path, item):
    deep = tmp_path.joinpath(*[item] * 6)
    problem = refusal(lambda: RunFolder.create(deep / "run", "", {}))
    assert "bytes long, and SQLite allows 504" in problem.what
    assert "shorter" in problem.remedy
    assert not (deep / "run").exists()
    short = tmp_path.joinpath(*[item] * 2)
    assert RunFolder.create(short / "run", "", {}).metrics().series() == {}


def test_a_run_moved_to_a_path_that_long_opens_without_its_metrics(intact, tmp_path):
    deep = tmp_path.joinpath(*["n" * 100] * 5)
    run = RunFolder.open(shutil.copytree(intact.path, deep / "run"))
    assert (run.status().state, run.checkpoint_steps(), len(run.events())) == ("finished", [50, 100], 2)
    assert "SQLite allows 504" in refusal(run.metrics().series).what
