"""What leads out of a run from elsewhere is not followed: nothing outside of it is read, changed or removed."""

import os
import sys

import pytest
from attacking import refusal

from lab.base.files.temporary import temporary_path
from lab.runs import RunFolder, read_readings, reading_steps
from lab.runs.checkpoint_list import checkpoint_steps, prune, remove_after, sweep_checkpoints
from lab.runs.records import append_line

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links are for administrators there")
NAMES = ("checkpoints", "readings", "run.json", "recipe.toml", "status.json", "metrics.sqlite", "events.jsonl")
NAMES += ("samples.jsonl", "orders.jsonl", "metrics.sqlite-journal", "label.json", ".writer.pid", "unknown")


@pytest.fixture
def theirs(tmp_path):
    """A folder of the user with what a run's writer would remove: hidden folders, and folders named after steps."""
    for name in (".ssh", ".5.gone", "7"):
        (tmp_path / "home" / name).mkdir(parents=True)
        (tmp_path / "home" / name / "key").write_text("precious")
    (tmp_path / "home" / "state.json").write_text('{"format": 1}')
    return tmp_path / "home"


def content(folder):
    return {path: path.read_text() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", NAMES)
def test_a_run_with_a_link_in_it_does_not_open(target, theirs, name):
    path = target / name
    if path.exists():
        path.rename(theirs / "moved")
    path.symlink_to(theirs / "moved" if (theirs / "moved").exists() else theirs)
    problem = refusal(lambda: RunFolder.open(target))
    assert f"{name} in it is a link" in problem.what
    assert problem.value == target.name


def test_a_link_to_a_run_is_the_run(target, tmp_path):
    (tmp_path / "linked").symlink_to(target)
    RunFolder.open(tmp_path / "linked").write_alone().release()


def test_through_a_linked_folder_of_checkpoints_nothing_is_removed(theirs, tmp_path):
    link, before = tmp_path / "checkpoints", content(theirs)
    link.symlink_to(theirs)
    sweep_checkpoints(link)
    remove_after(link, 0)
    prune(link, last=0, best=False)
    assert checkpoint_steps(link) == []
    assert content(theirs) == before


def test_a_link_named_after_a_step_is_no_checkpoint_and_no_reading(target, theirs):
    (target / "checkpoints" / "9999").symlink_to(theirs)
    (target / "readings" / "9999.safetensors").symlink_to(theirs / "state.json")
    assert 9999 not in checkpoint_steps(target / "checkpoints")
    assert 9999 not in reading_steps(target)
    assert "no readings" in refusal(lambda: read_readings(target, 9999)).what


def test_of_the_checkpoints_only_what_the_lab_was_writing_or_removing_is_swept(theirs):
    with temporary_path(theirs / "6") as temporary:
        temporary.mkdir()
        temporary.with_suffix(".old").mkdir()  # what a killed process was about to replace
        sweep_checkpoints(theirs)
    assert sorted(path.name for path in theirs.iterdir()) == [".ssh", "6", "7", "state.json"]


@pytest.mark.parametrize("make", [os.symlink, os.link], ids=["link", "hard link"])
def test_nothing_is_appended_to_a_file_elsewhere(tmp_path, make):
    (tmp_path / "thesis.txt").write_text("first\nwithout an end")
    make(tmp_path / "thesis.txt", tmp_path / "events.jsonl")
    assert "cannot write events.jsonl" in refusal(lambda: append_line(tmp_path / "events.jsonl", {"a": 1})).what
    assert (tmp_path / "thesis.txt").read_text() == "first\nwithout an end"


def test_nothing_is_appended_to_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "events.jsonl")
    assert "not a regular file" in refusal(lambda: append_line(tmp_path / "events.jsonl", {"a": 1})).what


def test_a_torn_line_is_looked_for_in_a_bounded_piece_of_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr("lab.runs.records.LONGEST", 20)
    file = tmp_path / "events.jsonl"
    file.write_text("{}\n" * 10 + '{"torn')
    append_line(file, {"b": 2})
    assert file.read_text() == "{}\n" * 10 + '{"b": 2}\n'
    file.write_text("x" * 30)
    assert "too long" in refusal(lambda: append_line(file, {"b": 2})).what
    assert file.read_text() == "x" * 30


@pytest.mark.parametrize("name", ["metrics.sqlite", "events.jsonl"])
def test_a_run_that_shares_a_file_is_read_but_not_written(target, tmp_path, name):
    os.link(target / name, tmp_path / "shared")
    run = RunFolder.open(target)
    assert f"{name} in it is a hard link" in refusal(run.write_alone).what
