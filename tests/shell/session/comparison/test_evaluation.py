"""The evaluation of several runs on the same text, without a window: its states, its text, and real models."""

from types import SimpleNamespace

import pytest

from lab.base.jobs import Cancelled, Job
from lab.base.problems import BadInput, Problem
from lab.recipes import Recipe
from lab.shell.session.comparison.evaluation import (
    CHARACTERS,
    SameTextEvaluation,
    State,
    can_evaluate,
    evaluate_run,
    has_seen,
    text_of_file,
    validation_text,
)
from lab.workbench import Workbench

TEXT = "the cat sat on the mat and the dog sat on the log. " * 60
SMALL = {
    "corpus": {"name": "text", "text": TEXT},
    "architecture": {"name": "transformer", "layers": 1, "width": 16, "heads": 2},
    "training": {"steps": 2, "batch_size": 2, "context_length": 16, "evaluate_every": 0, "validation_share": 0.2},
}


class Run(SimpleNamespace):
    """A run on a text that is part of its recipe; runs are compared by identity."""

    __hash__ = object.__hash__
    __eq__ = object.__eq__

    def __init__(self, *assignments, **further):
        recipe = Recipe().with_values(SMALL).with_assignments(*assignments)
        super().__init__(recipe=recipe, on_examples=False, source=SimpleNamespace(folder=None), **further)


@pytest.fixture
def runs():
    """Two runs."""
    return [Run(), Run()]


def test_a_file_is_read_up_to_the_most_characters_and_no_run_has_seen_it(tmp_path, runs):
    file = tmp_path / "mine.txt"
    file.write_text("one line of a long text\n" * 3000)
    text = text_of_file(file, Job("test", print))
    assert len(text) == CHARACTERS
    assert text.startswith("one line")
    made = SameTextEvaluation()
    made.start([*runs, Run("training.validation_share=0.1")], runs[0], "windows", file)
    assert [row.seen for row in made.rows] == [False] * 3


@pytest.fixture
def model(runs):
    """An evaluation of two runs whose text was read."""
    made = SameTextEvaluation()
    assert made.take_text(made.start(runs, runs[0], "windows"), TEXT)
    return made


def test_the_runs_are_evaluated_one_after_the_other(model, runs):
    first = model.next_run()
    assert first.run is runs[0]
    assert model.take(model.number, first, found := SimpleNamespace(loss=2.0))
    assert model.row_of(runs[0]).evaluation is found
    assert model.progress == (1, 2)
    assert model.next_run().run is runs[1]


def test_it_is_done_once_every_run_has_a_loss_or_a_problem(model):
    model.take(model.number, model.next_run(), SimpleNamespace(loss=2.0))
    model.take(model.number, model.next_run(), None, Problem("it has no checkpoint"))
    assert model.next_run() is None
    assert model.state is State.DONE


def test_a_loss_is_current_until_its_run_makes_another_step(model, runs):
    runs[0].step = 50
    row = model.next_run()
    model.take(model.number, row, SimpleNamespace(loss=2.0, step=50))
    assert row.is_current
    runs[0].step = 400
    assert not row.is_current


def test_cancelling_keeps_what_was_measured_and_drops_the_rest(model, runs):
    model.take(model.number, model.next_run(), SimpleNamespace(loss=2.0))
    number, second = model.number, model.next_run()
    model.cancel()
    assert not model.take(number, second, SimpleNamespace(loss=3.0))
    assert (model.state, model.progress) == (State.CANCELLED, (1, 2))
    assert model.row_of(runs[1]).evaluation is None


def test_an_answer_to_an_earlier_evaluation_is_stale(model, runs):
    number, row = model.number, model.next_run()
    model.start(runs, runs[0], "stream")
    assert not model.take(number, row, SimpleNamespace(loss=2.0))
    assert not model.take_text(number, TEXT)


def test_without_a_text_nothing_is_evaluated(runs):
    model = SameTextEvaluation()
    model.refuse(model.start(runs, runs[0], "windows"), problem := Problem("the corpus was not found"))
    assert (model.state, model.problem, model.next_run()) == (State.REFUSED, problem, None)


def test_a_run_that_kept_less_of_the_corpus_for_validation_has_seen_a_part_of_the_text():
    less, more = Run("training.validation_share=0.1"), Run("training.validation_share=0.3")
    assert has_seen(less, more)
    assert not has_seen(more, less)
    assert not has_seen(Run("training.validation_share=0.1", "corpus.text=another text"), more)


def test_examples_and_a_single_run_cannot_be_evaluated_on_the_same_text(runs):
    assert can_evaluate(runs, runs[0])
    assert not can_evaluate(runs[:1], runs[0])
    runs[0].on_examples = True
    assert not can_evaluate(runs, runs[0])


@pytest.fixture
def trained():
    """Train a small transformer, or count an n-gram, to the end."""
    workbench = Workbench()

    def trained(*assignments):
        run = workbench.start(Recipe().with_values(SMALL).with_assignments(*assignments))
        run.wait_out()
        assert run.problem is None
        return workbench.open(run.path)

    yield trained
    workbench.close()


def test_models_of_different_protocols_read_the_same_characters_in_one_protocol(trained):
    neural, ngram = trained(), trained("architecture.name=ngram")
    text = validation_text(neural, Job("test", print))
    assert text == TEXT[int(0.8 * len(TEXT)) :]
    losses = [evaluate_run(one, text, "windows", release=True, cancelled=lambda: False) for one in (neural, ngram)]
    assert {one.protocol for one in losses} == {"windows"}
    assert {one.targets for one in losses} == {len(text) - 1}
    assert losses[0].loss != losses[1].loss
    assert losses[0].step == 2


def test_a_cancelled_evaluation_has_no_loss(trained):
    with pytest.raises(Cancelled):
        evaluate_run(trained(), TEXT, "windows", release=True, cancelled=lambda: True)


def test_examples_have_no_validation_text(trained):
    run = trained("corpus={name='copy'}", "tokenizer.name=symbol", "training.context_length=64")
    with pytest.raises(BadInput, match="no text"):
        validation_text(run, Job("test", print))
