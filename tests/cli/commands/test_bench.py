"""`lm-lab bench` runs the benchmark it is asked for, with the options that this one has, and prints what it returns."""

import importlib
import json

import pytest

from lab.cli.commands.bench import PAIRS
from lab.cli.main import main

WITH_PAIRS = (
    ("decode", "lab.bench.models.decode"),
    ("scan", "lab.bench.models.scan"),
    ("moe", "lab.bench.models.moe"),
    ("runs", "lab.bench.runs"),
    ("throughput", "lab.bench.training"),
    ("generation", "lab.bench.models.generation"),
    ("scoring", "lab.bench.models.counting"),
)
WITH_OWN_DEFAULT = (("linear", "lab.bench.models.linear", "linear"), ("map", "lab.bench.models.maps", "maps"))


@pytest.fixture
def asked(monkeypatch):
    """Return a function that replaces a benchmark and returns the list of what it is called with."""

    def asked(module, function):
        calls = []

        def benchmark(*given):
            calls.append(given)
            return {"ratio": 1.25}

        monkeypatch.setattr(importlib.import_module(module), function, benchmark)
        return calls

    return asked


@pytest.mark.parametrize(("name", "module"), WITH_PAIRS)
@pytest.mark.parametrize(("given", "pairs"), [([], PAIRS), (["--pairs", "3"], 3), (["--pairs", "1"], 1)])
def test_a_benchmark_measures_as_many_pairs_as_it_is_asked_for(asked, capsys, name, module, given, pairs):
    calls = asked(module, name)
    assert main(["bench", name, *given, "--json"]) == 0
    assert calls == [(pairs,)]
    assert json.loads(capsys.readouterr().out) == {"ratio": 1.25}


@pytest.mark.parametrize("given", ["0", "-1"])
def test_fewer_than_one_pair_is_refused(asked, capsys, given):
    calls = asked("lab.bench.models.moe", "moe")
    assert main(["bench", "moe", "--pairs", given]) == 2
    assert "--pairs" in capsys.readouterr().err
    assert calls == []


@pytest.mark.parametrize(("name", "module", "function"), WITH_OWN_DEFAULT)
@pytest.mark.parametrize(("given", "expected"), [([], ()), (["--pairs", "3"], (3,))])
def test_a_benchmark_may_have_a_number_of_pairs_of_its_own(asked, name, module, function, given, expected):
    calls = asked(module, function)
    assert main(["bench", name, *given]) == 0
    assert calls == [expected]


@pytest.mark.parametrize("name", ["sources", "gradients"])
def test_a_long_benchmark_reports_its_progress_on_the_standard_error(asked, capsys, name):
    calls = asked(f"lab.bench.models.{name}", name)
    assert main(["bench", name]) == 0
    ((report,),) = calls
    report("half of it")
    printed = capsys.readouterr()
    assert printed.err == "half of it\n"
    assert printed.out.split() == ["ratio", "1.25"]


def test_the_benchmark_recall_takes_models_and_memory_a_number_of_runs(asked):
    recall, memory, ngram = (
        asked("lab.bench.models.recall", "recall"),
        asked("lab.bench.memory", "memory"),
        asked("lab.bench.models.ngram", "ngram"),
    )
    assert main(["bench", "recall", "--models", "rnn, gla,"]) == 0
    assert main(["bench", "memory", "--runs", "7"]) == 0
    assert main(["bench", "ngram"]) == 0
    assert (recall[0][0], memory[0][0], ngram) == (["rnn", "gla"], 7, [()])
