"""A disk that is full, at once or on the way: the folder and a remedy are named, figures are printed, nothing hangs."""

import errno
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from lab.base.files import writing


@pytest.fixture
def small_disk(tmp_path):
    """Mount a file system of so many kilobytes; skip where one may not."""
    mounted = []

    def small_disk(kilobytes):
        folder = tmp_path / "small disk"
        folder.mkdir()
        mount = shutil.which("mount") if sys.platform == "linux" else None
        command = [mount, "-t", "tmpfs", "-o", f"size={kilobytes}k", "lab-test", folder]
        if mount is None or subprocess.run(command, capture_output=True, check=False).returncode:
            pytest.skip("a small disk cannot be mounted here")
        mounted.append(folder)
        return folder

    yield small_disk
    for folder in mounted:
        subprocess.run(["umount", folder], check=True)


def test_a_disk_on_which_no_run_fits_is_reported_before_the_training(train, small_disk):
    disk = small_disk(8)
    ended = train(out=disk / "run")
    last = ended.err.splitlines()[-1]
    assert ended.code in (1, 2)
    assert "No space left on device" in last
    assert str(disk) in last
    assert "Free some space there, or choose another folder with --out" in last


@pytest.mark.parametrize("kilobytes", [64, 96, 128, 160])
def test_a_disk_that_fills_on_the_way_costs_no_figures(train, small_disk, kilobytes):
    disk = small_disk(kilobytes)
    ended = train("--json", "--set", "architecture.width=64", out=disk / "run", steps=20)
    assert ended.code in (1, 2)
    last = ended.err.splitlines()[-1]
    assert "--out" in last
    assert "Traceback" not in ended.err
    if ended.code == 1 and "steps" in ended.json:  # it began
        assert ended.json["steps"] == 20
        assert ended.json["validation_loss"] > 0


class FullDisk:
    """Lets so many files through to the disk, and then none."""

    def __init__(self, room):
        self.room = room

    def __call__(self, path, data):
        self.room -= 1
        if self.room < 0:
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        path.write_bytes(data)


@pytest.mark.parametrize("room", range(8))
def test_a_failure_to_write_is_reported_wherever_it_occurs(train, monkeypatch, room):
    monkeypatch.setattr(writing, "_write_synced", FullDisk(room))
    ended = train("--json")
    assert "Traceback" not in ended.err
    if ended.code:
        assert "No space left on device" in ended.err
        assert "Free some space there, or choose another folder with --out" in ended.err.splitlines()[-1]
    else:
        assert ended.json["steps"] == 3


def test_a_checkpoint_that_cannot_be_written_costs_no_figures(train, monkeypatch):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("lab.training.recording.checkpoints.save_file", full)
    ended = train("--json")
    assert ended.code == 1
    assert ended.json["validation_loss"] > 0
    assert ended.json["problem"]["what"].startswith("cannot write")
    assert not list(Path("run").glob("checkpoints/*"))


def test_metrics_that_cannot_be_written_cost_no_figures(train, monkeypatch):
    def full(*_, **__):
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr("lab.runs.metrics.writer.MetricWriter.append", full)
    ended = train("--json")
    assert ended.code == 1
    assert ended.json["validation_loss"] > 0
    assert "database or disk is full" in ended.err


EXPORTS = {
    "bundle": ("runs", "export", "run", "{}/out.lmlab"),
    "table": ("runs", "export", "run", "{}/out.csv"),
    "parquet": ("runs", "export", "run", "{}/out.parquet"),
    "report": ("runs", "export", "run", "{}/out.html"),
    "events": ("runs", "export", "run", "{}/out.tensorboard"),
    "script": ("runs", "export", "run", "{}/out.py"),
    "model": ("export", "run", "{}/model"),
    "counts": ("arpa", "export", "n-gram", "{}/out.arpa"),
    "code": ("recipe", "link", "quick-start", "--svg", "{}/out.svg"),
}


@pytest.fixture
def filled_disk(small_disk):
    """Mount a file system that only has room for so many kilobytes."""

    def filled_disk(kilobytes):
        disk = small_disk(256)
        rest = shutil.disk_usage(disk).free - 1024 * kilobytes
        (disk / "filling").write_bytes(bytes(rest))
        return disk

    return filled_disk


@pytest.mark.parametrize(
    ("room", "kinds"),
    [(0, [*EXPORTS]), pytest.param(4, ["bundle", "report", "script", "model"], marks=pytest.mark.long)],
)
def test_an_export_onto_a_full_disk_names_file_and_remedy_and_leaves_what_was_there(
    run, n_gram, lm_lab, filled_disk, room, kinds
):
    disk = filled_disk(room)
    for kind in kinds:
        words = EXPORTS[kind]
        file = Path(words[-1].format(disk))
        if kind not in ("events", "model"):
            file.write_bytes(b"")  # an empty file takes no room
        before = sorted(disk.iterdir())
        replace = () if kind == "model" else ("--overwrite",)
        ended = lm_lab(*(word.format(disk) for word in words), *replace)
        assert ended.code == 1, kind
        assert f"cannot write {file.name}: No space left on device" in ended.problem
        assert ended.problem.endswith("Free some space there, or choose another folder.")
        assert sorted(disk.iterdir()) == before, kind
        assert kind in ("events", "model") or file.read_bytes() == b"", kind


def test_an_import_onto_a_full_disk_leaves_no_run(run, lm_lab, filled_disk):
    assert lm_lab("runs", "export", "run", "run.lmlab").code == 0
    disk = filled_disk(4)
    ended = lm_lab("runs", "import", "run.lmlab", "--out", disk / "theirs")
    assert ended.code in (1, 2)
    assert "Free some" in ended.problem
    assert [path.name for path in disk.iterdir()] == ["filling"]
