"""Each benchmark runs, compares pair by pair, and gives plain figures. How fast things are is not tested here."""

import gc
import importlib.util
import json
import math
import mmap
import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

import lab
import lab_ngram
from lab.base.folders import resources
from lab.bench import memory, runs, training
from lab.bench.models import counting, gradients, ngram, sources
from lab.bench.pairs import compare
from lab.bench.window import start
from lab.cli import main as command_line


@pytest.fixture
def short(monkeypatch):
    """Two steps at a time, of small models."""
    endless = training.endless
    sizes = ("architecture.width=16", "training.context_length=16", "training.batch_size=4", "training.threads=1")
    monkeypatch.setattr(training, "endless", lambda *given: endless(*given).with_assignments(*sizes))
    monkeypatch.setattr(training, "STEPS", 2)


def test_a_comparison_takes_both_sides_in_turn_and_the_median_of_the_ratios():
    order = []
    rates = iter([2.0, 9.0, 4.0])

    def ours():
        order.append("ours")
        return next(rates)

    def theirs():
        order.append("theirs")
        return 1.0

    result = compare(ours, theirs, 3)
    assert result["ratio"] == 4.0
    assert result["spread"] == [2.0, 9.0]
    assert order == ["ours", "theirs", "theirs", "ours", "ours", "theirs"]


@pytest.mark.parametrize("recurrent", [("gru",), pytest.param(training.RECURRENT, marks=pytest.mark.long)])
def test_throughput_compares_the_recorded_training_with_a_bare_loop_and_is_printed_as_json(
    short, capsys, monkeypatch, recurrent
):
    monkeypatch.setattr(training, "RECURRENT", recurrent)
    assert command_line.main(["bench", "throughput", "--pairs", "1", "--json"]) == 0
    result = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert result["throughput_ratio"] > 0
    assert result["throughput_ratio"] == pytest.approx(result["ours"] / result["theirs"])
    rows = {row["model"]: row for row in result["rows"]}
    assert list(rows) == ["transformer", *recurrent]
    assert rows["transformer"]["ratio"] == result["throughput_ratio"]
    assert all(row["ratio"] == pytest.approx(row["ours"] / row["theirs"]) for row in rows.values())


def test_generation_counts_the_tokens_generated_during_training(short):
    result = training.generation(1)
    assert result["training_ratio"] > 0
    assert result["generated_tokens_per_second"] >= 0


def test_scoring_takes_far_less_memory_than_logits_would():
    result = counting.scoring(1, tokens=20_000)
    assert result["score_peak_growth_mib"] < result["logits_would_take_mib"] / 10
    assert math.isfinite(result["nats_per_token"])


def test_n_grams_are_counted_and_scored_on_two_sizes_of_a_made_text():
    result = ngram.ngram((20_000, 40_000))
    assert result["tokens_counted_per_second_of_20000"] > 0
    assert result["tokens_scored_per_second_of_40000"] > 0
    assert result["nats_per_token_of_40000"] < result["nats_per_token_of_20000"] < math.log(result["vocabulary"])
    assert math.isfinite(result["growth_exponent"])


def test_memory_is_measured_after_the_first_runs_and_at_the_end_and_the_home_is_unchanged(lab_home, monkeypatch):
    gc.freeze()  # a collection leaves out what earlier tests have made
    monkeypatch.setattr(memory, "FIRST", 1)
    reported = []
    result = memory.memory(2, reported.append)
    assert sorted(result["mib"], key=int) == ["1", "2"]
    assert result["ratio"] == pytest.approx(result["mib_at_the_end"] / result["mib_after_ten"])
    assert len(reported) == 2
    assert not (lab_home / "runs").exists()


@pytest.fixture
def two_sources(monkeypatch):
    """One source of text and one of examples, so small that both are done at once."""
    smaller = {
        "source-markov": ("corpus.length=20000",),
        "source-copy": ("corpus.length=2", "training.context_length=5", "training.steps=2", "training.batch_size=2"),
    }
    shipped = sources.shipped
    monkeypatch.setattr(sources, "shipped_names", lambda: ["quick-start", *smaller])
    monkeypatch.setattr(sources, "shipped", lambda name: shipped(name).with_assignments(*smaller[name]))


def test_sources_are_trained_and_compared_with_their_entropy_and_the_home_is_unchanged(two_sources, lab_home):
    reported = []
    result = sources.sources(reported.append)
    markov, copied = result["markov"], result["copy"]
    assert (markov["architecture"], markov["order"], markov["unit"]) == ("n-gram", 3, "character")
    assert markov["difference"] == markov["loss"] - markov["entropy"]
    assert abs(markov["difference"]) < 6 * markov["standard_error"] + 0.05
    assert (copied["unit"], copied["entropy"], copied["steps"]) == ("scored token", 0, 2)
    assert 0 <= copied["accuracy"] <= 1
    assert (result["sources"], result["furthest"]) == (2, "copy")  # two steps teach nothing
    assert result["largest_difference"] == copied["difference"] > sources.WITHIN
    assert len(reported) == 2
    assert not (lab_home / "runs").exists()


@pytest.fixture
def small(short, monkeypatch):
    monkeypatch.setattr(runs, "STEPS", 5000)
    monkeypatch.setattr(runs, "LAYERS", 2)


def test_recording_is_compared_with_the_same_training_unrecorded(short):
    result = runs.recording(1)
    assert result["spread"] == pytest.approx([result["recording_share"]] * 2)
    assert result["step_ms"] > 0
    assert result["writer_share"] is None or result["writer_share"] >= 0


def test_without_qt_a_run_is_opened_and_it_is_said_why_no_chart_is_zoomed(small, tmp_path, monkeypatch, capsys):
    assert runs.make_run(tmp_path / "run") > 5000 * 7 * 8
    monkeypatch.setattr(runs, "find_spec", lambda module: None)
    runs.open_run(str(tmp_path))
    result = json.loads(capsys.readouterr().out)
    assert result["no_frames"] == "without PySide6"
    assert result["open_seconds"] > 0
    assert result["open_peak_mib"] >= 0


def test_a_run_is_opened_in_a_process_of_its_own_and_its_last_line_is_read(small, monkeypatch):
    commands = []

    def opened(command, **options):
        commands.append(command)
        return SimpleNamespace(stdout='a warning of Qt\n{"open_seconds": 2.5}\n')

    monkeypatch.setattr(runs.subprocess, "run", opened)
    monkeypatch.setattr(runs, "recording", lambda pairs: {"pairs": pairs})
    result = runs.runs(3)
    assert (result["open_seconds"], result["pairs"]) == (2.5, 3)
    assert 8 < result["bytes_per_point"] < 20
    ((python, option, code),) = commands
    assert (python, option) == (sys.executable, "-c")
    assert "open_run" in code


@pytest.mark.long
def test_a_run_is_opened_in_a_window_of_its_own_and_its_charts_are_zoomed(small, monkeypatch):
    pytest.importorskip("pyqtgraph")
    monkeypatch.setattr(runs, "recording", lambda pairs: {"pairs": pairs})
    result = runs.runs(3)
    assert result["pairs"] == 3
    assert min(result["frames_per_second"], result["all_series_frames_per_second"], result["open_seconds"]) > 0
    assert 8 < result["bytes_per_point"] < 20


def test_gradients_are_followed_back_before_and_after_a_training(monkeypatch):
    monkeypatch.setattr(gradients, "STEPS", 2)
    monkeypatch.setattr(gradients, "TEXTS", 2)
    monkeypatch.setattr(gradients, "TEXT", {"name": "text", "text": "To be, or not to be, that is the question. " * 99})
    chosen = ("RNN", "LSTM, forget bias 1")
    monkeypatch.setattr(gradients, "MODELS", {name: gradients.MODELS[name] for name in chosen})
    reported = []
    result = gradients.gradients(reported.append)
    assert len(reported) == 2
    for name in chosen:
        ratios, curves = result[name]["at_lag_50_over_lag_1"], result[name]["curves"]
        at = {lag: place for place, lag in enumerate(result["lags"])}
        for when in ("first", "trained"):
            assert curves[when][at[0]] == pytest.approx(1)
            assert ratios[when] == pytest.approx(curves[when][at[50]] / curves[when][at[1]])
    rnn, lstm = (result[name]["at_lag_50_over_lag_1"] for name in chosen)
    assert rnn["first"] < rnn["bound_first"]
    assert rnn["first"] < 1e-6 < lstm["first"]  # what a forget bias is for
    assert set(result["LSTM, forget bias 1"]["spectral_radius"]) >= {"forget gate"}


def test_memory_that_was_held_only_meanwhile_is_seen():
    with counting.memory_watched() as memory:
        held = mmap.mmap(-1, 64 * 2**20)  # memory of its own; an array may lie in what was freed and is resident
        held[:: mmap.PAGESIZE] = bytes(len(held) // mmap.PAGESIZE)
        recorded, deadline = len(memory), time.monotonic() + 10
        while len(memory) < recorded + 2 and time.monotonic() < deadline:
            time.sleep(0.001)
        held.close()
    assert max(memory) - memory[0] > 48 * 2**20


def test_the_command_line_starts_without_the_benchmarks_and_what_only_unix_has():
    code = "import sys, psutil; sys.modules['resource'] = None\n"  # psutil itself asks for it on Linux alone
    code += "import lab.cli.main; print('lab.bench' in sys.modules); import lab.bench.models.counting"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ended.stdout, ended.stderr) == ("False\n", "")


@pytest.fixture
def installation(tmp_path):
    """A Python with one file, a link to it and a folder."""
    (tmp_path / "python" / "package").mkdir(parents=True)
    file = tmp_path / "python" / "package" / "module.py"
    file.write_text("A = 1\n", encoding="utf-8")
    if hasattr(os, "symlink") and sys.platform != "win32":
        (tmp_path / "python" / "link.py").symlink_to(file)
    return file


def test_an_installation_is_python_and_the_lab_with_its_resources_and_plugins():
    packages = {Path(package.__file__).parent for package in (lab, lab_ngram)}
    assert {Path(sys.prefix), Path(str(resources())), *packages} <= start.installed_folders()


def test_before_a_cold_start_each_file_is_dropped_from_memory_once(installation, monkeypatch):
    opened, dropped = [], []
    open_file = os.open
    monkeypatch.setattr(os, "open", lambda path, flags: opened.append(path) or open_file(path, flags))
    monkeypatch.setattr(os, "posix_fadvise", lambda *given: dropped.append(given[1:]), raising=False)
    monkeypatch.setattr(os, "POSIX_FADV_DONTNEED", 4, raising=False)
    start.drop_from_memory([installation.parent])
    assert opened == [installation]
    assert dropped == [(0, 0, 4)]


def test_a_system_without_advice_on_files_drops_nothing(installation, monkeypatch):
    monkeypatch.delattr(os, "posix_fadvise", raising=False)
    monkeypatch.setattr(os, "open", lambda *given: pytest.fail("a file was opened"))
    start.drop_from_memory([installation.parent])


@pytest.mark.parametrize("seconds", ["0", "soon", "nan", "1e9"])
def test_seconds_that_cannot_be_are_refused_by_name(seconds, capsys):
    assert command_line.main(["bench", "window", "--seconds", seconds, "--json"]) == 2
    problem = json.loads(capsys.readouterr().out.splitlines()[-1])["problem"]
    assert (problem["field"], problem["value"]) == ("--seconds", seconds)
    assert problem["allowed"] == "number, 1 ≤ x ≤ 3600"


@pytest.mark.parametrize("name", ["window", "start"])
def test_without_qt_the_benchmarks_of_the_window_say_what_to_install(name, capsys, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda module: None)
    assert command_line.main(["bench", name, "--json"]) == 2
    problem = json.loads(capsys.readouterr().out.splitlines()[-1])["problem"]
    assert problem["what"] == "the window needs PySide6 and pyqtgraph"
    assert "lm-lab[window]" in problem["remedy"]


def test_the_time_of_imports_is_summed_by_package():
    reported = """import time: self [us] | cumulative | imported package
import time:      1500 |       1500 |   numpy.linalg
import time:      2500 |       4000 | numpy
a warning | of | another
import time:       100 |        100 | lab.base"""
    assert start.imports(reported.splitlines()) == {"numpy": 4.0, "lab": 0.1}
