"""Temporary files and folders that name their process, and are swept when it is gone."""

import os
import subprocess
import sys

import pytest

from lab.base.files import temporary
from lab.base.files.temporary import sweep, sweep_all, temporary_path
from lab.base.folders import home

GONE = """
import os, signal, sys
from pathlib import Path
from lab.base.files.temporary import temporary_path
with temporary_path(Path(sys.argv[1]), recorded=True) as temporary:
    temporary.mkdir()
    (temporary / "large").write_bytes(b"x")
    os.kill(os.getpid(), signal.SIGKILL)
"""
REPLACES = """
import os, signal, sys
from pathlib import Path
from lab.base.files import writing
replace = writing._replace
def replace_and_die(temporary, path):
    replace(temporary, path)
    if int(sys.argv[2]) == path.name.startswith("."):
        os.kill(os.getpid(), signal.SIGKILL)
writing._replace = replace_and_die
def write(temporary):
    temporary.mkdir()
    (temporary / "new").touch()
writing.write_atomically(Path(sys.argv[1]), write, recorded=True)
"""
posix = pytest.mark.skipif(os.name != "posix", reason="signals are another thing there")


def test_a_temporary_file_is_removed_at_the_end_and_its_record_too(tmp_path):
    with temporary_path(tmp_path / "a.lmlab", recorded=True) as temporary:
        temporary.write_text("half")
    assert not temporary.exists()
    assert not (home() / "temporary").exists()


def test_the_temporary_file_of_a_living_process_stays(tmp_path):
    with temporary_path(tmp_path / "a.lmlab", recorded=True) as temporary:
        temporary.write_text("half")
        sweep(tmp_path)
        sweep_all()
        assert temporary.read_text() == "half"


@posix
def test_the_next_start_removes_what_a_killed_process_left_anywhere(tmp_path):
    subprocess.run([sys.executable, "-c", GONE, tmp_path / "a"], check=False)
    assert [path.name[:3] for path in tmp_path.iterdir() if path.name.startswith(".")] == [".a."]
    sweep_all()
    assert [path for path in tmp_path.iterdir() if path.name.startswith(".")] == []
    assert list((home() / "temporary").iterdir()) == []


@pytest.mark.parametrize("name", [".a.99-99.new", "a.1-1-00000000-1.new", ".a.4000000-1-00000000-1.new", ".notes"])
def test_what_may_belong_to_others_stays(tmp_path, name):
    (tmp_path / name).touch()
    sweep(tmp_path)
    assert (tmp_path / name).exists()


@posix
@pytest.mark.parametrize(("moved_away", "left"), [(True, "old"), (False, "new")])
def test_a_folder_whose_replacement_was_killed_is_the_old_or_the_new_one(tmp_path, moved_away, left):
    folder = tmp_path / "exports" / ("n" * 60)  # longer than what a temporary name tells of it
    (folder / "old").mkdir(parents=True)
    subprocess.run([sys.executable, "-c", REPLACES, folder, str(int(moved_away))], check=False)
    assert [path.suffix for path in folder.parent.glob(".*.old")] == [".old"]
    sweep_all()
    assert [*folder.parent.iterdir(), *folder.iterdir()] == [folder, folder / left]


@posix
def test_a_record_that_is_no_file_keeps_no_start_waiting_and_the_others_are_read(tmp_path):
    subprocess.run([sys.executable, "-c", GONE, tmp_path / "a"], check=False)
    (record,) = (home() / "temporary").iterdir()
    for ending in ("00000000", "ffffffff"):
        os.mkfifo(record.with_name(f"{record.name.rpartition('-')[0]}-{ending}"))
    sweep_all()
    assert [path for path in tmp_path.iterdir() if path.name.startswith(".")] == []
    assert list((home() / "temporary").iterdir()) == []


@pytest.fixture
def named(tmp_path, monkeypatch):
    """Return a function that tells how a machine is named, or with `space` a container on it."""

    def named(machine="m", boot="b", space=None):
        for name, content in (("MACHINE", machine), ("BOOT", boot), ("NUMBERS", "")):
            file = tmp_path / f"{name} {space}"
            file.write_text(content)
            monkeypatch.setattr(temporary, name, file)
        monkeypatch.setattr(temporary, "OUTSIDE", file.stat().st_ino if space is None else 0)
        return temporary._machine.__wrapped__()

    return named


def test_containers_with_the_name_of_one_machine_sweep_nothing_of_each_other(named):
    assert len({named(), named(space="first"), named(space="second"), named(space="first", boot="later")}) == 4
    assert named(space="first") == named(space="first")


def test_a_machine_sweeps_what_it_left_before_it_was_started_again(named):
    assert named(boot="later") == named()
    assert named(machine="other") != named()
