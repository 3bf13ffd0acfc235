"""The run writer: everything that a training records is in the run folder at its end, even after a full disk."""

import threading
import time

import numpy as np
import pytest

from lab.api import Reading
from lab.base import LabError, Problem
from lab.recipes import Training
from lab.runs import MetricWriter, RunFolder, read_readings, reading_steps
from lab.training.recording import recorder as recorders
from lab.training.recording.checkpoints import CheckpointData
from lab.training.recording.recorder import Recorder
from lab.training.recording.telemetry import Ring

FULL = Problem("cannot write metrics.sqlite: No space left on device", field="folder", remedy="Free some space there")


@pytest.fixture(autouse=True)
def often(monkeypatch):
    """Write often, so that tests need not wait."""
    monkeypatch.setattr(recorders, "INTERVAL", 0.01)


@pytest.fixture
def folder(tmp_path):
    """A run that this process has just started."""
    return RunFolder.create(tmp_path / "run", 'title = ""\n', {})


@pytest.fixture
def recording(folder):
    """Return a function that makes a recorder of the folder, which is closed at the end of the test."""
    made = []

    def recording(ring=None):
        made.append(Recorder(folder, ring or Ring(), Training()))
        made[-1].start()
        return made[-1]

    yield recording
    for recorder in made:
        recorder._end.set()
        recorder._thread.join(5)


@pytest.fixture
def disk(monkeypatch):
    """A disk that is full for as long as `disk.full` is set."""

    class Disk:
        full = threading.Event()
        refusals = 0

    append = MetricWriter.append

    def refusing(self, rows):
        if Disk.full.is_set():
            Disk.refusals += 1
            raise LabError(FULL)
        append(self, rows)

    monkeypatch.setattr(MetricWriter, "append", refusing)
    return Disk


def until(condition, seconds=10):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come to that"
        time.sleep(0.002)


def test_all_that_a_training_records_is_in_its_folder_at_the_end(
    experiment, training, folder, recording, source, tokenizer
):
    from lab.diagnostics.probes import reports
    from lab.training.control import Control

    ring, control = Ring(), Control()
    recorder = recording(ring)
    control.set("training.clip", 0.5)
    recorded = training(
        experiment(
            "transformer", steps=20, evaluate_every=5, sample_tokens=9, tokenizer=tokenizer,
            validation=source(100, "windows"), readings={"tokens": 8, "moments": 4},
        ),
        ring=ring, log=recorder, control=control, probes=[("lab", reports(None))],
    )  # fmt: skip
    recorded.run()
    recorder.close()
    assert recorder.problem is None
    metrics = folder.metrics()
    assert set(metrics.series()) == set(recorded.series)
    for name, series in recorded.series.items():
        steps, values = metrics.read(name)
        assert dict(zip(steps.tolist(), values.tolist(), strict=True)) == series, name
    assert metrics.series()["train loss"].unit == "nats"
    assert [(event["event"], event["step"], event["value"]) for event in folder.events()] == [("set", 0, 0.5)]
    assert [(sample["step"], len(sample["text"])) for sample in folder.samples()] == [(5, 9), (10, 9), (15, 9), (20, 9)]
    assert reading_steps(folder.path)[0] == 0
    assert reading_steps(folder.path)[-1] == 20
    assert {reading.name for reading in read_readings(folder.path, 20)} >= {"embedding", "residual"}
    assert folder.status().step == 20


def test_a_training_whose_writer_is_slow_waits_and_loses_no_row(experiment, training, folder, recording, monkeypatch):
    append = MetricWriter.append
    monkeypatch.setattr(MetricWriter, "append", lambda self, rows: (time.sleep(0.02), append(self, rows)))
    ring = Ring(32)
    recorder = recording(ring)
    training(experiment("transformer", steps=40), ring=ring, log=recorder).trainer.run()
    recorder.close()
    assert folder.metrics().read("train loss")[0].tolist() == list(range(1, 41))


def test_while_the_disk_is_full_the_training_continues_and_everything_is_written_afterwards(
    experiment, training, folder, recording, disk, notices
):
    ring = Ring(64)
    recorder = recording(ring)
    disk.full.set()
    recorded = training(experiment("transformer", steps=30), ring=ring, log=recorder)
    recorded.trainer.run()
    until(lambda: disk.refusals > 3)
    assert recorded.trainer.state == "finished"
    assert recorder.problem == FULL
    recorder.sample(30, "late")
    disk.full.clear()
    until(lambda: recorder.problem is None)
    recorder.close()
    assert folder.metrics().read("train loss")[0].tolist() == list(range(1, 31))
    assert [sample["text"] for sample in folder.samples()] == ["late"]
    assert [(notice.level, notice.problem) for notice in notices] == [("warning", FULL)]
    assert [event["what"] for event in folder.events()] == [FULL.what]


def test_a_long_backlog_blocks_the_training_until_it_is_to_stop_and_loses_no_row(
    experiment, start, training, folder, recording, disk, monkeypatch
):
    monkeypatch.setattr(recorders, "MOST_ROWS", 100)
    monkeypatch.setattr(recorders, "ROWS_AT_ONCE", 7)
    ring = Ring(64)
    recorder = recording(ring)
    disk.full.set()
    recorded = start(training(experiment("transformer", steps=10**6), ring=ring, log=recorder))
    until(lambda: len(recorder._rows) >= 100)

    def stands_still():
        step, refused = recorded.trainer.step, disk.refusals
        until(lambda: disk.refusals > refused + 30)
        return recorded.trainer.step == step

    until(stands_still)
    assert len(recorder._rows) < 100 + 64
    recorded.trainer.control.stop()
    assert recorded.ended(10)
    assert recorded.trainer.state == "stopped"
    disk.full.clear()
    recorder.close()
    assert folder.metrics().read("train loss")[0].tolist() == list(range(1, recorded.trainer.step + 1))
    assert folder.status().step == recorded.trainer.step


def test_a_disk_that_fills_up_again_is_reported_again(folder, recording, disk, notices):
    ring = Ring()
    recorder = recording(ring)
    number = ring.number("loss")
    for step in (1, 2):
        disk.full.set()
        ring.write(step, [number], [1.0])
        until(lambda: recorder.problem is not None)
        disk.full.clear()
        until(lambda: recorder.problem is None)
    recorder.close()
    assert len(notices) == 2
    assert folder.metrics().read("loss")[0].tolist() == [1, 2]


def test_checkpoints_that_fail_for_one_reason_are_reported_once_and_again_after_a_success(
    folder, recording, notices, monkeypatch
):
    recorder, save, full = recording(), recorders.save_checkpoint, threading.Event()

    def refusing(place, **what):
        if full.is_set():
            raise LabError(f"cannot write {place.name}: No space left on device", field="folder")
        save(place, **what)

    monkeypatch.setattr(recorders, "save_checkpoint", refusing)
    for steps in ((50, 100, 150), (250, 300)):
        full.set()
        for step in steps:
            recorder.checkpoint(CheckpointData(step, "interval", {}, {}, {"step": step}))
            until(
                lambda step=step: (
                    recorder.checkpoint_problem is not None and f"write {step}:" in recorder.checkpoint_problem.what
                )
            )
        full.clear()
        recorder.checkpoint(CheckpointData(steps[-1] + 50, "interval", {}, {}, {"step": steps[-1] + 50}))
        until(lambda: recorder.checkpoint_problem is None)
    recorder.close()
    assert [notice.problem.what.split(":")[0] for notice in notices] == ["cannot write 50", "cannot write 250"]


def test_a_disk_that_is_still_full_at_the_end_is_reported_and_nothing_waits(folder, recording, disk, monkeypatch):
    monkeypatch.setattr(recorders, "INTERVAL", 300)
    ring = Ring()
    recorder = recording(ring)
    disk.full.set()
    ring.write(1, [ring.number("loss")], [1.0])
    recorder.close()
    assert recorder.problem == FULL


def test_a_disk_that_sqlite_finds_full_is_waited_for(folder, recording, notices):
    ring = Ring()
    recorder = recording(ring)
    number = ring.number("loss")
    ring.write(0, [number], [0.0])
    until(lambda: len(folder.metrics().series()) == 1 if (folder.path / "metrics.sqlite").is_file() else False)
    until(lambda: folder.status().step == 0)
    limit(recorder, 1)
    for step in range(1, 3000):
        ring.write(step, [number], [step / 7])
    until(lambda: recorder.problem is not None)
    assert "metrics.sqlite" in recorder.problem.what
    limit(recorder, 100_000)
    until(lambda: recorder.problem is None)
    recorder.close()
    assert folder.metrics().read("loss")[0].tolist() == list(range(3000))


def limit(recorder, pages):
    """Limit the further pages of SQLite's file."""
    db = recorder._writer._db
    (now,) = db.execute("PRAGMA page_count").fetchone()
    db.execute(f"PRAGMA max_page_count={now + pages}")


def test_a_metrics_file_that_cannot_be_made_holds_up_no_training(experiment, training, folder, recording, monkeypatch):
    class Refused:
        def __init__(self, path):
            raise LabError(FULL)

    monkeypatch.setattr(recorders, "MetricWriter", Refused)
    ring = Ring(32)
    recorder = recording(ring)
    recorded = training(experiment("transformer", steps=20), ring=ring, log=recorder)
    recorded.trainer.run()
    assert recorded.trainer.state == "finished"
    assert recorder.problem == FULL
    monkeypatch.setattr(recorders, "MetricWriter", MetricWriter)
    until(lambda: recorder.problem is None)
    recorder.close()
    assert folder.metrics().read("train loss")[0].tolist() == list(range(1, 21))


def test_events_that_cannot_be_written_keep_their_order_and_come_later(folder, recording, monkeypatch):
    append, full = RunFolder.append_event, threading.Event()

    def refusing(self, event):
        if full.is_set():
            raise LabError(FULL)
        append(self, event)

    monkeypatch.setattr(RunFolder, "append_event", refusing)
    recorder = recording()
    full.set()
    for step in range(5):
        recorder.event("pause", step)
    until(lambda: recorder.problem is not None)
    full.clear()
    recorder.close()
    assert [event["step"] for event in folder.events() if event["event"] == "pause"] == list(range(5))


def test_unwritable_readings_are_reported_and_do_not_block_later_records(folder, recording, notices):
    recorder = recording()
    recorder.readings(1, [Reading("words", ("token",), np.array(["no", "number"]))])
    recorder.event("pause", 2)
    recorder.close()
    assert [event["event"] for event in folder.events()] == ["pause"]
    assert [notice.level for notice in notices] == ["warning"]
    assert "words" in notices[0].problem.what


def test_a_second_value_of_a_series_at_one_step_holds_up_nothing_behind_it(folder, recording):
    ring = Ring()
    recorder = recording(ring)
    number = ring.number("loss")
    for step, value in ((1, 1.0), (2, 2.0), (2, 3.0), (1, 4.0), (3, 5.0)):
        ring.write(step, [number], [value])
    recorder.close()
    assert recorder.problem is None
    assert [values.tolist() for values in folder.metrics().read("loss")] == [[1, 2, 3], [1.0, 2.0, 5.0]]


def test_closing_writes_what_is_left_and_ends_the_thread(folder, recording):
    ring = Ring()
    recorder = recording(ring)
    ring.write(1, [ring.number("loss")], [1.0])
    recorder.event("stop", 1)
    recorder.close()
    assert not recorder._thread.is_alive()
    assert folder.metrics().read("loss")[1].tolist() == [1.0]
    assert [event["event"] for event in folder.events()] == ["stop"]
    assert not ring._blocking


def test_a_run_in_which_nothing_happened_is_closed_too(folder, recording):
    recorder = recording()
    recorder.close()
    assert recorder.problem is None
    assert folder.events() == []
