"""Mixtures of corpora: tokens are drawn by weights that may change, and each part has its own validation loss."""

import math

import numpy as np
import pytest

from lab.api import BadInput
from lab.host import Plugins
from lab.recipes import Recipe
from lab.runs.fitting import FITTED_TO
from lab.text.mixed import MixedSource, drawn_parts, shares_of
from lab.text.streams import TokenSource
from lab.training.evaluation import evaluate
from lab.training.experiment import prepare
from lab.training.resolution import resolve_all
from lab.training.trainer import Trainer

A, B = "abcabcab " * 60, "xyzz yx, " * 40


@pytest.fixture(scope="module")
def plugins():
    """The lab's own plugins."""
    return Plugins().load()


@pytest.fixture
def recipe(tmp_path):
    """A recipe of two files, with assignments made."""
    (tmp_path / "a.txt").write_text(A)
    (tmp_path / "b.txt").write_text(B)

    def recipe(*assignments, **corpus):
        parts = {"first": {"path": str(tmp_path / "a.txt"), "weight": 3.0},
                 "second": {"path": str(tmp_path / "b.txt"), "weight": 1.0}}  # fmt: skip
        base = Recipe().with_values({
            "corpus": {"name": "mixture", **parts, **corpus},
            "architecture": {"name": "transformer", "layers": 1, "width": 16, "heads": 2},
            "training": {"steps": 6, "batch_size": 4, "context_length": 8, "device": "cpu", "threads": 1},
        })  # fmt: skip
        return base.with_assignments(*assignments)

    return recipe


def source_of(weights, parts=2):
    texts = {str(number): TokenSource(np.full(50, number), parts, 5) for number in range(parts)}
    return MixedSource(texts, lambda: weights)


@pytest.mark.parametrize("weights", [[3.0, 1.0], [1.0, 1.0, 2.0], [0.001, 1.0]])
def test_tokens_are_drawn_in_the_ratio_of_the_weights(weights):
    source = source_of(weights, len(weights))
    tokens = source.rows(np.arange(40_000), 5)["tokens"]
    assert tokens.shape == (40_000, 6)
    found = np.bincount(tokens[:, 0], minlength=len(weights)) / 40_000
    np.testing.assert_allclose(found, source.shares(), atol=0.01)


def test_an_example_depends_on_seed_and_number_alone():
    source = source_of([1.0, 1.0])
    together = source.rows(np.arange(64), 1)["tokens"]
    alone = [source.rows(np.array([number]), 1)["tokens"][0] for number in range(64)]
    assert np.array_equal(together, alone)
    assert not np.array_equal(together, source.rows(np.arange(64), 2)["tokens"])


def test_in_order_every_window_of_every_part_is_read_once():
    parts = {"a": TokenSource(np.arange(10) % 3, 8, 4, "windows"), "b": TokenSource(np.arange(7) % 3 + 3, 8, 4)}
    ordered = MixedSource(parts, lambda: [1.0, 9.0]).ordered()
    tokens = ordered.rows(np.arange(ordered.examples), 0)["tokens"]
    assert np.count_nonzero(tokens[:, 1:] >= 0) == 9 + 6


def test_validation_is_the_end_of_each_part_and_the_tokenizer_knows_all(plugins, recipe):
    experiment = prepare(recipe(), plugins)
    decode = experiment.tokenizer.decode
    parts = experiment.validation.parts
    assert [decode(part.tokens) for part in parts.values()] == [A[int(0.9 * len(A)) :], B[int(0.9 * len(B)) :]]
    assert list(parts) == ["a.txt", "b.txt"]
    assert experiment.corpus["name"] == "a.txt + b.txt"


def test_a_tokenizer_is_fitted_to_the_training_part_of_each_corpus(plugins, recipe, tmp_path):
    for name, word, late in (("c.txt", "early", "sunset"), ("d.txt", "first", "ending")):
        (tmp_path / name).write_text(f"{word} " * 90 + f"{late} " * 9)
    paths = {part: {"path": str(tmp_path / name)} for part, name in (("first", "c.txt"), ("second", "d.txt"))}
    experiment = prepare(recipe("tokenizer.name=word", **paths), plugins)
    names = {experiment.tokenizer.label(number).strip("␣") for number in range(experiment.tokenizer.vocabulary_size)}
    assert {"early", "first"} <= names
    assert not {"sunset", "ending"} & names
    assert experiment.corpus[FITTED_TO] == "training"


def test_the_loss_is_the_weighted_mean_of_those_of_the_parts(plugins, recipe):
    trainer = Trainer(prepare(recipe(), plugins))
    trainer.run()
    found = trainer.evaluation
    assert found.metrics.keys() == {"loss a.txt", "loss b.txt"}
    assert found.loss == pytest.approx(0.75 * found.metrics["loss a.txt"] + 0.25 * found.metrics["loss b.txt"])
    assert found.metrics["loss a.txt"] != pytest.approx(found.metrics["loss b.txt"])
    assert found.bits_per_byte == pytest.approx(found.loss / np.log(2), rel=0.01)  # one byte for each character
    assert found.part == "all"


def test_the_standard_error_of_a_mixture_is_that_of_the_weighted_mean(plugins, recipe):
    experiment = prepare(recipe(), plugins)
    model = experiment.build()
    source, device = experiment.validation, experiment.placement.device

    def error_of(split):
        return evaluate(model, experiment.objective, split, protocol="windows", device=device).standard_error

    errors = [error_of(part) for part in source.parts.values()]
    assert all(error > 0 for error in errors)
    assert error_of(source) == pytest.approx(math.hypot(*np.multiply(source.shares(), errors)))


def test_weights_change_while_a_run_trains_and_decide_what_is_read(plugins, recipe):
    trainer = Trainer(prepare(recipe(), plugins))
    source = trainer.experiment.train
    trainer.change("corpus.first.weight", 0.001)
    assert source.shares()[0] < 0.01
    assert trainer.learner.state_dict()[1]["live"]["corpus"]["first.weight"] == 0.001
    with pytest.raises(BadInput) as caught:
        trainer.change("corpus.first.weight", -1)
    assert caught.value.problem.field == "corpus.first.weight"
    with pytest.raises(BadInput):
        trainer.change("corpus.first.path", "other.txt")


def test_a_weight_of_zero_reads_nothing_of_its_part_until_it_is_raised(plugins, recipe):
    trainer = Trainer(prepare(recipe("corpus.second.weight=0"), plugins))
    source = trainer.experiment.train
    assert source.shares().tolist() == [1.0, 0.0]
    letters = set(trainer.experiment.tokenizer.encode("abc "))
    assert set(source.rows(np.arange(500), 1)["tokens"].ravel().tolist()) == letters
    trainer.change("corpus.second.weight", 2.0)
    trainer.change("corpus.first.weight", 0)
    assert source.shares().tolist() == [0.0, 1.0]
    trainer.run()
    found = trainer.evaluation
    assert found.loss == pytest.approx(found.metrics["loss b.txt"])


def test_the_last_weight_above_zero_stays_above_it(plugins, recipe):
    trainer = Trainer(prepare(recipe("corpus.second.weight=0"), plugins))
    with pytest.raises(BadInput, match="no weight would be above 0") as caught:
        trainer.change("corpus.first.weight", 0)
    assert caught.value.problem.field == "corpus.first.weight"
    with pytest.raises(BadInput, match="no weight would be above 0") as caught:
        prepare(recipe("corpus.first.weight=0", "corpus.second.weight=0"), plugins)
    assert caught.value.problem.field == "corpus.first.weight"


def test_a_run_goes_on_with_the_weights_that_were_exchanged(plugins, recipe):
    first, second = (Trainer(prepare(recipe("corpus.second.weight=0"), plugins)) for _ in range(2))
    first.change("corpus.second.weight", 1.0)
    first.change("corpus.first.weight", 0)
    tensors, facts = first.learner.state_dict()
    second.learner.load_state_dict(tensors, {**facts, "step": 0})
    assert second.experiment.train.shares().tolist() == [0.0, 1.0]


@pytest.mark.parametrize("weights", [[1, 1, 1, 0], [0, 2, 0.1, 0], [0, 0, 1]])
def test_no_draw_is_of_a_part_without_weight(weights, monkeypatch):
    last = np.full(3, np.iinfo(np.uint64).max, np.uint64)
    monkeypatch.setattr("lab.text.mixed.scrambled", lambda seed, numbers: last[: len(numbers)])
    picked = drawn_parts(shares_of(weights), np.arange(3), 0)
    assert all(weights[part] for part in picked.tolist())


def test_a_part_has_the_settings_of_its_corpus(plugins, recipe, tmp_path):
    (tmp_path / "c.csv").write_text("other,story\n" + "nothing,once upon a time\n" * 30)
    parts = {
        "first": {"path": str(tmp_path / "c.csv"), "settings": "column=story, documents=true"},
        "second": {"path": "", "corpus": "grammar", "settings": "length=500"},
    }
    experiment = prepare(recipe(**parts), plugins)
    texts = [experiment.tokenizer.decode(part.tokens) for part in experiment.train.parts.values()]
    assert set(texts[0].split("\n")) == {"", "once upon a time"}
    assert experiment.corpus["facts"]["parts"]["sentences"]["characters"] <= 500


def test_a_resumed_run_draws_the_same_examples_after_an_edit(plugins, recipe):
    whole, first, second = (Trainer(prepare(recipe(), plugins)) for _ in range(3))
    for trainer in (whole, first):
        trainer.change("corpus.second.weight", 7.0)
    steps = range(6)
    for step in steps:
        whole.learner.make_step(step)
    for step in steps[:3]:
        first.learner.make_step(step)
    tensors, facts = first.learner.state_dict()
    second.learner.model.load_tables({name: each.clone() for name, each in first.learner.model.tables().items()})
    second.learner.load_state_dict(tensors, {**facts, "step": 3})
    for step in steps[3:]:
        second.learner.make_step(step)
    for name, table in whole.learner.model.tables().items():
        assert table.equal(second.learner.model.tables()[name]), name


def test_one_part_may_have_documents_and_the_other_none(plugins, recipe):
    sentences = {"path": "", "documents": True}
    trainer = Trainer(prepare(recipe("training.separate_documents=true", second=sentences), plugins))
    trainer.run()
    found, end = trainer.experiment, trainer.experiment.tokenizer.end
    counts = [int((part.tokens == end).sum()) for part in found.train.parts.values()]
    assert counts[0] == 0 < counts[1] - 1 < found.corpus["documents"]
    assert trainer.state == "finished"


def test_the_other_settings_of_a_part_leave_its_default_corpus(plugins):
    weighted = {"corpus": {"name": "mixture", "first": {"weight": 3.0}, "second": {"weight": 2.0}}}
    resolved = resolve_all(Recipe().with_values(weighted), plugins)["corpus"]
    assert [part.card.name for part in resolved.parts.values()] == ["python-manual", "grammar"]


REFUSED = {
    "one part": ({"second": {"path": "", "corpus": ""}}, [], "corpus.second"),
    "no such corpus": ({"second": {"path": "", "corpus": "nothing"}}, [], "corpus.second.corpus"),
    "rows": ({"second": {"path": "", "corpus": "pairs-file"}}, [], "corpus.second.corpus"),
    "itself": ({"second": {"path": "", "corpus": "mixture"}}, [], "corpus.second.corpus"),
    "no such file": ({"second": {"path": "missing.txt"}}, [], "corpus.second.path"),
    "a corpus that needs a setting": ({"second": {"path": "", "corpus": "file"}}, [], "corpus.second.path"),
    "no documents in one file": ({}, ["corpus.first.documents=true"], "corpus.first.documents"),
    "a corpus without documents": (
        {"second": {"path": "", "corpus": "python-manual", "documents": True}},
        [],
        "corpus.second.documents",
    ),
    "no such setting": ({}, ["corpus.first.settings=colour=red"], "corpus.first.settings"),
    "no such column": ({"first": {"path": "b.csv", "settings": "column=c"}}, [], "corpus.first.settings"),
    "no assignment": ({}, ["corpus.first.settings=red"], "corpus.first.settings"),
    "a path among the settings": ({}, ["corpus.first.settings=path=secret.txt"], "corpus.first.settings"),
    "a path in a group": (
        {"first": {"path": "", "corpus": "markov", "settings": "chain.path=secret.txt"}},
        [],
        "corpus.first.settings",
    ),
    "epochs": ({}, ["training.order=epochs"], "training.order"),
    "carried states": ({}, ["objective.name=carried"], "objective.name"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_mixed_is_refused_at_its_setting(plugins, recipe, case, tmp_path):
    parts, assignments, field = REFUSED[case]
    (tmp_path / "b.csv").write_text("text,n\none,1\ntwo,2\n")
    if parts.get("first", {}).get("path"):
        parts = {"first": {**parts["first"], "path": str(tmp_path / parts["first"]["path"])}}
    with pytest.raises(BadInput) as caught:
        prepare(recipe(*assignments, **parts), plugins)
    assert caught.value.problem.field == field


@pytest.mark.parametrize(
    ("corpus", "words"),
    [
        ("copy", "gives generated examples, which are not mixed"),
        ("mixture", "is a mixture itself"),
        ("pairs-file", "gives pairs of texts, and the first corpus gives text"),
    ],
)
def test_the_refusal_of_a_part_says_what_it_gives(plugins, recipe, corpus, words):
    with pytest.raises(BadInput, match=words) as caught:
        prepare(recipe(second={"path": "", "corpus": corpus}), plugins)
    assert "grammar" in caught.value.problem.allowed


def test_a_text_beyond_memory_is_refused_with_what_reads_it(plugins, recipe, monkeypatch):
    monkeypatch.setattr("lab.text.corpora.files.LONG", len(A) - 1)
    with pytest.raises(BadInput, match="too long for a mixture") as caught:
        prepare(recipe(), plugins)
    assert caught.value.problem.field == "corpus.first"
    assert "a folder with all of the texts" in caught.value.problem.remedy
