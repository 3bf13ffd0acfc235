"""The bin: what is deleted can be brought back, and what is not the lab's is not deleted."""

import os

import pytest

from lab.base.folders import runs_folder
from lab.base.problems import BadInput, LabError
from lab.runs import RunFolder, list_runs, resolve_run
from lab.runs.library.bin import binned_runs, delete_run, empty_bin, restore_run


@pytest.fixture
def make():
    """Make an ended run of this name in the lab's folder."""

    def make(name):
        run = RunFolder.create(runs_folder() / name, "", {})
        run.update(state="finished")
        (run.path / "mark").write_text(name)
        return run

    return make


def listed():
    return sorted(run.name for run in list_runs()[0])


def test_a_deleted_run_is_in_no_list_until_it_is_restored(make):
    run = make("one")
    make("two")
    delete_run(run)
    assert listed() == ["two"]
    with pytest.raises(BadInput, match="no such run"):
        resolve_run("one")
    assert [each.name for each in binned_runs()] == ["one"]
    assert restore_run("one").path == run.path
    assert listed() == ["one", "two"]
    assert (run.path / "mark").read_text() == "one"
    assert binned_runs() == []


def test_the_bin_itself_is_no_run(make):
    (delete_run(make("one")).parents[1] / "run.json").write_text("{}")
    assert list_runs() == ([], [])
    with pytest.raises(BadInput):
        resolve_run(".bin")


def test_a_name_that_is_taken_meanwhile_gets_a_number(make):
    for _ in range(2):
        delete_run(make("one"))
    make("one")
    assert [restore_run("one").name for _ in range(2)] == ["one-2", "one-3"]


def test_of_two_with_one_name_the_last_comes_back_first_or_the_one_that_is_meant(make):
    first, second = (delete_run(make("one")) for _ in range(2))
    assert [run.path for run in binned_runs()] == [second, first]
    (second / "mark").write_text("the second")
    restore_run(first)
    assert (runs_folder() / "one" / "mark").read_text() == "one"
    assert (restore_run("one").path / "mark").read_text() == "the second"


def test_what_is_not_in_the_bin_is_refused_with_what_is(make):
    with pytest.raises(BadInput, match="not in the bin") as error:
        restore_run("one")
    assert "empty" in error.value.problem.allowed
    delete_run(make("one"))
    with pytest.raises(BadInput) as error:
        restore_run("../one")
    assert error.value.problem.allowed == "one"


def test_an_emptied_bin_is_empty(make):
    for name in ("one", "two"):
        delete_run(make(name))
    make("three")
    assert empty_bin() == 2
    assert (binned_runs(), empty_bin(), listed()) == ([], 0, ["three"])


def test_a_run_that_does_not_open_does_not_hide_the_others(make):
    delete_run(make("one"))
    (delete_run(make("two")) / "run.json").write_text("{")
    assert [run.name for run in binned_runs()] == ["one"]
    assert empty_bin() == 2


def test_a_run_that_this_process_writes_is_refused(make):
    run = make("one")
    run.update(state="running")
    with pytest.raises(BadInput, match=f"being written by process {os.getpid()}"):
        delete_run(run)
    assert listed() == ["one"]


WRITE = """
import sys, time
from pathlib import Path
from lab.runs import RunFolder
RunFolder.create(Path(sys.argv[1]), "", {})
print("made", flush=True)
time.sleep(60)
"""


def test_a_run_that_another_process_writes_is_refused_with_its_number_until_it_dies(start):
    writer = start(WRITE, runs_folder() / "one")
    writer.stdout.readline()
    with pytest.raises(BadInput, match=f"process {writer.pid}"):
        delete_run(resolve_run("one"))
    writer.kill()
    writer.wait()
    delete_run(resolve_run("one"))
    assert listed() == []


def test_a_run_elsewhere_is_refused_also_behind_a_link(make, tmp_path):
    run = RunFolder.create(tmp_path / "mine", "", {})
    run.update(state="finished")
    make("one")
    (runs_folder() / "linked").symlink_to(run.path)
    for found in (run, resolve_run("linked")):
        with pytest.raises(BadInput, match="outside the lab's folder"):
            delete_run(found)
    assert (run.path / "run.json").exists()


def test_a_damaged_status_does_not_keep_a_run(make):
    run = make("one")
    (run.path / "status.json").write_text("{")
    delete_run(run)
    assert listed() == []


def test_what_cannot_be_moved_stays_and_leaves_nothing_behind(make, monkeypatch):
    run = make("one")

    def fail(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.rename", fail)
    with pytest.raises(LabError, match="Permission denied"):
        delete_run(run)
    assert listed() == ["one"]
    assert list((runs_folder() / ".bin").iterdir()) == []
