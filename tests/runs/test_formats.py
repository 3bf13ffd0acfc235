"""Runs, metrics, readings and checkpoints as each version wrote them: today's lab opens, lists and resumes them.

tests/gold/runs/<format>/ is a run of six steps of that format of run.json, written by the lab of that time, and
tests/gold/kinds/<kind>/ one of data that is not one continuous text.
"""

import json
import math
import shutil
import sqlite3
from pathlib import Path

import pytest
from safetensors import safe_open
from safetensors.numpy import save_file

from lab.base import BadInput, LabError
from lab.base.folders import runs_folder
from lab.host import Plugins
from lab.runs import RunFolder, read_readings, reading_steps
from lab.runs.folder import FORMAT
from lab.training.recording.checkpoints import load_facts
from lab.workbench import Workbench

GOLD = Path(__file__).parents[1] / "gold/runs"
FORMATS = sorted(int(path.name) for path in GOLD.iterdir())
OF_KINDS = GOLD.parent / "kinds"
CONVERSATIONS = GOLD.parent / "texts/conversations.jsonl"
KINDS = sorted(path.name for path in OF_KINDS.iterdir())


@pytest.fixture
def stored(lab_home):
    """Put the run of a format among the lab's runs."""

    def stored(version):
        return Path(shutil.copytree(GOLD / str(version), runs_folder() / f"format-{version}"))

    return stored


def test_there_is_a_run_of_every_format():
    assert list(range(1, FORMAT + 1)) == FORMATS


@pytest.mark.parametrize("version", FORMATS)
def test_a_run_opens_with_all_it_has(stored, version):
    run = RunFolder.open(stored(version))
    assert run.facts["format"] == version
    assert len(run.id) == 32
    assert run.parent is None
    assert (run.status().state, run.status().step) == ("finished", 6)
    losses = run.metrics().read("train loss")
    assert losses[0].tolist() == [1, 2, 3, 4, 5, 6]
    assert all(0 < value < 10 for value in losses[1])
    assert run.metrics().series()["tokens"].unit == "tokens"
    assert reading_steps(run.path) == [0, 6]
    assert all(reading.values.size for step in (0, 6) for reading in read_readings(run.path, step))
    assert run.samples()[-1]["step"] == 6
    assert run.checkpoints()[-1].step == 6
    assert run.checkpoints()[-1].complete


@pytest.mark.parametrize("version", FORMATS)
def test_a_run_keeps_its_identity_wherever_it_lies(stored, version, tmp_path):
    elsewhere = shutil.copytree(GOLD / str(version), tmp_path / "elsewhere")
    assert RunFolder.open(stored(version)).id == RunFolder.open(elsewhere).id


def test_all_runs_are_listed(stored):
    for version in FORMATS:
        stored(version)
    bench = Workbench(Plugins(safe_mode=True))
    found, problems = bench.saved()
    assert (sorted(run.path.name for run in found), problems) == ([f"format-{each}" for each in FORMATS], [])
    bench.close()


@pytest.mark.parametrize("version", FORMATS)
def test_a_run_is_resumed(stored, version):
    path = stored(version)
    bench = Workbench(Plugins(safe_mode=True))
    run = bench.resume(path, steps=8)
    run.wait_out()
    assert (run.state, run.problem) == ("finished", None)
    steps, values = RunFolder.open(path).metrics().read("train loss")
    assert steps.tolist() == list(range(1, 9))
    assert all(math.isfinite(value) for value in values)
    before = RunFolder.open(GOLD / str(version)).metrics().read("train loss")[1]
    assert values[:6].tolist() == before.tolist()
    bench.close()


def test_there_is_a_run_of_every_kind_of_data():
    expected = [
        "captions", "conversations", "documents", "examples", "images", "labels", "mixture", "mixture-of-pairs",
        "numbers", "pairs", "vectors", "words",
    ]  # fmt: skip
    assert expected == KINDS


@pytest.mark.short(
    "captions", "conversations", "documents", "examples", "labels", "mixture", "pairs", "vectors", "words"
)
@pytest.mark.parametrize("kind", KINDS)
def test_a_run_of_each_kind_of_data_opens_reads_the_same_data_and_is_evaluated_and_resumed(kind, lab_home):
    del lab_home
    path = Path(shutil.copytree(OF_KINDS / kind, runs_folder() / kind))
    shutil.copy(CONVERSATIONS, path.parent)  # found beside the run, which stores the name of the file alone
    before = RunFolder.open(OF_KINDS / kind)
    losses = before.metrics().read("train loss")[1]
    bench = Workbench(Plugins(safe_mode=True))
    found = bench.open(path).evaluate(device="cpu")
    assert found.loss == pytest.approx(before.status().summary["validation_loss"], rel=1e-4)
    run = bench.resume(path, steps=8)  # refuses data with another hash
    run.wait_out()
    assert (run.state, run.problem) == ("finished", None)
    steps, values = RunFolder.open(path).metrics().read("train loss")
    assert steps.tolist() == list(range(1, 9))
    assert values[:6].tolist() == losses.tolist()
    assert all(math.isfinite(value) for value in values)
    bench.close()


# ---- what is newer


def test_a_newer_run_is_refused_with_a_sentence(stored):
    path = stored(FORMAT)
    facts = json.loads((path / "run.json").read_text())
    (path / "run.json").write_text(json.dumps({**facts, "format": FORMAT + 1}))
    with pytest.raises(BadInput, match=f"this run has format {FORMAT + 1}, and this lab reads formats up to {FORMAT}"):
        RunFolder.open(path)


def test_newer_metrics_are_refused_and_the_rest_opens(stored):
    run = RunFolder.open(stored(FORMAT))
    with sqlite3.connect(run.metrics_file) as db:
        db.execute("PRAGMA user_version=2")
    db.close()
    with pytest.raises(LabError, match="has format 2, and this lab reads formats up to 1"):
        run.metrics().series()
    assert run.status().state == "finished"
    assert reading_steps(run.path) == [0, 6]


def test_newer_readings_are_refused(stored):
    run = RunFolder.open(stored(FORMAT))
    file = run.path / "readings/6.safetensors"
    with safe_open(file, "numpy") as opened:
        about, arrays = opened.metadata(), {key: opened.get_tensor(key) for key in opened.keys()}  # noqa: SIM118
    save_file(arrays, file, {"lab": json.dumps({**json.loads(about["lab"]), "format": 2})})
    with pytest.raises(LabError, match="its format is 2, and this lab reads format 1"):
        read_readings(run.path, 6)
    assert read_readings(run.path, 0)


def test_a_newer_checkpoint_is_refused(stored):
    run = RunFolder.open(stored(FORMAT))
    file = run.checkpoint_folder(6) / "state.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "format": 2}))
    with pytest.raises(LabError, match="format 2 is newer than this lab"):
        load_facts(file.parent)
    assert load_facts(run.checkpoint_folder(3))["step"] == 3
