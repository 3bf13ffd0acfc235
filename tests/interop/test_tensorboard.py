"""Event files, read back by TensorBoard itself, which checks every checksum."""

import math
import platform
from datetime import datetime

import numpy as np
import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.backend.event_processing.event_file_loader import EventFileLoader

from lab.base.problems import LabError
from lab.interop import tensorboard
from lab.interop.tensorboard import write_events

EVERY_LENGTH = [0, 1, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152, 2**40]
"""Steps at which the bytes of a number in a protocol buffer become more."""


def nothing(share):
    """Nobody asks how far it is."""


@pytest.fixture
def read(tmp_path):
    """Export a run and let TensorBoard read it."""

    def read(run):
        folder = tmp_path / f"{run.name}.tensorboard"
        write_events(run, folder, nothing)
        events = EventAccumulator(str(folder), {"scalars": 0, "tensors": 0})
        events.Reload()
        return events

    return read


def test_every_series_is_a_scalar_with_its_steps_and_values(recorded, read):
    generator = np.random.default_rng(0)
    losses, rates = generator.standard_normal(300), generator.random(3)
    events = read(recorded({"train loss": ("nats", range(1, 301), losses), "rate/β": ("", [10, 20, 30], rates)}))
    assert events.Tags()["scalars"] == ["train loss", "rate/β"]
    points = events.Scalars("train loss")
    assert [point.step for point in points] == list(range(1, 301))
    assert [point.value for point in points] == losses.astype(np.float32).tolist()
    assert [point.value for point in events.Scalars("rate/β")] == rates.astype(np.float32).tolist()


def test_steps_of_every_length_in_bytes_come_back(recorded, read):
    events = read(recorded({"loss": ("", EVERY_LENGTH, range(len(EVERY_LENGTH)))}))
    assert [(point.step, point.value) for point in events.Scalars("loss")] == list(
        zip(EVERY_LENGTH, map(float, range(len(EVERY_LENGTH))), strict=True)
    )


def test_what_is_no_finite_number_comes_back_and_what_float32_cannot_hold_is_infinite(recorded, read):
    points = read(recorded({"loss": ("", range(5), [math.nan, math.inf, -math.inf, 1e300, -0.0])})).Scalars("loss")
    nan, *rest = [point.value for point in points]
    assert math.isnan(nan)
    assert rest == [math.inf, -math.inf, math.inf, 0.0]
    assert math.copysign(1, rest[-1]) == -1


def test_the_time_of_a_point_is_the_beginning_of_the_run_and_the_seconds_of_training_until_then(recorded, read):
    series = {"seconds": ("s", [10, 20], [5.0, 8.0]), "loss": ("", [0, 5, 10, 15, 20], [0.0] * 5)}
    run = recorded(series)
    begin = datetime.fromisoformat(run.created).timestamp()
    times = [point.wall_time - begin for point in read(run).Scalars("loss")]
    assert times == pytest.approx([0, 2.5, 5, 6.5, 8], abs=1e-6)


def test_units_are_in_the_descriptions(recorded, read):
    events = read(recorded({"loss": ("nats", [1, 2], [1.0, 2.0]), "norm": ("", [1], [1.0])}))
    assert events.SummaryMetadata("loss").summary_description == "nats"
    assert events.SummaryMetadata("norm").summary_description == ""


def test_samples_are_texts_that_markdown_shows_as_they_are(recorded, read):
    run = recorded({"loss": ("", [1], [1.0])})
    run.append_sample({"step": 200, "text": "# no title\n\n<b>日本</b> * x"})
    (sample,) = read(run).Tensors("sample")
    (text,) = sample.tensor_proto.string_val
    assert sample.step == 200
    assert sample.wall_time == run.samples()[0]["time"]
    assert text.decode() == "    # no title\n    \n    <b>日本</b> * x"


def test_tensorboard_takes_scalars_and_texts_for_its_own(recorded, tmp_path):
    run = recorded({"loss": ("nats", [1, 2], [0.5, 0.25])})
    run.append_sample({"step": 2, "text": "It was"})
    write_events(run, tmp_path / "out", nothing)
    (file,) = (tmp_path / "out").iterdir()
    version, *events = EventFileLoader(str(file)).Load()
    assert version.file_version == "brain.Event:2"
    plugins = [value.metadata.plugin_data.plugin_name for event in events for value in event.summary.value]
    assert plugins == ["scalars", "scalars", "text"]


def test_the_file_names_no_machine(recorded, tmp_path):
    write_events(recorded({"loss": ("", [1], [1.0])}), tmp_path / "out", nothing)
    (file,) = (tmp_path / "out").iterdir()
    assert file.name.startswith("events.out.tfevents.")
    assert platform.node() not in file.name


def test_a_series_that_is_written_in_many_parts_is_the_same(recorded, tmp_path, monkeypatch):
    run = recorded({"loss": ("nats", range(1, 400, 3), np.arange(133.0))})
    write_events(run, tmp_path / "whole", nothing)
    monkeypatch.setattr(tensorboard, "AT_ONCE", 10)
    write_events(run, tmp_path / "parts", nothing)
    whole, parts = (next((tmp_path / name).iterdir()).read_bytes() for name in ("whole", "parts"))
    assert parts == whole


def test_a_run_that_has_recorded_nothing_yet_makes_a_file_without_points(recorded, read):
    assert read(recorded()).Tags()["scalars"] == []


def test_without_metrics_the_samples_are_there_and_a_notice_names_the_missing_file(recorded, read, reported):
    run = recorded({"loss": ("", [1], [1.0])})
    run.append_sample({"step": 1, "text": "It was"})
    run.metrics_file.unlink()
    assert read(run).Tags()["tensors"] == ["sample"]
    assert [problem.what for problem in reported] == ["metrics.sqlite cannot be read: it is missing"]


def test_with_neither_metrics_nor_samples_there_is_nothing_to_write(recorded, tmp_path):
    run = recorded({"loss": ("", [1], [1.0])})
    run.metrics_file.unlink()
    (run.path / "samples.jsonl").write_text("no JSON\n")
    with pytest.raises(LabError, match=r"metrics\.sqlite cannot be read"):
        write_events(run, tmp_path / "out", nothing)


def test_samples_that_are_no_samples_are_passed_over(recorded, read):
    run = recorded({"loss": ("", [1], [1.0])})
    for damaged in ({"step": "one", "text": "a"}, {"step": 1}, {"step": 2, "text": "b", "time": "now"}):
        run.append_sample(damaged)
    run.append_sample({"step": 3, "text": "whole"})
    assert [sample.step for sample in read(run).Tensors("sample")] == [3]
