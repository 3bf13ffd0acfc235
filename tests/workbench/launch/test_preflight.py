"""Recipes that are refused before a model is built, because this machine cannot hold it."""

import json

import psutil
import pytest

from lab.base import BadInput
from lab.recipes import Recipe
from lab.workbench.launch.preflight import check_batch, check_limit, check_memory


@pytest.fixture(autouse=True)
def a_gigabyte_is_free(monkeypatch):
    monkeypatch.setattr(psutil, "virtual_memory", lambda: type("Memory", (), {"available": 2**30, "total": 2**31})())


def test_weights_gradients_and_means_must_fit_into_what_is_free():
    check_memory(2**26, "cpu")
    with pytest.raises(BadInput) as refused:
        check_memory(2**26 + 1, "cpu")
    assert refused.value.problem.field == "architecture"


def test_a_batch_must_fit_with_its_logits():
    huge = Recipe().with_assignments("training.batch_size=65536", "training.context_length=1024").training
    with pytest.raises(BadInput) as refused:
        check_batch(huge, 65)
    assert refused.value.problem.field == "training.batch_size"


def test_pieces_of_a_batch_need_no_more_logits_than_one_of_them():
    whole = Recipe().with_assignments("training.batch_size=4096", "training.context_length=1024").training
    with pytest.raises(BadInput):
        check_batch(whole, 65)
    check_batch(whole.model_copy(update={"accumulation": 64}), 65)


def test_a_training_may_need_as_much_memory_as_the_policy_allows(with_policy):
    file = with_policy("memory_gb = 0.5")
    check_limit(5 * 10**8)
    with pytest.raises(BadInput) as refused:
        check_limit(5 * 10**8 + 1)
    assert f"allowed by {file} (memory_gb)" in refused.value.problem.what


# ---- the figures of a recipe


@pytest.fixture
def roomy(monkeypatch):
    """Much memory is free."""
    monkeypatch.setattr(psutil, "virtual_memory", lambda: type("Memory", (), {"available": 2**36, "total": 2**37})())


def test_the_figures_are_those_that_the_run_has(bench, recipe, roomy):
    reported = bench.preflight(recipe(5))
    run = bench.start(recipe(5))
    run.wait_out()
    cost = run.folder.facts["cost"]
    assert {name: getattr(reported, name) for name in cost} == cost
    assert reported.parameters == run.summary()["parameters"]
    assert reported.vocabulary_size == run.trainer.experiment.tokenizer.vocabulary_size
    assert reported.train_tokens == len(run.trainer.experiment.train.tokens)
    assert reported.tokens == run.trainer.tokens == 5 * 4 * 8
    assert reported.tokens_per_parameter == reported.tokens / reported.parameters
    logits = 4 * 8 * reported.vocabulary_size * 4
    assert reported.backward_bytes == 4 * 8 * reported.activation_bytes
    assert reported.memory_bytes == reported.parameters * 16 + logits + 4 * 8 * 16 + reported.backward_bytes


def test_a_recipe_that_needs_more_memory_than_the_policy_allows_is_neither_reported_nor_started(
    bench, recipe, roomy, with_policy
):
    with_policy("memory_gb = 0.1")
    large = recipe(5, "training.batch_size=2048", "training.context_length=256")
    with pytest.raises(BadInput, match="memory_gb"):
        bench.preflight(large)
    run = bench.start(large)
    with pytest.raises(BadInput, match="memory_gb"):
        run.wait_out()
    assert run.folder is None


def test_what_was_counted_before_is_what_is_measured_in_the_run(bench, recipe, roomy):
    reported = bench.preflight(recipe(2))
    run = bench.start(recipe(2))
    run.wait_out()
    summary = run.summary()
    assert summary["state_bytes"] == reported.state_bytes
    assert summary["activation_bytes"] == pytest.approx(reported.activation_bytes, rel=0.05)


@pytest.mark.parametrize("steps", [0, 1, 2, 3, 10**9])
def test_a_model_that_counts_reads_its_text_once_at_most(bench, recipe, text, roomy, steps):
    text.write_text("the cat sat on the mat. a dog ran to the hat.\n" * 250)
    counting = recipe(steps, "architecture={name='n-gram'}")
    reported = bench.preflight(counting)
    run = bench.start(counting)
    run.wait_out()
    assert reported.tokens == run.trainer.tokens
    assert (reported.flops_per_token, reported.tokens_per_parameter, reported.memory_bytes, reported.seconds) == (
        None,
    ) * 4


def test_how_long_it_takes_is_known_once_a_run_has_finished_on_such_a_device(bench, recipe, roomy, training):
    assert bench.preflight(recipe(1000)).seconds is None
    training.control.stop()
    training.wait_out()
    assert bench.preflight(recipe(1000)).seconds is None  # one that was stopped tells nothing
    run = bench.start(recipe(50))
    run.wait_out()
    reported = bench.preflight(recipe(1000))
    assert reported.seconds == pytest.approx(reported.tokens / run.summary()["tokens_per_second"])
    assert bench.preflight(recipe(1000, "architecture={name='n-gram'}")).seconds is None


@pytest.mark.parametrize("noted", ["fast", 0, -1, None, [3]])
def test_an_invalid_stored_speed_is_ignored(bench, recipe, roomy, lab_home, noted):
    lab_home.mkdir(exist_ok=True)
    (lab_home / "settings.json").write_text(json.dumps({"version": 1, "speed": {"cpu": noted}}))
    assert bench.preflight(recipe(10)).seconds is None


@pytest.mark.parametrize(
    ("assignment", "field"),
    [
        ("corpus.path=nowhere.txt", "corpus.path"),
        ("architecture.width=17", "architecture"),
        ("architecture.name=nobody", "architecture.name"),
        ("training.context_length=100000", "training.context_length"),
        ("training.device=cuda:7", "training.device"),
        ("objective.name=nobody", "objective.name"),
        ("objective.name=carried", "objective.name"),
    ],
)
def test_what_the_run_would_refuse_is_refused_in_the_same_words(bench, recipe, roomy, assignment, field):
    with pytest.raises(BadInput) as refused:
        bench.preflight(recipe(5, "architecture.positions=learned", assignment))
    assert refused.value.problem.field.startswith(field)
    with pytest.raises(BadInput) as reported:
        bench.start(recipe(5, "architecture.positions=learned", assignment)).wait_out()
    assert reported.value.problem == refused.value.problem


def test_a_model_that_does_not_fit_is_refused(bench, recipe):
    with pytest.raises(BadInput, match="does not fit into memory") as refused:
        bench.preflight(recipe(5, "architecture.width=4096", "architecture.layers=64"))
    assert refused.value.problem.field == "architecture"


@pytest.fixture
def readings(monkeypatch):
    """Return the number of times that a corpus was read."""
    from lab.training import material

    read, times = material.read_corpus, []
    monkeypatch.setattr(material, "read_corpus", lambda corpus: times.append(corpus) or read(corpus))
    return times


def test_the_corpus_is_read_once_while_it_and_the_tokenizer_stay(bench, recipe, roomy, text, readings):
    first = bench.preflight(recipe(5))
    again = bench.preflight(recipe(7, "architecture.layers=2", "training.context_length=4"))
    assert len(readings) == 1
    assert (first.vocabulary_size, first.train_tokens) == (again.vocabulary_size, again.train_tokens)
    bench.preflight(recipe(5, "tokenizer.name=byte"))
    assert len(readings) == 2


def test_a_file_that_was_changed_is_read_again(bench, recipe, roomy, text, readings):
    first = bench.preflight(recipe(5))
    text.write_text("other words. " * 600)
    assert bench.preflight(recipe(5)).train_tokens != first.train_tokens
    folder = recipe(5).with_values({"corpus": {"path": str(text.parent)}})
    bench.preflight(folder)
    bench.preflight(folder)
    assert len(readings) == 3
    (text.parent / "more.txt").write_text("more words. " * 60)
    bench.preflight(folder)
    assert len(readings) == 4


def test_a_preflight_does_not_change_the_losses_of_a_training(bench, recipe, roomy):
    silent = bench.start(recipe(20, "architecture.dropout=0.1"))
    silent.wait_out()
    beside = bench.start(recipe(20, "architecture.dropout=0.1"))
    while not beside.wait(0.01):
        bench.preflight(recipe(3, "architecture.dropout=0.3"))
    losses = [run.folder.metrics().read("train loss")[1].tolist() for run in (silent, beside)]
    assert losses[0] == losses[1]


def test_a_model_that_cannot_be_made_without_memory_is_built_to_be_counted(bench, recipe, roomy, monkeypatch):
    from lab.diagnostics import cost

    whole = bench.preflight(recipe(5))

    def fails(*arguments):
        raise RuntimeError("an author read a number")

    monkeypatch.setattr(cost, "blueprint", fails)
    reported = bench.preflight(recipe(5))
    assert reported.parameters == reported.active_parameters == whole.parameters
    assert (reported.flops_per_token, reported.state_bytes, reported.seconds) == (None, None, None)
