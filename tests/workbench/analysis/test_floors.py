"""Floors found in the background: which there are, under whose protocol, and that they are kept and found once."""

import itertools
import math
from types import SimpleNamespace

import pytest

from lab.api import ENTROPY_RATE
from lab.base import BadInput
from lab.host import Plugins
from lab.runs import RunFolder
from lab.runs.floor_list import has_all, read_floors
from lab.training.evaluation import evaluate
from lab.training.experiment import prepare
from lab.workbench import Workbench
from lab.workbench.analysis.floors import KnownFloors, floors_of


@pytest.fixture(scope="module")
def plugins():
    return Plugins().load()


@pytest.fixture
def with_floors():
    """A workbench that finds floors."""
    bench = Workbench(floors=True)
    yield bench
    bench.close()


def last(found):
    return list(found)[-1]


def test_a_text_has_a_bigram_the_best_order_and_compressors(plugins, recipe):
    found = last(floors_of(prepare(recipe(), plugins), "windows", plugins, lambda: False))
    assert [name.split()[0] for name in found] == ["bigram", "kneser-ney", "zlib", "bz2", "lzma"]
    assert all(math.isfinite(value) and value >= 0 for value in found.values())
    best = next(value for name, value in found.items() if name.startswith("kneser-ney"))
    assert best < found["bigram"]


def test_the_best_order_is_no_worse_than_its_neighbours(plugins, recipe):
    experiment = prepare(recipe(), plugins)
    found = last(floors_of(experiment, "windows", plugins, lambda: False))
    name, best = next((name, value) for name, value in found.items() if name.startswith("kneser-ney"))
    order = int(name.split()[1])
    assert best == pytest.approx(loss_of_order(plugins, recipe, order), abs=1e-6)
    for near in {max(1, order - 1), order + 1} - {order}:
        assert best <= loss_of_order(plugins, recipe, near) + 1e-6


def test_a_bigram_that_is_better_than_the_middle_order_is_where_the_search_begins(plugins, recipe, monkeypatch):
    losses = {1: 1.2, 2: 1.1, 3: 1.0, 4: 1.5, 5: 1.3, 6: 1.4}
    monkeypatch.setattr("lab.workbench.analysis.floors._ngram_loss", lambda experiment, order, *others: losses[order])
    found = last(floors_of(prepare(recipe(), plugins), "windows", plugins, lambda: False))
    assert {name: value for name, value in found.items() if name.startswith("kneser-ney")} == {"kneser-ney 3": 1.0}


def loss_of_order(plugins, recipe, order, protocol="windows"):
    """Return the loss of a run of the n-gram itself."""
    architecture = {"name": "n-gram", "order": order, "smoothing": "modified-kneser-ney"}
    experiment = prepare(recipe().with_values({"architecture": architecture}), plugins)
    model = experiment.build()
    model.count(experiment.train.tokens.astype("int64"))
    validation, device = experiment.validation, experiment.placement.device
    return evaluate(model, experiment.objective, validation, protocol=protocol, device=device).loss


def test_a_floor_is_evaluated_under_the_protocol_of_the_curve(plugins, recipe):
    experiment = prepare(recipe(), plugins)
    for protocol in ("windows", "stream"):
        found = last(floors_of(experiment, protocol, plugins, lambda: False))
        assert found["bigram"] == pytest.approx(loss_of_order(plugins, recipe, 2, protocol), abs=1e-6)


def test_they_are_found_once(plugins, recipe, monkeypatch):
    first = last(floors_of(prepare(recipe(), plugins), "windows", plugins, lambda: False))
    monkeypatch.setattr("lab.workbench.analysis.floors._ngram_loss", None)  # would raise if it were asked again
    assert list(floors_of(prepare(recipe(), plugins), "windows", plugins, lambda: False)) == [first]


def test_without_a_plugin_that_has_n_grams_no_floors_are_found_nor_stored(plugins, recipe):
    experiment = prepare(recipe(), plugins)
    without = {name: card for name, card in plugins.cards("architectures").items() if card.floor is None}
    with pytest.raises(BadInput, match="has the n-grams"):
        list(floors_of(experiment, "windows", SimpleNamespace(cards=lambda _: without), lambda: False))
    assert "bigram" in last(floors_of(experiment, "windows", plugins, lambda: False))


def test_a_source_of_examples_has_no_compressors_but_its_truth(plugins, recipe):
    experiment = prepare(recipe(5, "corpus.name=copy", "corpus.length=3", "training.context_length=16"), plugins)
    found = last(floors_of(experiment, "windows", plugins, lambda: False))
    assert {name.split()[0] for name in found} == {"bigram", "kneser-ney"}
    assert experiment.floors[ENTROPY_RATE] == 0


def test_finding_ends_when_it_is_cancelled_and_keeps_nothing_half_done(plugins, recipe):
    experiment = prepare(recipe(), plugins)
    assert list(floors_of(experiment, "windows", plugins, lambda: True)) == []
    again = last(floors_of(experiment, "windows", plugins, lambda: False))
    assert "lzma" in again
    assert math.isfinite(again["bigram"])


@pytest.mark.parametrize("asked", range(1, 12))
def test_a_floor_is_never_the_loss_of_a_cancelled_evaluation(plugins, recipe, asked):
    experiment, answers = prepare(recipe(), plugins), itertools.count(1)
    for floors in floors_of(experiment, "windows", plugins, lambda: next(answers) >= asked):
        assert all(map(math.isfinite, floors.values()))


def test_a_run_has_its_floors_in_its_folder_and_the_curve_gets_them(with_floors, recipe):
    run = with_floors.start(recipe())
    run.wait_out()
    assert with_floors.floors.join(30)
    found = read_floors(run.folder.path, run.folder.facts["floors"])
    assert {"uniform", "unigram", "bigram", "zlib"} <= set(found)
    known = KnownFloors()
    assert known.of(run.folder) == found
    assert not known.take(run.folder)  # nothing new


def test_a_run_of_hidden_tokens_has_none(with_floors, recipe):
    run = with_floors.start(recipe(2, "objective.name=masked", "architecture.positions=learned"))
    run.join()
    assert with_floors.floors.join(10)
    assert run.folder is None or read_floors(run.folder.path) == {}


def test_closing_the_workbench_ends_the_search(recipe, text):
    text.write_text("abcdefgh " * 200_000)
    bench = Workbench(floors=True)
    run = bench.start(recipe(1))
    run.wait_out()
    bench.close()
    assert bench.floors.join(0)


def test_a_run_that_lacks_floors_gets_them_later_and_is_asked_for_once(with_floors, bench, recipe):
    run = bench.start(recipe())
    run.wait_out()
    assert not has_all(run.folder.path)
    with_floors.floors.find_missing(run.folder)
    assert with_floors.floors.join(30)
    assert has_all(run.folder.path)
    found = read_floors(run.folder.path)
    assert (
        found["bigram"]
        == last(floors_of(run.trainer.experiment, "windows", with_floors.plugins, lambda: False))["bigram"]
    )
    (run.folder.path / "floors.json").unlink()
    with_floors.floors.find_missing(run.folder)
    assert with_floors.floors.join(30)
    assert not has_all(run.folder.path)


def test_a_run_whose_text_is_gone_goes_without_a_word(with_floors, bench, recipe, text):
    run = bench.start(recipe())
    run.wait_out()
    text.unlink()
    with_floors.floors.find_missing(run.folder)
    assert with_floors.floors.join(30)
    assert not has_all(run.folder.path)


def test_a_run_of_another_device_has_floors_too(with_floors, bench, recipe):
    run = bench.start(recipe())
    run.wait_out()
    file = run.folder.path / "recipe.toml"
    file.write_text(file.read_text().replace('device = "auto"', 'device = "cuda:7"'))
    with_floors.floors.find_missing(RunFolder.open(run.folder.path))
    assert with_floors.floors.join(30)
    assert has_all(run.folder.path)
