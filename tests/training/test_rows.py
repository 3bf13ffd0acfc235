"""Runs on data in rows: prepared from a recipe, trained by the same trainer, resumed bit for bit."""

import math

import numpy as np
import pytest
import torch

from lab.api import BadInput, Conversations, Corpus, Images, LabelledTexts, LabError, Pairs, Turn, Vectors
from lab.decoding.request import request_for
from lab.host import Plugins
from lab.recipes import Choice, Recipe
from lab.text.rows.source import RowSource, split_rows
from lab.training import material
from lab.training.evaluation import evaluate
from lab.training.experiment import prepare
from lab.training.resolution import resolve_all


@pytest.fixture(scope="module")
def plugins():
    return Plugins()


class Cards:
    """The lab's cards and a corpus."""

    def __init__(self, plugins, given, kind=None):
        self._plugins = plugins
        self._card = Corpus("own", "My rows", lambda config: given, kind=kind or given.kind)

    def cards(self, kind):
        return self._plugins.cards(kind)

    def card(self, kind, name, field=None):
        return self._card if name == "own" else self._plugins.card(kind, name, field)

    def owner(self, kind, name):
        return "a-stranger" if name == "own" else self._plugins.owner(kind, name)


RECIPE = Recipe().with_assignments(
    "corpus.name=own", "architecture.layers=1", "architecture.width=16", "architecture.heads=2", "training.device=cpu",
    "training.threads=1", "training.context_length=12", "training.batch_size=4", "training.steps=6",
    "readings.tokens=0", "training.validation_share=0.25", "training.sample_tokens=5",
)  # fmt: skip
TALK = Conversations("Echo", [[Turn("user", c), Turn("bot", c + c, learned=True)] for c in "abcdefgh"])


def test_a_tokenizer_that_learns_from_training_sees_no_row_of_validation(plugins, monkeypatch):
    seen = []
    sources = [f"source {number} of many" for number in range(20)]
    given = Pairs("Sentences", sources, [text.upper() for text in sources])
    everything = resolve_all(RECIPE.with_assignments("tokenizer.name=word"), Cards(plugins, given))
    make = material.Resolved.make

    def fit(self, *arguments):
        seen.extend(arguments)
        return make(self, *arguments)

    monkeypatch.setattr(material.Resolved, "make", fit)
    found = material.read_material(everything, 0.75)
    train, validation = split_rows(20, 0.75)
    (text,) = seen
    assert all(f"source {number} of" in text and f"SOURCE {number} OF" in text for number in train)
    assert not any(f"source {number} of" in text for number in validation)
    assert found.facts()["tokenizer_fitted_to"] == "training"


def test_a_causal_model_learns_only_learned_turns(plugins, trained):
    experiment = prepare(RECIPE, Cards(plugins, TALK))
    assert isinstance(experiment.train, RowSource)
    assert experiment.task.vocabulary_size == 8 + 1 + 3  # letters, the line break between rows, two roles and the end
    recorded = trained(experiment)
    assert recorded.trainer.state == "finished", recorded.trainer.problem
    evaluation = recorded.trainer.evaluation
    assert evaluation.targets == 2 * 3  # two rows: two letters and the end of the turn
    assert evaluation.bytes == 2 * 2  # the letters; roles and the end of a turn are no text
    assert evaluation.bits_per_byte == pytest.approx(evaluation.loss * 6 / math.log(2) / 4)
    assert set(evaluation.metrics) == {"accuracy", "faultless"}
    ((_, sample),) = recorded.log.samples
    assert len(sample) >= 2


BYTES = np.arange(40 * 16, dtype=np.uint32).astype(np.uint8).reshape(40, 4, 4, 1)
PARITY = Images("Greys", BYTES, np.arange(40) % 2, ("even", "odd"))
POINTS = np.linspace(0, 1, 120, dtype=np.float32).reshape(40, 3)
CORNERS = Vectors("Corners", POINTS[:, :2], POINTS, outputs=("x", "y", "z"))


CAPTIONED = Images(
    "Greys",
    np.repeat(np.arange(0, 240, 30, np.uint8), 16).reshape(8, 4, 4, 1),
    captions=[name * 3 for name in "abcdefgh"],
)
PHRASES = Pairs("Doubled", list("abcdefgh"), [name * 3 for name in "abcdefgh"])
WORDS = LabelledTexts("Vowels", [("ab", "c"), ("d", "eh")] * 4, [(0, 1), (1, 0)] * 4, ("vowel", "none"))


@pytest.mark.parametrize(
    ("given", "objective", "limit", "targets", "part"),
    [
        (PARITY, "classification", 7, 7, "7 targets"),
        (PARITY, "classification", 10, 10, "all"),
        (CORNERS, "regression", 7, 9, "9 targets"),
        (CORNERS, "regression", 30, 30, "all"),
        (PHRASES, "sequence-to-sequence", 4, 4, "4 targets"),
        (PHRASES, "sequence-to-sequence", 8, 8, "all"),
        (CAPTIONED, "captions", 4, 4, "4 targets"),
        (CAPTIONED, "captions", 5, 8, "all"),
        (TALK, "causal", 3, 3, "3 targets"),
        (TALK, "causal", 6, 6, "all"),
        (WORDS, "classification", 2, 2, "2 targets"),
        (WORDS, "classification", 4, 4, "all"),
    ],
)  # fmt: skip
def test_a_limited_evaluation_reads_as_many_targets_as_it_says_however_long_the_context_is(
    plugins, given, objective, limit, targets, part
):
    writes = {"architecture": {"name": "encoder-decoder"}} if objective in ("sequence-to-sequence", "captions") else {}
    recipe = RECIPE.with_values({**writes, "objective": {"name": objective}})
    settings = ["architecture.patch=2"] if objective == "captions" else []
    experiment = prepare(recipe.with_assignments(*settings), Cards(plugins, given))
    model, device = experiment.build(), torch.device("cpu")
    found = evaluate(model, experiment.objective, experiment.validation, protocol="windows", device=device, limit=limit)
    assert (found.targets, found.part) == (targets, part)


def captioned(plugins, steps):
    recipe = RECIPE.with_values({"architecture": {"name": "encoder-decoder"}, "objective": {"name": "captions"}})
    settings = (f"training.steps={steps}", "training.batch_size=8", "training.optimizer.learning_rate=0.01")
    return prepare(recipe.with_assignments("architecture.patch=2", *settings), Cards(plugins, CAPTIONED))


def test_a_model_of_captions_writes_that_of_the_first_validation_picture_as_a_sample(plugins, trained):
    experiment = captioned(plugins, 6)
    recorded = trained(experiment)
    assert recorded.trainer.state == "finished", recorded.trainer.problem
    ((_, sample),) = recorded.log.samples
    right, _, written = sample.partition(" → ")
    assert right == CAPTIONED.captions[experiment.validation.numbers[0]]
    assert len(written) <= 4
    assert set(written) <= set("abcdefgh\n")
    picture, length = experiment.validation.question()
    assert picture.tolist() == (CAPTIONED.pixels[experiment.validation.numbers[0]] / np.float32(255)).tolist()
    assert length == 3


def test_the_caption_depends_on_the_picture_that_is_read(plugins, trained):
    recorded = trained(captioned(plugins, 1))
    model, objective = recorded.trainer.model.eval(), recorded.trainer.experiment.objective
    dark, light = (
        request_for(model, objective, np.full((4, 4, 1), value, np.float32), 9).model.start(2) for value in (0, 1)
    )
    assert all(one.shape[0] == 2 for one in tensors_in(dark))
    assert any(not torch.equal(one, other) for one, other in zip(tensors_in(dark), tensors_in(light), strict=True))


def tensors_in(state):
    if isinstance(state, torch.Tensor):
        return [state] if state.ndim else []
    parts = state.values() if isinstance(state, dict) else state if isinstance(state, list | tuple) else ()
    return [tensor for part in parts for tensor in tensors_in(part)]


def test_floors_of_conversations_are_those_of_the_scored_tokens(plugins):
    same_answer = [[Turn("user", c), Turn("bot", "a", learned=True)] for c in "abcdefgh"]
    experiment = prepare(RECIPE, Cards(plugins, Conversations("Yes", same_answer)))
    assert experiment.floors["uniform"] == pytest.approx(np.log(12))
    assert experiment.floors["unigram"] == pytest.approx(np.log(2))  # the letter or the end of the turn


def test_facts_say_what_the_model_fits_and_nothing_about_where_the_data_lies(plugins):
    facts = prepare(RECIPE, Cards(plugins, TALK)).corpus
    assert facts["kind"] == "conversations"
    assert facts["rows"] == 8
    assert facts["sha256"] == TALK.sha256
    assert (facts["roles"], facts["reads"], facts["writes"]) == (["bot", "user"], "user", "bot")


def test_training_on_rows_goes_on_after_a_checkpoint_as_if_it_had_never_stopped(plugins, training, same, saved_state):
    def trainer(steps=6):
        recipe = RECIPE.with_assignments(f"training.steps={steps}", "training.order=epochs")
        return training(prepare(recipe, Cards(plugins, TALK)))

    through, first, second = trainer(), trainer(), trainer()
    for _ in range(6):
        through.trainer.advance()
    for _ in range(3):
        first.trainer.advance()
    tables, tensors, facts = saved_state(first.trainer)
    second.trainer.load_state_dict(tables, tensors, facts)
    for _ in range(3):
        second.trainer.advance()
    same(through.weights(), second.weights())


@pytest.mark.parametrize(
    "given",
    [
        Vectors("v", np.zeros((8, 2), np.float32), np.arange(8) % 2, ("a", "b")),
        Images("i", np.zeros((8, 2, 2, 1), np.uint8), np.arange(8) % 2, ("a", "b")),
    ],
)
def test_data_without_text_has_no_tokenizer_and_the_recipe_says_so(plugins, given):
    found = material.read_material(resolve_all(RECIPE, Cards(plugins, given)), 0.75)
    assert found.tokenizer.vocabulary() == {}
    assert "tokenizer_fitted_to" not in found.facts()
    train, validation = found.splits(RECIPE, carries=False)
    assert (train.examples, validation.examples, train.classes) == (6, 2, 2)
    with pytest.raises(BadInput, match="reads numbers or pictures and no text"):
        found.tokenizer.encode("text")


def table_of(path, validation_factor):
    """Write 40 rows of two features and a number; return the material, read with a quarter of them for validation."""
    validation = set(split_rows(40, 0.75)[1].tolist())
    rows = np.random.default_rng(0).normal(1e6, 3.0, (40, 3))
    rows[sorted(validation)] *= validation_factor
    path.write_text("\n".join(["a,b,y", *(",".join(map(repr, row)) for row in rows.tolist())]))
    named = {"name": "vectors-file", "path": str(path), "predicts": "number"}
    recipe = RECIPE.with_values({"corpus": named, "objective": {"name": "regression"}, "tokenizer": {"name": "none"}})
    return rows, material.read_material(resolve_all(recipe, Plugins(safe_mode=True)), 0.75)


def test_columns_of_a_table_are_scaled_by_the_training_rows_alone(tmp_path):
    training = split_rows(40, 0.75)[0]
    rows, found = table_of(tmp_path / "my.csv", 1.0)
    inputs, numbers = found.columns["inputs"], found.columns["numbers"]
    for column in (*inputs.T, *numbers.T):
        assert column[training].mean() == pytest.approx(0, abs=1e-6)
        assert column[training].std() == pytest.approx(1, abs=1e-6)
    scale = found.facts()["facts"]["scaled"]
    for index, name in enumerate("aby"):
        assert scale[name]["mean"] == pytest.approx(rows[training, index].mean(), rel=1e-9)
        assert scale[name]["deviation"] == pytest.approx(rows[training, index].std(), rel=1e-6)
    _, other = table_of(tmp_path / "other.csv", 1.001)
    np.testing.assert_allclose(other.columns["inputs"][training], inputs[training], atol=1e-4)
    assert other.facts()["facts"]["scaled"]["a"]["mean"] == pytest.approx(scale["a"]["mean"], rel=1e-9)


def test_text_needs_a_tokenizer(plugins):
    recipe = RECIPE.with_assignments("tokenizer.name=none")
    with pytest.raises(BadInput, match="the corpus is text and needs a tokenizer"):
        prepare(recipe, Cards(plugins, TALK))


def test_a_card_that_says_another_kind_than_it_gives_is_a_problem_of_its_plugin(plugins):
    with pytest.raises(LabError) as raised:
        prepare(RECIPE, Cards(plugins, TALK, kind="text"))
    problem = raised.value.problem
    assert problem.plugin == "a-stranger"
    assert problem.what == "the card of My rows says text, and it gave conversations"
    assert problem.remedy == 'Write kind="conversations" on its card'


def test_data_that_breaks_its_contract_is_a_problem_of_its_plugin(plugins):
    given = LabelledTexts("l", ["a", "b"], [0, 7], ("no", "yes"))
    with pytest.raises(LabError) as raised:
        material.read_corpus(resolve_all(RECIPE, Cards(plugins, given))["corpus"])
    assert raised.value.problem.plugin == "a-stranger"


@pytest.mark.parametrize(("outputs", "name"), [(("rain", "snow"), "snow"), ((), "2")], ids=["named", "numbered"])
def test_a_late_number_that_is_no_probability_is_named_before_the_training(plugins, outputs, name):
    numbers = np.tile(np.array([[0.0, 1.0], [1.0, 0.5]], np.float32), (2000, 1))
    numbers[3500, 1] = 1.5
    given = Vectors("Weather", np.zeros((4000, 3), np.float32), numbers, outputs=outputs)
    with pytest.raises(BadInput) as raised:
        prepare(RECIPE.with_values({"objective": {"name": "binary"}}), Cards(plugins, given))
    problem = raised.value.problem
    assert problem.what == f"the number of row 3501 in the column '{name}' is no probability"
    assert (problem.field, problem.value) == ("objective.name", "1.5")
    assert problem.remedy


def test_independent_rows_carry_no_state(plugins):
    everything = resolve_all(RECIPE, Cards(plugins, TALK))
    with pytest.raises(BadInput, match="the examples of this source are independent"):
        material.read_material(everything, 0.75).splits(RECIPE, carries=True)


def test_a_run_recognises_its_rows(plugins):
    everything = resolve_all(RECIPE, Cards(plugins, TALK))
    first = material.read_material(everything, 0.75)
    again = material.read_material(everything, 0.75, first.tokenizer.vocabulary(), first.sha256)
    assert again.tokenizer.vocabulary() == first.tokenizer.vocabulary()
    with pytest.raises(BadInput, match="is not the text that this run was trained on"):
        material.read_material(everything, 0.75, first.tokenizer.vocabulary(), "another")


def test_the_named_tokenizer_is_not_replaced_for_text(plugins):
    assert prepare(RECIPE, Cards(plugins, TALK)).recipe.tokenizer == Choice(name="character", version=1)


def test_the_floor_of_the_huber_loss_is_that_of_the_best_constant(plugins):
    numbers = Vectors("v", np.zeros((40, 2), np.float32), np.array([[0.0], [0.0], [0.0], [100.0]] * 10, np.float32))
    settings = ("objective.name=regression", "objective.loss=huber", "objective.delta=0.01")
    experiment = prepare(RECIPE.with_assignments(*settings), Cards(plugins, numbers))
    wanted = experiment.validation.rows(np.arange(experiment.validation.examples), 0)["numbers"]
    # the median, moved by less than delta towards the outliers, which cost about 100 delta each
    assert experiment.floors == {"constant": pytest.approx(0.01 * wanted.mean(), rel=2e-3, abs=1e-5)}
