"""Training on generated examples: answers alone are scored, and the source brings its symbols."""

import math

import numpy as np
import pytest
import torch

from lab.api import ENTROPY_RATE, BadInput
from lab.host import Plugins
from lab.recipes import Recipe
from lab.training.experiment import prepare
from lab.training.trainer import Trainer


@pytest.fixture(scope="module")
def plugins():
    return Plugins().load()


@pytest.fixture
def recipe():
    """A recipe of a small transformer that learns to copy, with assignments made."""

    def recipe(*assignments):
        base = Recipe().with_values({
            "corpus": {"name": "copy", "length": 3},
            "architecture": {"name": "transformer", "layers": 1, "width": 16, "heads": 2},
            "training": {"steps": 3, "batch_size": 4, "context_length": 16, "device": "cpu", "threads": 1},
        })  # fmt: skip
        return base.with_assignments(*assignments)

    return recipe


def test_the_source_has_its_own_symbols_for_any_tokenizer_of_the_recipe(plugins, recipe):
    for assignments in ([], ["tokenizer.name=byte"]):
        experiment = prepare(recipe(*assignments), plugins)
        assert experiment.recipe.tokenizer.name == "symbol"
        assert experiment.tokenizer.vocabulary_size == len(experiment.train.given.symbols)
        assert experiment.task.vocabulary_size == experiment.tokenizer.vocabulary_size
    assert experiment.sizes is None  # symbols of a task have no bytes to be compared by


def test_only_answers_are_targets(plugins, recipe):
    experiment = prepare(recipe(), plugins)
    numbers = np.arange(8)
    rows = experiment.train.rows(numbers, 0)
    batch = experiment.objective.batch(experiment.train, numbers, 0)
    assert batch.weight == rows["scored"].sum()
    assert np.array_equal(batch.targets.numpy() >= 0, rows["scored"][:, 1:])
    scored = batch.targets >= 0
    assert torch.equal(batch.targets[scored], torch.from_numpy(rows["tokens"][:, 1:])[scored])


def test_an_evaluation_has_loss_and_accuracy_of_the_answers(plugins, recipe):
    experiment = prepare(recipe(), plugins)
    trainer = Trainer(experiment)
    trainer.run()
    assert trainer.state == "finished"
    assert trainer.evaluation.protocol == "windows"
    assert trainer.evaluation.bits_per_byte is None
    assert 0 <= trainer.evaluation.metrics["faultless"] <= trainer.evaluation.metrics["accuracy"] <= 1
    assert {"train accuracy", "validation accuracy", "validation faultless"} <= set(trainer.ring.names)


def test_accuracy_is_the_share_of_answers_whose_symbol_is_the_likeliest(plugins, recipe):
    experiment = prepare(recipe(), plugins)
    batch = experiment.objective.batch(experiment.train, np.arange(6), 0)

    class Right(torch.nn.Module):
        def forward(self, tokens):
            logits = torch.zeros(*batch.targets.shape, experiment.task.vocabulary_size)
            logits.scatter_(2, batch.targets.clamp(min=0)[..., None], 5.0)
            logits[0] = 0.0
            logits[0, :, experiment.train.given.symbols.index("|") if "|" in experiment.train.given.symbols else 0] = (
                9.0
            )
            return logits

    loss = experiment.objective.loss(Right(), batch)
    hits, of = loss.metrics["accuracy"]
    wrong = int((batch.targets[0] >= 0).sum())
    assert of == batch.weight
    assert of - wrong <= int(hits) < of
    complete, rows = loss.metrics["faultless"]
    assert (int(complete), rows) == (5, 6)


def test_the_floors_know_the_truth(plugins, recipe):
    floors = prepare(recipe(), plugins).floors
    assert floors[ENTROPY_RATE] == 0
    assert floors["uniform"] == pytest.approx(math.log(prepare(recipe(), plugins).tokenizer.vocabulary_size))
    assert 0 < floors["unigram"] <= floors["uniform"] + 0.1


def test_a_model_that_counts_learns_from_the_examples_one_behind_the_other(plugins, recipe):
    experiment = prepare(recipe("architecture.name=ngram", "architecture.order=3", "training.steps=100"), plugins)
    trainer = Trainer(experiment)
    trainer.run()
    assert trainer.state == "finished"
    assert trainer.evaluation.protocol == "windows"
    assert math.isfinite(trainer.evaluation.loss)


def test_a_sample_is_a_question_and_the_answer_of_the_model(plugins, recipe):
    trainer = Trainer(prepare(recipe(), plugins))
    question, rest = trainer.experiment.validation.question()
    written = trainer.periodic._write(trainer.step)
    assert written.startswith(trainer.experiment.tokenizer.decode(question))
    assert len(trainer.experiment.tokenizer.encode(written)) == len(question) + rest


def test_state_is_not_carried_from_one_example_to_the_next(plugins, recipe):
    with pytest.raises(BadInput) as refused:
        prepare(recipe("objective.name=carried", "architecture.name=transformer"), plugins)
    assert refused.value.problem.field == "objective.name"


def test_another_source_is_not_taken_for_the_one_that_was_learned(plugins, recipe):
    sha256 = prepare(recipe(), plugins).corpus["sha256"]
    assert prepare(recipe(), plugins, sha256=sha256).corpus["sha256"] == sha256
    with pytest.raises(BadInput, match="not the text that this run was trained on"):
        prepare(recipe("corpus.length=4"), plugins, sha256=sha256)
