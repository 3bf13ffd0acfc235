"""A journal beside a run's metrics is rolled back if a killed writer left it, and leads to no other file."""

import os
import struct

import pytest
from attacking import refusal

from lab.runs import MetricReader, MetricWriter, RunFolder
from lab.runs.metrics.file import connect

MAGIC = bytes.fromhex("d9d505f920a163d7")
PAGE = 4096
WORK = pytest.mark.parametrize(
    "work", [lambda file: MetricReader(file).series(), MetricWriter], ids=["reader", "writer"]
)


@pytest.fixture
def run(tmp_path):
    """A run of which a killed writer left a transaction half written: the journal holds the page from before."""
    run = RunFolder.create(tmp_path / "run", "", {})
    before = run.metrics_file.read_bytes()
    with connect(run.metrics_file, "mode=rw") as db:
        db.execute("PRAGMA user_version=77")
    db.close()
    header = MAGIC + struct.pack(">IIIII", 1, 0, len(before) // PAGE, 512, PAGE)
    checksum = sum(before[at] for at in range(PAGE - 200, 0, -200))
    page = struct.pack(">I", 1) + before[:PAGE] + struct.pack(">I", checksum)
    journal(run).write_bytes(header.ljust(512, b"\0") + page)
    return run


def journal(run):
    return run.path / "metrics.sqlite-journal"


def name_in(path, file):
    """Name a file in a journal as the one of a transaction of several databases, which SQLite then deletes."""
    name = os.fsencode(file)
    with path.open("ab") as out:
        out.write(struct.pack(">I", 2**30 // PAGE + 1) + name + struct.pack(">II", len(name), sum(name)) + MAGIC)


def test_what_a_killed_writer_left_half_written_is_rolled_back(run):
    assert run.metrics().series() == {}
    assert not journal(run).exists()


@WORK
@pytest.mark.parametrize("relative", [True, False])
def test_a_file_that_a_journal_names_is_not_deleted(run, tmp_path, monkeypatch, work, relative):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "thesis.txt").write_text("precious")
    name_in(journal(run), "thesis.txt" if relative else tmp_path / "thesis.txt")
    before = run.metrics_file.read_bytes()
    assert "names other files" in refusal(lambda: work(run.metrics_file)).what
    assert (tmp_path / "thesis.txt").read_text() == "precious"
    assert run.metrics_file.read_bytes() == before


def test_where_a_run_with_such_a_journal_is_resumed_its_series_start_again(run, tmp_path):
    (tmp_path / "thesis.txt").write_text("precious")
    name_in(journal(run), tmp_path / "thesis.txt")
    run.rewind(0)
    assert (tmp_path / "thesis.txt").read_text() == "precious"
    assert run.metrics().series() == {}


@pytest.mark.skipif(os.name != "posix", reason="there are no pipes in folders")
@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to(os.devnull)], ids=["pipe", "link"])
@pytest.mark.parametrize("ending", ["journal", "wal"])
@WORK
def test_a_journal_or_log_that_is_no_file_is_refused_at_once(run, make, ending, work):
    journal(run).unlink()
    make(run.path / f"metrics.sqlite-{ending}")
    assert f"{ending} is a link, or not a regular file" in refusal(lambda: work(run.metrics_file)).what
