"""Mixtures of rows of one kind: rows are drawn by weights that may change, and each part has its own losses."""

import json
import math

import numpy as np
import pytest

from lab.api import BadInput
from lab.host import Plugins
from lab.layers import EXACT_MATCH
from lab.recipes import Recipe
from lab.text.mixed import MixedRowSource
from lab.training.experiment import prepare
from lab.training.trainer import Trainer

PAIRS = {
    "first": {"corpus": "reversal", "weight": 3.0, "settings": "rows=600"},
    "second": {"corpus": "dates", "weight": 1.0, "settings": "rows=600"},
}


@pytest.fixture(scope="module")
def plugins():
    """The lab's own plugins."""
    return Plugins().load()


def recipe(*assignments, architecture="encoder-decoder", objective="sequence-to-sequence", **parts):
    base = Recipe().with_values({
        "corpus": {"name": "mixture", **parts},
        "architecture": {"name": architecture, "layers": 1, "width": 16, "heads": 2},
        "objective": {"name": objective},
        "training": {"steps": 6, "batch_size": 8, "context_length": 64, "device": "cpu", "threads": 1},
    })  # fmt: skip
    return base.with_assignments(*assignments)


def small(*assignments, **parts):
    return recipe(*assignments, architecture="transformer", objective="causal", **parts)


def table(folder, name, rows):
    (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(folder / name)


def labelled(folder, name, words):
    rows = [{"text": f"{word} {number}", "label": word} for number in range(20) for word in words]
    return {"path": table(folder, name, rows), "holds": "labels"}


def conversations(folder, name, question, answer):
    turns = [{"role": "user", "content": question}, {"role": "assistant", "content": answer}]
    return {"path": table(folder, name, [{"messages": turns} for _ in range(30)]), "holds": "conversations"}


def part_of(experiment, batch):
    """Return the part of each row of a batch: dates hold digits, reversed letters none."""
    digits = {
        token for token in range(experiment.tokenizer.vocabulary_size) if experiment.tokenizer.label(token).isdigit()
    }
    return [bool(digits & set(row.tolist())) for row in batch["target"]]


def test_rows_are_drawn_in_the_ratio_of_the_weights(plugins):
    experiment = prepare(recipe(**PAIRS), plugins)
    source = experiment.train
    assert isinstance(source, MixedRowSource)
    dates = np.mean(part_of(experiment, source.rows(np.arange(8000), 5)))
    assert dates == pytest.approx(0.25, abs=0.02)
    experiment.corpus_config.first.weight = 1.0
    assert np.mean(part_of(experiment, source.rows(np.arange(8000), 5))) == pytest.approx(0.5, abs=0.02)


def test_an_example_depends_on_seed_and_number_alone(plugins):
    source = prepare(recipe(**PAIRS), plugins).train
    numbers = [source._positions(np.array([number]), 1)[0] for number in range(64)]
    assert np.array_equal(source._positions(np.arange(64), 1), numbers)
    assert not np.array_equal(source._positions(np.arange(64), 2), numbers)


def test_each_part_is_split_as_a_corpus_of_its_own(plugins):
    mixed, alone = prepare(recipe(**PAIRS), plugins), prepare(recipe("corpus.name=dates", "corpus.rows=600"), plugins)
    dates = list(mixed.validation.parts.values())[1]
    texts = [
        [one.tokenizer.decode(row[row >= 0]) for row in source.rows(np.arange(source.examples), 0)["target"]]
        for one, source in ((mixed, dates), (alone, alone.validation))
    ]
    assert texts[0] == texts[1]
    assert mixed.train.examples + mixed.validation.examples == mixed.corpus["rows"]


def test_the_loss_and_the_metrics_are_weighted_means_of_those_of_the_parts(plugins):
    trainer = Trainer(prepare(recipe(**PAIRS), plugins))
    trainer.run()
    found, names = trainer.evaluation, list(trainer.experiment.validation.parts)
    assert found.loss == pytest.approx(
        0.75 * found.metrics[f"loss {names[0]}"] + 0.25 * found.metrics[f"loss {names[1]}"]
    )
    assert {"accuracy", EXACT_MATCH} < found.metrics.keys()
    assert found.part == "all"
    assert found.bits_per_byte is not None
    assert {"uniform", "unigram"} <= trainer.experiment.floors.keys()


def test_labelled_texts_with_the_same_classes_are_mixed(plugins, tmp_path):
    first, second = labelled(tmp_path, "a.jsonl", ["yes", "no"]), labelled(tmp_path, "b.jsonl", ["no", "yes"])
    made = small("objective.name=classification", first=first, second={**second, "weight": 3.0})
    trainer = Trainer(prepare(made, plugins))
    trainer.run()
    assert trainer.experiment.floors["class priors"] <= trainer.experiment.floors["uniform"] == math.log(2)
    assert {"accuracy", "F1", "loss a.jsonl", "loss b.jsonl"} == trainer.evaluation.metrics.keys()


def test_conversations_are_mixed(plugins, tmp_path):
    first = conversations(tmp_path, "a.jsonl", "Hello?", "Yes.")
    second = conversations(tmp_path, "b.jsonl", "Why?", "Because.")
    trainer = Trainer(prepare(small(first=first, second=second), plugins))
    trainer.run()
    assert trainer.state == "finished"
    assert {"loss a.jsonl", "loss b.jsonl"} <= trainer.evaluation.metrics.keys()


def vectors(folder, name, start, **more):
    rows = [{"a": start + number, "b": number % 3, "y": f"{'up' if number % 2 else 'down'}"} for number in range(40)]
    rows = [{**row, "n": row["a"] / 7 + 0.5} for row in rows]
    return {"path": table(folder, name, rows), "holds": "vectors", **more}


def test_vectors_with_the_same_columns_and_classes_are_mixed_each_scaled_by_its_own_training_rows(plugins, tmp_path):
    columns = {"settings": 'features = "a,b", target = "y"'}
    first, second = (vectors(tmp_path, f"{name}.jsonl", at, **columns) for name, at in (("a", 0), ("b", 1000)))
    made = small("objective.name=classification", "tokenizer.name=none", first=first, second={**second, "weight": 3.0})
    trainer = Trainer(prepare(made, plugins))
    trainer.run()
    experiment = trainer.experiment
    assert {"accuracy", "F1", "loss a.jsonl", "loss b.jsonl"} == trainer.evaluation.metrics.keys()
    for part in experiment.train.parts.values():
        inputs = part.rows(np.arange(part.examples), 0)["inputs"]
        np.testing.assert_allclose(inputs.mean(axis=0), 0, atol=1e-6)
        np.testing.assert_allclose(inputs.std(axis=0), 1, atol=1e-6)
    scaled = experiment.corpus["facts"]["scaled"]
    assert scaled["b.jsonl"]["a"]["mean"] - scaled["a.jsonl"]["a"]["mean"] == pytest.approx(1000)


def test_the_floor_of_mixed_numbers_is_that_of_their_weighted_mean(plugins, tmp_path):
    columns = {"settings": 'features = "a,b", target = "n", standardise = false'}
    first, second = (vectors(tmp_path, f"{name}.jsonl", at, **columns) for name, at in (("a", 0), ("b", 70)))
    made = small("objective.name=regression", "tokenizer.name=none", first=first, second={**second, "weight": 3.0})
    experiment = prepare(made, plugins)

    def numbers(source):
        return [part.rows(np.arange(part.examples), 0)["numbers"] for part in source.parts.values()]

    (a, b), (wanted_a, wanted_b) = numbers(experiment.train), numbers(experiment.validation)
    mean = 0.25 * a.mean() + 0.75 * b.mean()
    expected = 0.25 * ((wanted_a - mean) ** 2).mean() + 0.75 * ((wanted_b - mean) ** 2).mean()
    assert experiment.floors == {"mean": pytest.approx(expected, rel=1e-5)}


PICTURES = {"first": 60, "second": 90}


@pytest.mark.short("class")
@pytest.mark.parametrize("target", ["class", "caption"])
def test_pictures_of_one_size_are_mixed(plugins, target):
    corpus, more = ("digits", "") if target == "class" else ("shapes", "target=caption, ")
    parts = {name: {"corpus": corpus, "settings": f"{more}rows={rows}"} for name, rows in PICTURES.items()}
    made = recipe(
        "tokenizer.name=none" if target == "class" else "tokenizer.name=character",
        architecture="transformer" if target == "class" else "encoder-decoder",
        objective="classification" if target == "class" else "captions",
        **parts,
    )
    trainer = Trainer(prepare(made, plugins))
    trainer.run()
    assert trainer.state == "finished"
    assert trainer.experiment.corpus["rows"] == 150
    assert len([name for name in trainer.evaluation.metrics if name.startswith("loss ")]) == 2


UNLIKE = {
    "other targets": ({"corpus": "points", "settings": "rows=100"}, {"corpus": "sine", "settings": "rows=100"}),
    "other classes": (
        {"corpus": "points", "settings": "rows=100"},
        {"corpus": "points", "settings": "rows=100, shape=blobs, classes=3"},
    ),
    "another size": (
        {"corpus": "digits", "settings": "rows=100"},
        {"corpus": "digits", "settings": "rows=100, size=20"},
    ),
}


@pytest.mark.parametrize("case", UNLIKE)
def test_rows_that_no_model_reads_together_are_refused(plugins, case):
    first, second = UNLIKE[case]
    made = small("objective.name=classification", "tokenizer.name=none", first=first, second=second)
    with pytest.raises(BadInput, match="than the first corpus") as caught:
        prepare(made, plugins)
    assert caught.value.problem.field == "corpus.second"


def test_a_resumed_run_draws_the_same_rows_after_an_edit(plugins):
    whole, first, second = (Trainer(prepare(recipe(**PAIRS), plugins)) for _ in range(3))
    for trainer in (whole, first):
        trainer.change("corpus.second.weight", 7.0)
    for step in range(6):
        whole.learner.make_step(step)
    for step in range(3):
        first.learner.make_step(step)
    tensors, facts = first.learner.state_dict()
    second.learner.model.load_tables({name: each.clone() for name, each in first.learner.model.tables().items()})
    second.learner.load_state_dict(tensors, {**facts, "step": 3})
    for step in range(3, 6):
        second.learner.make_step(step)
    for name, values in whole.learner.model.tables().items():
        assert values.equal(second.learner.model.tables()[name]), name


@pytest.mark.long
def test_eight_parts_are_mixed(plugins):
    names = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
    experiment = prepare(recipe(**{name: {"corpus": "reversal", "settings": "rows=200"} for name in names}), plugins)
    assert len(experiment.train.parts) == 8
    assert experiment.train.shares().tolist() == [1 / 8] * 8


REFUSED = {
    "a text with pairs": ({"second": {"corpus": "grammar"}}, "corpus.second.corpus"),
    "labels with pairs": ({"second": {"corpus": "topics"}}, "corpus.second.corpus"),
    "vectors with pairs": ({"second": {"corpus": "points"}}, "corpus.second.corpus"),
    "examples": ({"first": {"corpus": "copy"}}, "corpus.first.corpus"),
    "a file of another kind": ({"second": {"path": "a.csv", "holds": "labels"}}, "corpus.second.holds"),
    "documents": ({"second": {"corpus": "dates", "documents": True}}, "corpus.second.documents"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_mixed_is_refused_at_its_setting(plugins, case):
    parts, field = REFUSED[case]
    with pytest.raises(BadInput) as caught:
        prepare(recipe(**(PAIRS | parts)), plugins)
    assert caught.value.problem.field == field


def test_a_row_that_is_too_long_is_named_in_its_part(plugins, tmp_path):
    path = table(
        tmp_path, "a.jsonl", [{"source": "a" * (50 if number == 6 else 3), "target": "b"} for number in range(20)]
    )
    with pytest.raises(BadInput, match=r"source of row 7 \(a\.jsonl\) has 50 tokens"):
        prepare(recipe("training.context_length=40", **(PAIRS | {"second": {"path": path, "holds": "pairs"}})), plugins)


def test_labelled_texts_with_other_classes_are_refused(plugins, tmp_path):
    first, second = labelled(tmp_path, "a.jsonl", ["yes", "no"]), labelled(tmp_path, "b.jsonl", ["up", "down"])
    with pytest.raises(BadInput) as caught:
        prepare(small("objective.name=classification", first=first, second=second), plugins)
    assert caught.value.problem.field == "corpus.second"
    assert caught.value.problem.allowed == "no, yes"
