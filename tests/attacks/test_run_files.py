"""What stands in the files of a run from elsewhere is read, told as missing or refused, and hides no other run."""

import contextlib
import functools
import io
import json
import os
import random
import shutil
import sqlite3
import struct
import sys
from pathlib import Path

import pytest
from attacking import NUMBERS, attacks_on_numbers, bounded_memory, refusal

from lab.base.files.reading import CONTAINERS, DEEPEST, parse_json, read_bytes
from lab.base.folders import runs_folder, settings_file
from lab.base.notices import listen
from lab.base.settings import read_settings
from lab.cli.run_page import print_page, run_page
from lab.host import Plugins
from lab.recipes import Recipe
from lab.recipes.assignments import parse_assignment, parse_value
from lab.runs import MetricWriter, RunFolder, list_runs, read_readings, reading_steps
from lab.runs.bundle import export_bundle, import_bundle
from lab.runs.commands import CommandReader, append_command
from lab.runs.library.bin import delete_run
from lab.runs.library.columns import Row, column_names
from lab.runs.library.queries import table
from lab.text.tokenizers.pretrained import tokenizer_of
from lab.training.recording.checkpoints import load_facts
from lab.workbench.access.saved import SavedRun
from lab.workbench.analysis.verify import stored_verification
from lab.workbench.runners.follower import LogPosition

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="pipes and devices are not files there")
SEED = 7
SAMPLE = 12
"""Attacks on numbers that the short form tries."""


@pytest.fixture(scope="module")
def plugins():
    return Plugins()


def asked_everything(path, plugins):
    """Ask a run all that opening, listing and showing it ask. Return the problems."""
    problems = [refusal(lambda: RunFolder.open(path))]
    if problems[0] is None:
        run = RunFolder.open(path)
        row = Row(run)

        def show():
            with contextlib.redirect_stdout(io.StringIO()):
                print_page(run_page(run, [run]))

        def listed():
            return table([row], [name for name in column_names([row]) if name != "difference"])

        queries = [run.status, run.events, run.samples, run.checkpoints, lambda: stored_verification(run)]
        queries += [functools.partial(load_facts, run.checkpoint_folder(step)) for step in run.checkpoint_steps()]
        queries += [functools.partial(read_readings, path, step) for step in reading_steps(path)]
        queries += [lambda: SavedRun(run, plugins), show, listed]
        queries += [lambda: [run.metrics().read(name) for name in run.metrics().series()]]
        problems += map(refusal, queries)
    return [problem for problem in problems if problem is not None]


def try_numbers(target, plugins, tally, sample=None):
    """Try attacks on the numbers of a run. Return how many there were, and how many were refused somewhere."""
    good = Path(shutil.copytree(target, runs_folder() / "good"))
    bad = Path(shutil.copytree(target, runs_folder() / "bad"))
    attacks = attacks_on_numbers(bad)
    tried = attacks if sample is None else random.Random(SEED).sample(attacks, sample)
    tally.seeds("all of them" if sample is None else f"seed {SEED}")
    refused = 0
    with bounded_memory():
        for what, file, make in tried:
            before = file.read_bytes()
            file.write_bytes(make())
            tally.begin(what.rpartition(" is ")[2])
            try:
                problems = asked_everything(bad, plugins)
                runs, unreadable = list_runs()
            except Exception as error:
                error.add_note(what)
                raise
            assert good in [run.path for run in runs], what
            assert len(runs) + len(unreadable) == 2, what
            assert all(problem.remedy or problem.allowed for problem in problems), what
            refused += bool(problems)
            file.write_bytes(before)
    tally.end()
    return len(tried), refused


def test_a_number_that_is_none_or_out_of_bounds_is_refused_or_told_as_missing(target, plugins, tally):
    tried, refused = try_numbers(target, plugins, tally, SAMPLE)
    assert tried == SAMPLE
    assert refused >= tried / 4


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_every_number_of_every_file_times_every_value(target, plugins, tally):
    tried, refused = try_numbers(target, plugins, tally)
    assert tried > 1000
    assert refused > tried / 4


@pytest.mark.parametrize("value", [value for what, value in NUMBERS.items() if what not in ("minus one", "true")])
def test_a_loss_that_is_no_number_is_refused_with_its_file_and_field(target, value):
    file = target / "status.json"
    record = json.loads(file.read_text())
    record["summary"]["validation_loss"] = "@@"
    file.write_text(json.dumps(record).replace('"@@"', value))
    problem = refusal(RunFolder.open(target).status)
    assert problem.what.startswith("status.json cannot be read: summary.validation_loss")
    assert str(target) not in problem.line()


@pytest.mark.parametrize("threads", [0, -1, 1025, 1_000_000, 2.5, "8", True])
def test_threads_that_no_recipe_may_name_are_refused(target, threads):
    file = target / "run.json"
    record = json.loads(file.read_text())
    record["placement"]["threads"] = threads
    file.write_text(json.dumps(record))
    assert "run.json cannot be read: placement.threads = " in refusal(lambda: RunFolder.open(target)).what


@pytest.mark.parametrize("value", [value for what, value in NUMBERS.items() if what not in ("a text", "a table")])
@pytest.mark.parametrize("field", ["id", "placement", "vocabulary"])
def test_a_fact_that_the_lab_needs_is_refused_with_its_file_and_field(target, field, value):
    write_with(target / "run.json", field, value)
    assert refusal(lambda: RunFolder.open(target)).what.startswith(f"run.json cannot be read: {field}")


@pytest.mark.parametrize("value", list(NUMBERS.values()))
@pytest.mark.parametrize("field", ["probe_text", "bytes_per_token", "cost", "created", "corpus", "floors", "parent"])
def test_a_fact_that_is_merely_shown_is_missing_where_it_is_not_allowed(target, field, value):
    known = json.loads((target / "run.json").read_text())
    write_with(target / "run.json", field, value)
    facts = dict(RunFolder.open(target).facts)
    found = facts.pop(field, None)
    assert facts == {name: stored for name, stored in known.items() if name != field}
    assert found in (None, {}, {"a": 1}, "many")


def test_one_figure_that_is_not_allowed_leaves_the_figures_beside_it(target):
    text = (target / "run.json").read_text()
    record = {**json.loads(text), "floors": {"unigram": 2.5, "bigram": "@@"}, "git": {"commit": "a", "size": ["@@"]}}
    (target / "run.json").write_text(json.dumps(record).replace('"@@"', "1e999"))
    facts = RunFolder.open(target).facts
    assert (facts["floors"], facts["git"]) == ({"unigram": 2.5}, {"commit": "a"})


@pytest.mark.parametrize("value", ["1e999", "NaN", str(2**63), '"many"', "-1"])
def test_a_figure_of_the_status_that_is_merely_shown_is_missing_and_the_loss_is_read(target, value):
    known = RunFolder.open(target).status().summary
    record = json.loads((target / "status.json").read_text())
    hostile = json.dumps(record["summary"] | {"seconds": "@@", "standard_error": "@@"}).replace('"@@"', value)
    write_with(target / "status.json", "summary", hostile)
    summary = RunFolder.open(target).status().summary
    assert summary == {name: stored for name, stored in known.items() if name not in ("seconds", "standard_error")}
    assert "validation_loss" in summary


@pytest.mark.parametrize("value", ["1e999", "NaN", str(10**400), '"many"'])
def test_a_figure_that_is_merely_shown_hides_no_writer(tmp_path, value):
    run = RunFolder.create(runs_folder() / "mine", "", {})
    write_with(run.path / "status.json", "summary", '{"seconds": ' + value + "}")
    append_command(run, {"do": "pause"})
    assert CommandReader(run.path).take() == [{"do": "pause"}]
    assert LogPosition.of(run.path).writer == run.writer
    assert "is being written by process" in refusal(lambda: delete_run(run)).what
    export_bundle(run, tmp_path / "mine.lmlab")
    theirs = import_bundle(tmp_path / "mine.lmlab", tmp_path)
    assert (theirs.status().state, theirs.writer) == ("interrupted", None)


@pytest.mark.parametrize(
    "line", ['{"time": 1.0, "step": 1e999, "text": "a"}', '{"time": "now", "step": 2, "text": "b"}']
)
def test_a_line_that_is_no_sample_is_passed_over_and_an_event_that_is_none_is_refused(target, line):
    sample = '{"time": 1.0, "step": 3, "text": "whole"}'
    for name in ("samples.jsonl", "events.jsonl"):
        (target / name).write_text(f"{line}\n{sample}\n")
    run = RunFolder.open(target)
    assert [each["step"] for each in run.samples()] == [3]
    assert refusal(run.events).what.startswith("events.jsonl cannot be read: line 1")


def write_with(file, field, value):
    """Write a value, as JSON, into a field of a file."""
    record = {**json.loads(file.read_text()), field: "@@"}
    file.write_text(json.dumps(record).replace('"@@"', value))


def statement(*statements):
    """Return a function that changes a database."""

    def change(path):
        with contextlib.closing(sqlite3.connect(path)) as db:
            db.execute("PRAGMA journal_mode=DELETE")
            for each in statements:
                db.execute(each)
            db.commit()

    return change


GENERATED = "GENERATED ALWAYS AS (hex(zeroblob(40000000)))"
BLOB = "hex(zeroblob(40000000))"


@pytest.mark.parametrize(
    "change",
    [
        statement(
            "DROP TABLE series",
            f"CREATE TABLE series (id INTEGER PRIMARY KEY, name TEXT {GENERATED}, unit TEXT, dtype TEXT)",
            "INSERT INTO series (unit, dtype) VALUES ('', 'float64'), ('', 'float64')",
        ),
        statement(
            "DROP TABLE tail",
            f"CREATE TABLE tail (series INTEGER, step INTEGER, value {GENERATED}, PRIMARY KEY (series, step))"
            " WITHOUT ROWID",
            "INSERT INTO tail (series, step) VALUES (1, 1)",
        ),
        statement(
            "ALTER TABLE tail RENAME TO other", f"CREATE VIEW tail AS SELECT series, step, {BLOB} AS value FROM other"
        ),
        statement(f"CREATE TRIGGER t AFTER INSERT ON tail BEGIN UPDATE series SET name = {BLOB}; END"),
        statement(f"CREATE INDEX slow ON series ({BLOB.replace('40000000', '4')})"),
        statement("CREATE TABLE further (a)"),
    ],
    ids=["generated name", "generated value", "view", "trigger", "index on an expression", "further table"],
)
def test_metrics_of_any_other_schema_than_the_labs_are_refused_unread(target, change):
    change(target / "metrics.sqlite")
    metrics = RunFolder.open(target).metrics()
    queries = (metrics.series, lambda: metrics.read("train loss"), lambda: MetricWriter(target / "metrics.sqlite"))
    with bounded_memory(2**26):
        assert {refusal(query).what for query in queries} == {"metrics.sqlite does not hold the metrics of a run"}


@pytest.mark.parametrize(
    "change",
    [
        statement("UPDATE series SET name = printf('%.*c', 2000, 'n') || id"),
        statement("INSERT INTO series (name, unit, dtype) VALUES (x'ff', '', 'float64')"),
        statement(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10001)"
            " INSERT INTO series (name, unit, dtype) SELECT i, '', 'float64' FROM n"
        ),
        statement(
            "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)"
            " INSERT INTO block SELECT 1, 1, i, i, 0, 0, 0, 0, NULL, x'0000000000000000' FROM n"
        ),
        statement("UPDATE tail SET step = -step"),
        statement("DELETE FROM block", "INSERT INTO block VALUES (1, 1e300, 1, 2, 0, 0, 0, 0, NULL, x'00')"),
    ],
    ids=["long names", "names of bytes", "many series", "many blocks", "negative steps", "endless count"],
)
def test_metrics_beyond_what_a_run_writes_are_refused(target, change):
    change(target / "metrics.sqlite")
    problem = refusal(RunFolder.open(target).metrics().series)
    assert problem.what.startswith("metrics.sqlite cannot be read: ")
    assert problem.remedy


@pytest.mark.parametrize("shape", [[0, 2**60], [2**60, 0], [2**14, 2**14]], ids=["empty", "empty too", "a gigabyte"])
def test_readings_with_more_values_or_a_longer_axis_than_any_are_refused(target, shape):
    size = 4 * shape[0] * shape[1]
    about = {"format": 1, "readings": [{"name": "attention", "axes": ["query", "key"], "layer": 0, "path": ""}]}
    header = {
        "__metadata__": {"lab": json.dumps(about)},
        "0": {"dtype": "F32", "shape": shape, "data_offsets": [0, size]},
    }
    text = json.dumps(header).encode()
    with (target / "readings" / "9.safetensors").open("wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        file.truncate(8 + len(text) + size)  # a hole, which takes no room
    with bounded_memory(2**31):
        assert "9.safetensors cannot be read: it holds " in refusal(lambda: read_readings(target, 9)).what


# --------------------------------------------------------------------------------------------------------------- JSON


@pytest.mark.parametrize("value", ["1" + "0" * 308, "1" + "0" * 400, "9" * 5000, "1e999", "-1e999", "NaN", "Infinity"])
def test_a_number_that_is_too_large_is_refused_with_its_field(value):
    with pytest.raises(ValueError, match=r"^a\.b\.1 is not a number that the lab computes with$"):
        parse_json(f'{{"a": {{"b": [1, {value}]}}}}')


def test_the_largest_integer_is_that_of_64_bits():
    assert parse_json(f"[{2**63 - 1}, {-(2**63 - 1)}, 1e308]") == [2**63 - 1, -(2**63 - 1), 1e308]
    with pytest.raises(ValueError, match="0 is not a number"):
        parse_json(f"[{2**63}]")
    assert parse_json(f"[{2**63}]", largest=1e300) == [2**63]


@pytest.mark.parametrize("levels", [DEEPEST + 1, 900, 100_000])
@pytest.mark.parametrize("level", ["[", '{"a":'])
def test_json_that_is_nested_too_deeply_is_refused(level, levels):
    closing = "]" if level == "[" else "}"
    with pytest.raises(ValueError, match="nested too deeply"):
        parse_json(level * levels + "1" + closing * levels)
    assert parse_json(level * (DEEPEST - 1) + "1" + closing * (DEEPEST - 1))


def test_more_lists_than_fit_into_memory_are_refused_before_they_are_made():
    text = "[" + "[]," * CONTAINERS + "[]]"
    with bounded_memory(2**26), pytest.raises(ValueError, match="lists and tables"):
        parse_json(text)


# --------------------------------------------------------------------------------------------------------------- paths


def odd_paths(folder):
    """Return paths that are no regular file, or no path at all."""
    pipe, link, loop = folder / "pipe", folder / "link", folder / "loop"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    loop.symlink_to(loop)
    names = ("n" * 256, "/".join(["n" * 100] * 60), "\udc80\ud800", "a\0b")
    return [pipe, link, Path("/dev/zero"), folder, loop, *(folder / name for name in names)]


@POSIX
@pytest.mark.parametrize(
    "read",
    [Recipe.load, import_bundle, tokenizer_of, RunFolder.open],
    ids=["recipe", "bundle", "tokenizer", "run"],
)
def test_a_path_to_anything_but_a_file_is_refused_at_once(tmp_path, read):
    with bounded_memory():
        for path in odd_paths(tmp_path):
            problem = refusal(functools.partial(read, path))
            assert problem.what
            assert problem.remedy or problem.allowed or "no such" in problem.what


@POSIX
def test_the_reader_of_all_files_reads_nothing_but_regular_ones(tmp_path):
    with bounded_memory():
        for path in odd_paths(tmp_path):
            with pytest.raises((OSError, ValueError)):
                read_bytes(path)
    (tmp_path / "file").write_bytes(b"12345")
    assert read_bytes(tmp_path / "file", 5) == b"12345"
    with pytest.raises(ValueError, match="larger than"):
        read_bytes(tmp_path / "file", 4)


@POSIX
@pytest.mark.parametrize("name", ["run.json", "recipe.toml", "status.json", "events.jsonl"])
def test_a_pipe_or_device_in_a_run_keeps_nobody_waiting(target, plugins, name):
    file = next(target.rglob(name))
    for make in (os.mkfifo, lambda path: path.symlink_to("/dev/zero")):
        file.unlink()
        make(file)
        with bounded_memory():
            asked_everything(target, plugins)


@POSIX
def test_a_pipe_in_a_checkpoint_keeps_nobody_waiting(target):
    file = next(target.rglob("state.json"))
    file.unlink()
    os.mkfifo(file)
    assert "it is not a regular file" in refusal(lambda: load_facts(file.parent)).what
    assert file.parent.name not in [str(each.step) for each in RunFolder.open(target).checkpoints()]


@POSIX
@pytest.mark.parametrize(
    "make",
    [
        os.mkfifo,
        lambda path: path.symlink_to("/dev/zero"),
        lambda path: path.write_text("[" * 200_000),
        lambda path: path.write_text('{"version": 1, "speed": {"cpu": 1' + "0" * 400 + "}}"),
        lambda path: path.write_text('{"version": 1, "a": ' + "9" * 5000 + "}"),
    ],
    ids=["pipe", "device", "deep", "ten to the 400", "many digits"],
)
def test_settings_that_cannot_be_read_are_moved_away_and_the_lab_starts(make):
    settings_file().parent.mkdir(parents=True, exist_ok=True)
    make(settings_file())
    reported = []
    silence = listen(reported.append)
    try:
        assert read_settings() == {}
    finally:
        silence()
    assert [notice.problem.field for notice in reported] == ["settings.json"]
    assert str(settings_file().parent) not in reported[0].problem.line()
    assert not settings_file().exists()


# -------------------------------------------------------------------------------------------------------- command line


def test_an_assignment_to_a_path_of_thousands_of_parts_is_refused():
    problem = refusal(lambda: parse_assignment(".".join("a" * 5000) + "=1"))
    assert problem.field == "--set"
    assert "64 parts" in problem.allowed
    assert len(problem.line()) < 400


def test_a_number_of_thousands_of_digits_is_refused_by_the_setting_it_is_given_to():
    assert parse_value("1" * 5000) == "1" * 5000
    problem = refusal(lambda: Recipe().with_assignments("training.steps=" + "1" * 5000))
    assert problem.field == "training.steps"
    assert len(problem.line()) < 600
