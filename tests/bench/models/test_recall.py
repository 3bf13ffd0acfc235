"""The benchmark of associative recall trains each model alike, and tells accuracy by seed beside the decoding state."""

import json

import pytest

from lab.bench.models import recall
from lab.cli import main as command_line
from lab.host import Plugins
from lab.text.examples import source as example_source
from lab.training.experiment import check_recipe


@pytest.fixture(scope="module")
def plugins():
    return Plugins(safe_mode=True)


@pytest.fixture
def short(monkeypatch):
    shipped = recall.shipped
    small = ("training.steps=2", "training.batch_size=2", "training.schedule.warmup=0", "architecture.width=16")
    monkeypatch.setattr(recall, "shipped", lambda name: shipped(name).with_assignments(*small))
    monkeypatch.setattr(recall, "SEEDS", (1, 2))
    monkeypatch.setattr(example_source, "VALIDATION_TOKENS", 1)


def test_each_model_has_its_accuracy_by_seed_and_the_bytes_of_its_state(short, lab_home):
    reported = []
    result = recall.recall(["attention", "sliding window"], reported.append)
    assert (result["corpus"]["length"], result["corpus"]["pairs"], result["chance"]) == (64, 4, 0.25)
    assert (result["steps"], result["batch_size"], result["seeds"]) == (2, 2, (1, 2))
    for name in ("attention", "sliding window"):
        found = result[name]
        assert len(found["accuracy"]) == 2
        assert found["spread"] == [min(found["accuracy"]), max(found["accuracy"])]
        assert found["spread"][0] <= found["median"] <= found["spread"][1]
    layers, width, numbers = 2, 16, 4
    assert result["attention"]["state"] == 2 * layers * width * numbers * 63  # keys and values of all tokens
    assert result["sliding window"]["state"] == 2 * layers * width * numbers * 15  # of those in the window but the last
    assert result["attention"]["parameters"] == result["sliding window"]["parameters"]
    assert len(reported) == 2
    assert not (lab_home / "runs").exists()


def test_a_model_that_is_not_there_is_refused_with_those_that_are(capsys):
    assert command_line.main(["bench", "recall", "--models", "attention, memory", "--json"]) == 2
    problem = json.loads(capsys.readouterr().out.splitlines()[-1])["problem"]
    assert (problem["field"], problem["value"]) == ("--models", "memory")
    assert "Gated DeltaNet" in problem["allowed"]


@pytest.mark.parametrize("model", recall.MODELS)
def test_every_model_is_an_architecture_of_the_lab_of_the_width_and_depth_that_are_compared(model, plugins):
    recipe, _ = check_recipe(recall.trained_by(model, seed=1), plugins)
    settings = recipe.architecture.settings
    assert (settings["layers"], settings["width"], settings["tie"]) == (2, 64, False)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_attention_recalls_the_values_of_four_keys_with_every_seed():
    found = recall.recall(["attention"], print)["attention"]
    assert found["spread"][0] >= 0.99
