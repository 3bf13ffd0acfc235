"""Runs as tables, read back by the csv module and by pyarrow."""

import csv
import json
import math
import struct
import subprocess
import sys
import textwrap
import tracemalloc

import numpy as np
import pyarrow.parquet as parquet
import pytest

from lab.base.problems import LabError
from lab.interop import tables
from lab.interop.tables import RunTable, write_csv, write_parquet
from lab.runs import MetricWriter

SPECIAL = [0.1, 1 / 3, -0.0, 5e-324, 1.7976931348623157e308, math.inf, -math.inf, 12345678901234567.0]
STEPS = list(range(1, len(SPECIAL) + 1))
SERIES = {
    "train loss": ("nats", STEPS, SPECIAL),
    "tokens": ("tokens", STEPS, [256.0 * step for step in STEPS]),
    "seconds": ("s", STEPS, [0.25 * step for step in STEPS]),
    "validation loss": ("nats", [0, 4], [4.5, math.nan]),
}
FACTS = {"cost": {"flops_per_token": 1000.5}}


def nothing(share):
    """Nobody asks how far it is."""


def read_csv(file):
    with file.open(encoding="utf-8", newline="") as lines:
        head, *rows = csv.reader(lines)
    return {name: [row[place] for row in rows] for place, name in enumerate(head)}


def bits(values):
    return [struct.pack("<d", value) for value in values]


@pytest.fixture
def csv_of(tmp_path):
    def csv_of(run):
        write_csv(run, tmp_path / "table.csv", nothing)
        return read_csv(tmp_path / "table.csv")

    return csv_of


@pytest.fixture
def parquet_of(tmp_path):
    def parquet_of(run):
        write_parquet(run, tmp_path / "table.parquet", nothing)
        return parquet.read_table(tmp_path / "table.parquet")

    return parquet_of


def test_a_row_is_a_step_and_the_clocks_come_before_the_series(recorded, csv_of):
    columns = csv_of(recorded(SERIES, FACTS))
    assert list(columns) == ["step", "tokens", "seconds", "FLOPs", "train loss", "validation loss"]
    assert columns["step"] == [str(step) for step in range(len(SPECIAL) + 1)]


def test_every_number_is_the_recorded_one_to_the_last_bit(recorded, csv_of, parquet_of):
    run = recorded(SERIES, FACTS)
    assert bits(map(float, csv_of(run)["train loss"][1:])) == bits(SPECIAL)
    assert bits(parquet_of(run)["train loss"].to_pylist()[1:]) == bits(SPECIAL)


def test_a_nan_is_a_value_and_a_step_without_a_value_is_empty(recorded, csv_of, parquet_of):
    run = recorded(SERIES, FACTS)
    assert csv_of(run)["validation loss"] == ["4.5", "", "", "", "nan", "", "", "", ""]
    column = parquet_of(run)["validation loss"]
    assert column.null_count == 7
    assert math.isnan(column[4].as_py())


def test_tokens_are_whole_numbers_and_flops_are_tokens_times_what_one_takes(recorded, csv_of, parquet_of):
    run = recorded(SERIES, FACTS)
    columns = csv_of(run)
    assert columns["tokens"][:3] == ["0", "256", "512"]
    assert columns["FLOPs"][:3] == ["0.0", repr(256 * 1000.5), repr(512 * 1000.5)]
    assert str(parquet_of(run).schema.field("tokens").type) == "int64"


def test_before_the_first_step_the_clocks_are_zero(recorded, csv_of):
    columns = csv_of(recorded(SERIES, FACTS))
    assert (columns["tokens"][0], columns["seconds"][0], columns["train loss"][0]) == ("0", "0.0", "")


def test_flops_that_nobody_knows_are_empty(recorded, csv_of, parquet_of):
    run = recorded(SERIES)
    assert set(csv_of(run)["FLOPs"]) == {""}
    assert parquet_of(run)["FLOPs"].null_count == len(SPECIAL) + 1


def test_the_recorded_flops_of_a_run_are_used(recorded, csv_of):
    columns = csv_of(recorded({**SERIES, "FLOPs": ("FLOPs", [1, 2], [7.0, 9.0])}, FACTS))
    assert columns["FLOPs"][:4] == ["", "7.0", "9.0", ""]
    assert list(columns).count("FLOPs") == 1


def test_a_series_called_step_keeps_a_column_of_its_own(recorded, csv_of):
    columns = csv_of(recorded({"step": ("", [3, 5], [0.5, 0.25])}))
    assert columns["step"] == ["3", "5"]
    assert columns["step (series)"] == ["0.5", "0.25"]


def test_names_with_commas_quotes_and_other_letters_come_back(recorded, csv_of):
    name = 'Verlust "β", λ\n损失'
    assert csv_of(recorded({name: ("", [1], [2.0])}))[name] == ["2.0"]


def test_parquet_has_the_units_and_the_name_of_the_run(recorded, parquet_of):
    run = recorded(SERIES, FACTS)
    schema = parquet_of(run).schema
    units = {field.name: field.metadata[b"unit"].decode() for field in schema}
    assert units["train loss"] == "nats"
    assert units["seconds"] == "s"
    assert units["FLOPs"] == "FLOPs"
    about = json.loads(schema.metadata[b"lm-lab"])
    assert about == {"name": "a run", "id": run.id, "units": units}


def test_a_table_that_is_written_in_many_parts_is_the_same(recorded, csv_of, parquet_of, monkeypatch):
    run = recorded(SERIES, FACTS)
    whole_csv, whole_parquet = csv_of(run), parquet_of(run)
    monkeypatch.setattr(tables, "ROWS", 2)
    assert csv_of(run) == whole_csv
    assert str(parquet_of(run).to_pydict()) == str(whole_parquet.to_pydict())  # as text, for NaN is not NaN


def test_a_run_that_has_recorded_nothing_yet_makes_a_table_without_rows(recorded, csv_of, parquet_of):
    run = recorded()
    assert csv_of(run) == {"step": [], "tokens": [], "seconds": [], "FLOPs": []}
    assert parquet_of(run).num_rows == 0


def test_what_is_recorded_while_a_table_is_written_stays_out_of_it(recorded):
    run = recorded(SERIES, FACTS)
    table = RunTable(run)
    with MetricWriter(run.metrics_file) as writer:  # at a step between others, and at one behind them
        writer.append([(6, "validation loss", 1.0), (99, "train loss", 1.0), (7, "new", 1.0)])
    (part,) = table.chunks()
    assert part["step"].values.tolist() == list(range(len(SPECIAL) + 1))
    assert "new" not in part
    assert part["validation loss"].values[6] == 1.0  # a value of a step that is in the table


def test_without_metrics_there_is_no_table_and_the_missing_file_is_named(recorded, tmp_path):
    run = recorded(SERIES)
    run.metrics_file.unlink()
    with pytest.raises(LabError, match=r"metrics\.sqlite cannot be read: it is missing"):
        write_csv(run, tmp_path / "table.csv", nothing)


def test_progress_is_reported_up_to_one(recorded, tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "ROWS", 4)
    reported = []
    write_csv(recorded(SERIES), tmp_path / "table.csv", reported.append)
    assert reported == [4 / 9, 8 / 9, 1.0]


def long_series(count, steps):
    generator = np.random.default_rng(0)
    return {f"series {number}": ("", range(steps), generator.standard_normal(steps)) for number in range(count)}


def test_no_more_of_a_table_is_in_memory_than_a_part_of_its_rows(recorded, tmp_path, monkeypatch):
    run = recorded(long_series(6, 4_000))
    monkeypatch.setattr(tables, "ROWS", 500)
    write_csv(recorded(SERIES, name="first"), tmp_path / "first.csv", nothing)  # what is imported on the way
    tracemalloc.start()
    write_csv(run, tmp_path / "table.csv", nothing)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 2**20  # the whole table as lists of numbers takes two


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux how much memory a process had")
@pytest.mark.parametrize("form", ["csv", "parquet", "tensorboard", "html"])
def test_a_million_steps_of_twenty_series_are_exported_in_400_megabytes(recorded, tmp_path, form):
    run = recorded(long_series(20, 1_000_000))
    script = r"""
        import re, sys
        from pathlib import Path
        from lab.interop.exports import export_run
        from lab.runs import RunFolder
        export_run(RunFolder.open(Path(sys.argv[1])), Path(sys.argv[2]))
        most = re.search(r"VmHWM:\s*(\d+) kB", Path("/proc/self/status").read_text())
        print(int(most[1]) // 1024)
    """
    arguments = [sys.executable, "-c", textwrap.dedent(script), str(run.path), str(tmp_path / f"out.{form}")]
    megabytes = int(subprocess.run(arguments, capture_output=True, text=True, check=True).stdout)
    assert megabytes < 400
