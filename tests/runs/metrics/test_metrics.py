"""The metric store: what is written comes back, in every process, after every end."""

import contextlib
import math
import sqlite3
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab.base.problems import BadInput, LabError
from lab.runs import MetricReader, MetricWriter
from lab.runs.metrics import reader as metric_reader
from lab.runs.metrics import writer as metric_writer
from lab.runs.metrics.file import BLOCK, FORMAT, connect

CHUNKS = st.lists(st.sampled_from([1, 7, 1000, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK]), min_size=1, max_size=6)
SPECIAL = [math.nan, math.inf, -math.inf, -0.0, 5e-324, 1 / 3]


def rows(name, steps, values):
    return [(step, name, value) for step, value in zip(steps, values, strict=True)]


def fill(path, points, name="loss"):
    """Make a store with one series: `points` values that equal a tenth of their steps."""
    with MetricWriter(path) as writer:
        writer.append(rows(name, range(points), np.arange(points) / 10))


@given(chunks=CHUNKS, stride=st.integers(1, 3), uneven=st.booleans(), seed=st.integers(0, 2**32))
@settings(max_examples=6, deadline=None)
def test_every_series_comes_back_bit_for_bit_however_it_was_cut(chunks, stride, uneven, seed):
    generator = np.random.default_rng(seed)
    count = sum(chunks)
    gaps = generator.integers(1, 5, count) if uneven else np.full(count, stride)
    steps = np.cumsum(gaps)
    values = generator.standard_normal(count)
    values[: len(SPECIAL)] = SPECIAL[:count]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "metrics.sqlite"
        start = 0
        for size in chunks:
            with MetricWriter(path) as writer:  # a writer that opens what another one left
                end = start + size
                writer.append(rows("a", steps[start:end], values[start:end]))
                writer.append(rows("b", steps[start:end], -values[start:end]))
                start = end
        reader = MetricReader(path)
        for name, expected in (("a", values), ("b", -values)):
            read_steps, read_values = reader.read(name)
            assert read_steps.dtype == np.int64
            np.testing.assert_array_equal(read_steps, steps)
            numbers = ~np.isnan(expected)
            assert read_values[numbers].tobytes() == expected[numbers].tobytes()
            assert np.isnan(read_values[~numbers]).all()
            info = reader.summary(name)
            assert info == reader.series()[name] or math.isnan(info.first)
            assert (info.count, info.first_step, info.last_step) == (count, steps[0], steps[-1])
            assert (info.minimum, info.maximum) == (np.fmin.reduce(expected), np.fmax.reduce(expected)) or count == 1
            assert info.last == expected[-1] or math.isnan(expected[-1])


def test_a_range_of_steps_reads_the_same_from_blocks_and_tail(metrics_file):
    fill(metrics_file, 2 * BLOCK + 100)
    reader = MetricReader(metrics_file)
    for first, last in ((0, 0), (BLOCK - 1, BLOCK), (5, 2 * BLOCK + 50), (2 * BLOCK + 90, 10**9), (-5, -1)):
        steps, values = reader.read("loss", first, last)
        assert steps.tolist() == list(range(max(first, 0), min(last, 2 * BLOCK + 99) + 1))
        assert values.tolist() == [step / 10 for step in steps.tolist()]


def test_a_summary_reads_no_values(metrics_file):
    fill(metrics_file, 2 * BLOCK)
    with sqlite3.connect(metrics_file) as db:
        db.execute("UPDATE block SET value_blob = x'00'")
    db.close()
    info = MetricReader(metrics_file).summary("loss")
    assert (info.count, info.minimum, info.maximum, info.last) == (2 * BLOCK, 0, (2 * BLOCK - 1) / 10, info.maximum)


def test_a_series_has_a_unit_and_may_be_empty(writer, metrics_file):
    writer.add_series("validation/loss", "nats per token")
    info = MetricReader(metrics_file).summary("validation/loss")
    assert (info.unit, info.count, info.first_step) == ("nats per token", 0, None)
    steps, values = MetricReader(metrics_file).read("validation/loss")
    assert len(steps) == len(values) == 0


def test_rows_of_several_series_come_in_any_order(writer, metrics_file):
    writer.append([(1, "loss", 2.5), (1, "speed", 9.0), (2, "loss", 2.25)])
    writer.append([(3, "loss", 2.0), (3, "speed", 8.0)])
    assert MetricReader(metrics_file).read("loss")[1].tolist() == [2.5, 2.25, 2.0]
    assert MetricReader(metrics_file).read("speed")[0].tolist() == [1, 3]


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ([(3, "loss", 1.0), (3, "loss", 1.0)], "step 3 after 3"),
        ([(3, "loss", 1.0), (1, "loss", 1.0)], "step 1 after 3"),
        ([(3, "loss", 1.0), (2**70, "speed", 1.0)], "too large"),
    ],
)
def test_rows_that_cannot_be_a_series_are_refused_whole(writer, metrics_file, bad, message):
    writer.append([(2, "loss", 1.0)])
    with pytest.raises((ValueError, OverflowError), match=message):
        writer.append(bad)
    assert MetricReader(metrics_file).read("loss")[0].tolist() == [2]
    writer.append([(3, "loss", 1.0)])
    assert MetricReader(metrics_file).read("loss")[0].tolist() == [2, 3]


@pytest.mark.parametrize("step", [-1, 10, BLOCK - 1, BLOCK, BLOCK + 10, 2 * BLOCK + 5, 10**9])
def test_a_resumed_run_forgets_what_came_after_its_checkpoint_and_writes_on(metrics_file, step):
    fill(metrics_file, 2 * BLOCK + 10)
    stored = max(0, min(step + 1, 2 * BLOCK + 10))
    with MetricWriter(metrics_file) as writer:
        writer.truncate_after(step)
        writer.append(rows("loss", range(stored, stored + BLOCK), [7.0] * BLOCK))
    steps, values = MetricReader(metrics_file).read("loss")
    assert steps.tolist() == list(range(stored + BLOCK))
    assert values.tolist() == [step / 10 for step in range(stored)] + [7.0] * BLOCK


def test_a_full_disk_costs_no_row_and_the_writer_continues_when_there_is_space(writer, metrics_file):
    writer.append(rows("loss", range(100), range(100)))
    more = rows("loss", range(100, 3 * BLOCK), range(100, 3 * BLOCK))
    (pages,) = writer._db.execute("PRAGMA page_count").fetchone()
    writer._db.execute(f"PRAGMA max_page_count={pages + 2}")  # SQLite then raises "database or disk is full"
    for _ in range(2):
        with pytest.raises(LabError) as error:
            writer.append(more)
        assert "No space left" in error.value.problem.what
        assert "Free some space" in error.value.problem.remedy
        assert MetricReader(metrics_file).summary("loss").count == 100
    writer._db.execute("PRAGMA max_page_count=1000000")
    writer.append(more)
    assert MetricReader(metrics_file).read("loss")[1].tolist() == list(range(3 * BLOCK))


WRITE_FOR_EVER = """
import sys
from pathlib import Path
from lab.runs import MetricWriter
writer, end = MetricWriter(Path(sys.argv[1])), int(sys.argv[2])
for begin in range(0, end, 100):
    writer.append([(step, "loss", step / 10) for step in range(begin, begin + 100)])
    print(begin + 100, flush=True)
writer.close()
"""


def test_a_killed_writer_loses_nothing_but_its_open_transaction(start, metrics_file):
    process = start(WRITE_FOR_EVER, metrics_file, 10**9)
    reported = 0
    while reported < BLOCK + 1000:
        reported = int(process.stdout.readline())
    process.kill()
    process.wait()
    reported = max([reported, *map(int, process.stdout.read().split("\n")[:-1])])
    for _ in range(2):
        steps, values = MetricReader(metrics_file).read("loss")
        assert len(steps) in (reported, reported + 100)
        assert steps.tolist() == list(range(len(steps)))
        assert values.tolist() == [step / 10 for step in steps.tolist()]
    fill(metrics_file, 10, "other")  # the next writer finds it intact, and closes it as one file
    assert [path.name for path in metrics_file.parent.iterdir()] == ["metrics.sqlite"]
    assert MetricReader(metrics_file).summary("loss").count == len(steps)


def test_a_reader_follows_another_process_and_does_not_hinder_its_end(start, metrics_file):
    points = 2 * BLOCK + 1000 - 2 * BLOCK % 100
    process = start(WRITE_FOR_EVER, metrics_file, points)
    process.stdout.readline()
    reader, seen = MetricReader(metrics_file), 0
    while seen < points:
        steps, values = reader.read("loss")
        assert len(steps) >= seen
        assert steps.tolist() == list(range(len(steps)))
        assert values.tolist() == [step / 10 for step in steps.tolist()]
        seen = len(steps)
    while process.poll() is None:
        reader.series()
    assert process.returncode == 0
    assert [path.name for path in metrics_file.parent.iterdir()] == ["metrics.sqlite"]


def test_blocks_and_tail_of_one_reading_belong_together(writer, metrics_file, monkeypatch):
    writer.append(rows("loss", range(BLOCK - 1), range(BLOCK - 1)))
    real = metric_reader.read_tail

    def while_the_tail_becomes_a_block(db, series, first):
        writer.append([(BLOCK, "loss", 0.0)])
        return real(db, series, first)

    monkeypatch.setattr(metric_reader, "read_tail", while_the_tail_becomes_a_block)
    assert len(MetricReader(metrics_file).read("loss")[0]) == BLOCK - 1


def test_an_empty_log_that_a_reader_left_at_the_last_moment_is_swept_away(writer, metrics_file, monkeypatch):
    real = metric_writer._journal_mode

    def end_and_be_read(db, mode):
        result = real(db, mode)
        for ending in ("-wal", "-shm"):
            metrics_file.with_name("metrics.sqlite" + ending).touch()
        return result

    writer.append([(1, "loss", 2.0)])
    monkeypatch.setattr(metric_writer, "_journal_mode", end_and_be_read)
    writer.close()
    assert [path.name for path in metrics_file.parent.iterdir()] == ["metrics.sqlite"]
    assert MetricReader(metrics_file).summary("loss").last == 2.0


def test_a_closed_store_is_one_file_and_closing_twice_is_nothing(writer, metrics_file):
    writer.append([(1, "loss", 2.0)])
    assert metrics_file.with_name("metrics.sqlite-wal").exists()
    writer.close()
    writer.close()
    assert [path.name for path in metrics_file.parent.iterdir()] == ["metrics.sqlite"]


@pytest.mark.skipif(sys.platform == "win32", reason="links are for administrators there")
def test_a_running_store_copied_to_read_only_media_opens_and_says_what_is_missing(tmp_path, writer, notices):
    writer.append(rows("loss", range(BLOCK), range(BLOCK)))
    writer._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    writer.append([(BLOCK, "loss", 0.0)])
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / "metrics.sqlite-shm").symlink_to(copy / "gone")  # SQLite follows no link: no index of the log, as on a CD
    for name in ("metrics.sqlite", "metrics.sqlite-wal"):
        (copy / name).write_bytes((writer._path.with_name(name)).read_bytes())
    reader = MetricReader(copy / "metrics.sqlite")
    assert reader.summary("loss").count == BLOCK
    assert len(reader.read("loss")[0]) == BLOCK
    assert ["metrics.sqlite-wal" in notice.problem.what for notice in notices] == [True]


@pytest.mark.skipif(sys.platform == "win32", reason="SQLite has no locking without shared memory there")
def test_a_drive_without_write_ahead_log_is_written_all_the_same_and_reports_it(metrics_file, monkeypatch, notices):
    monkeypatch.setattr(metric_writer, "connect", lambda path, options: connect(path, options + "&vfs=unix-dotfile"))
    with MetricWriter(metrics_file) as writer:
        writer.append([(1, "loss", 2.0)])
        assert not metrics_file.with_name("metrics.sqlite-wal").exists()
        assert MetricReader(metrics_file).summary("loss").last == 2.0
    assert ["not allow a write-ahead log" in notice.problem.what for notice in notices] == [True]


def garble(path):
    content = bytearray(path.read_bytes())
    content[100:] = b"\xa5" * (len(content) - 100)
    path.write_bytes(content)


def with_sql(*statements):
    def change(path):
        db = sqlite3.connect(path)
        for statement in statements:
            db.execute(statement)
        db.commit()
        db.close()

    return change


DAMAGE = {
    "missing": lambda path: path.unlink(),
    "a folder": lambda path: (path.unlink(), path.mkdir()),
    "empty": lambda path: path.write_bytes(b""),
    "no database": lambda path: path.write_bytes(b"hello" * 1000),
    "garbled": garble,
    "cut": lambda path: path.write_bytes(path.read_bytes()[:9000]),
    "newer": with_sql(f"PRAGMA user_version={FORMAT + 1}"),
    "no version": with_sql("PRAGMA user_version=0"),
    "another database": with_sql("DROP TABLE block"),
    "a view that computes": with_sql("DROP TABLE tail", "CREATE VIEW tail AS SELECT 1 series, 2 step, 3 value"),
    "blocks of another length": with_sql("UPDATE block SET count=1000000000000"),
    "blocks of other steps": with_sql("UPDATE block SET last_step=7"),
    "half a number": with_sql("UPDATE block SET value_blob=x'010203'"),
    "words for numbers": with_sql("UPDATE block SET value_blob=17, minimum='low'"),
    "words in the tail": with_sql("UPDATE tail SET value='word'"),
    "another type": with_sql("UPDATE series SET dtype='float128'"),
    "a name that is no text": with_sql("UPDATE series SET unit=CAST(x'ff' AS TEXT)"),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_store_is_a_problem_that_names_the_file(kind, metrics_file):
    fill(metrics_file, BLOCK + 10)
    DAMAGE[kind](metrics_file)
    with pytest.raises(LabError) as error:
        MetricReader(metrics_file).read("loss")
    assert "metrics.sqlite" in error.value.problem.what
    assert error.value.problem.value == "run"
    assert "newer" in error.value.problem.remedy or "copy" in error.value.problem.remedy


@pytest.mark.parametrize("kind", ["a folder", "no database", "garbled", "newer", "no version"])
def test_a_damaged_store_is_not_written_to(kind, metrics_file):
    fill(metrics_file, BLOCK + 10)
    DAMAGE[kind](metrics_file)
    before = metrics_file.is_file() and metrics_file.read_bytes()
    with pytest.raises(LabError, match=r"metrics\.sqlite"):
        MetricWriter(metrics_file)
    if kind not in ("newer", "no version"):  # those are intact databases, whose journal mode was read
        assert before == (metrics_file.is_file() and metrics_file.read_bytes())


def test_no_flipped_byte_ends_in_anything_but_values_or_a_problem(metrics_file):
    fill(metrics_file, BLOCK + 300)
    complete = metrics_file.read_bytes()
    generator = np.random.default_rng(0)
    for path in generator.integers(0, len(complete), 150):
        content = bytearray(complete)
        content[path] ^= 1 << int(generator.integers(8))
        metrics_file.write_bytes(content)
        with contextlib.suppress(LabError):
            MetricReader(metrics_file).series()
            MetricReader(metrics_file).read("loss")


def test_a_file_of_very_many_tables_is_refused_before_they_are_parsed(tmp_path):
    many = tmp_path / "metrics.sqlite"
    with contextlib.closing(sqlite3.connect(many)) as db:
        db.execute("CREATE TABLE a (x)")
        db.execute("PRAGMA writable_schema=ON")
        rows = ((f"t{number}", f"t{number}", f"CREATE TABLE t{number} (x)") for number in range(5_000))
        db.executemany("INSERT INTO sqlite_master VALUES ('table', ?, ?, 2, ?)", rows)
        db.execute(f"PRAGMA user_version={FORMAT}")
        db.commit()
    with pytest.raises(LabError, match="interrupted"):
        MetricReader(many).series()
    with pytest.raises(LabError, match="interrupted"):
        MetricWriter(many)


def test_an_unknown_series_is_reported_with_near_names(metrics_file):
    fill(metrics_file, 1, "train/loss")
    for ask in (MetricReader(metrics_file).read, MetricReader(metrics_file).summary):
        with pytest.raises(BadInput) as error:
            ask("trian/loss")
        assert (error.value.problem.field, error.value.problem.allowed) == ("series", "train/loss")


def test_a_second_writer_does_not_wait_for_ever(writer, metrics_file, monkeypatch):
    def connect_impatiently(path, options):
        db = connect(path, options)
        db.execute("PRAGMA busy_timeout=10")
        return db

    writer._db.execute("BEGIN IMMEDIATE")
    monkeypatch.setattr(metric_writer, "connect", connect_impatiently)
    with pytest.raises(LabError, match="Close the other program"):
        MetricWriter(metrics_file)
    writer._db.execute("ROLLBACK")


def test_a_folder_that_is_gone_is_named(tmp_path):
    with pytest.raises(LabError) as error:
        MetricWriter(tmp_path / "gone" / "metrics.sqlite")
    assert error.value.problem.value == str(tmp_path / "gone")
    assert "No such file" in error.value.problem.what


@pytest.mark.parametrize("name", ["a run?mode=ro", "100 % #1", "ü ☃ run"])
def test_a_folder_may_have_any_name(tmp_path, name):
    path = tmp_path / name / "metrics.sqlite"
    path.parent.mkdir()
    fill(path, 3)
    assert [file.name for file in path.parent.iterdir()] == ["metrics.sqlite"]
    assert MetricReader(path).summary("loss").count == 3
