"""The states of Play without a window: text, next tokens, and stale answers."""

from types import SimpleNamespace

import pytest

from lab.base.jobs import Job
from lab.base.problems import Problem
from lab.shell.play.model import NO_TOKEN, PlayModel, Source, State, TextState
from lab.shell.play.text.document import Document
from lab.workbench.access.generation import Piece


class Model:
    """A model that writes the letters of a text."""

    def generate(self, prompt, *, alternatives, count, **_):
        for letter in "abcdef"[:count]:
            yield Piece(letter, letter, 0.5, (("x", "x", 0.5),) * alternatives, False, 7)


class Run(SimpleNamespace):
    """A run in the list; runs are compared by identity."""

    __hash__ = object.__hash__
    __eq__ = object.__eq__

    def __init__(self, name, colour=0):
        super().__init__(name=name, colour=colour)


@pytest.fixture
def model():
    made = PlayModel()
    made.start()
    return made


def written(model, count=3, run=None):
    """Generate a text to its end."""
    generation = model.generate(Model(), run, "the ", {"count": count}, 0.0)
    generation.work(Job("write", lambda job: None))
    model.take()
    model.end()
    return generation


# ---- whose text


def test_a_text_is_of_another_model_while_one_that_did_not_write_it_is_selected(model):
    one, other = Run("One"), Run("Other")
    assert model.select_model(one, untrained=False)
    assert not model.select_model(one, untrained=False)
    written(model, run=one)
    assert not model.is_of_other_model
    assert model.select_model(other, untrained=False)
    assert model.is_of_other_model
    model.select_model(one, untrained=True)
    assert model.is_of_other_model
    model.select_model(one, untrained=False)
    assert not model.is_of_other_model


# ---- states


def test_nothing_is_written_before_the_start_nor_after_the_end():
    model = PlayModel()
    assert (model.state, model.is_ready) == (State.NOT_READY, False)
    model.start()
    assert (model.state, model.is_ready) == (State.IDLE, True)
    model.close()
    assert (model.state, model.is_ready) == (State.CLOSED, False)
    model.start()
    assert model.state is State.CLOSED


def test_while_a_model_writes_its_pieces_are_taken_once(model):
    generation = model.generate(Model(), None, "the ", {"count": 2}, 0.0)
    assert (model.state, model.is_writing) == (State.WRITING, True)
    generation.work(Job("write", lambda job: None))
    assert [piece.text for piece in model.take()] == ["a", "b"]
    assert model.take() == []
    assert len(model.tokens) == 2
    assert model.rate(4.0) == 0.5


def test_a_text_whose_prompt_is_being_found_is_busy_until_it_is_stopped_or_generated(model):
    model.prepare()
    assert (model.state, model.is_busy, model.is_preparing, model.is_writing) == (State.PREPARING, True, True, False)
    model.stop()
    assert (model.state, model.is_busy) == (State.IDLE, False)
    model.prepare()
    written(model)
    assert model.state is State.IDLE


def test_after_the_end_the_text_stays(model):
    written(model)
    assert (model.state, model.is_writing) == (State.IDLE, False)
    assert [token.text for token in model.tokens] == ["a", "b", "c"]


def test_a_stopped_text_is_written_no_further_and_is_not_the_current_one(model):
    first = model.generate(Model(), None, "the ", {"count": 6}, 0.0)
    model.stop()
    first.work(Job("write", lambda job: None))
    second = model.generate(Model(), None, "a ", {"count": 6}, 1.0)
    assert not first.pieces
    assert not model.is_current(first)
    assert model.is_current(second)
    assert model.tokens == []


@pytest.mark.parametrize(("end", "after"), [(PlayModel.end, TextState.ENDED), (PlayModel.stop, TextState.STOPPED)])
def test_a_text_grows_until_it_ends_or_is_stopped_and_the_next_one_grows_again(model, end, after):
    assert model.text_state is TextState.NONE
    for _ in range(2):
        generation = model.generate(Model(), None, "the ", {"count": 2}, 0.0)
        assert model.text_state is TextState.GROWING
        generation.work(Job("write", lambda job: None))
        model.take()
        end(model)
        assert model.text_state is after


@pytest.mark.parametrize("end", [PlayModel.end, PlayModel.stop])
def test_there_is_no_text_if_it_ends_or_is_stopped_before_its_first_token(model, end):
    written(model)
    model.generate(Model(), None, "the ", {"count": 2}, 0.0)
    end(model)
    assert (model.text_state, model.author, model.is_outdated) == (TextState.NONE, "", True)


@pytest.mark.parametrize("end", [PlayModel.end, PlayModel.stop])
def test_a_text_stays_what_it_is_if_the_prompt_for_another_one_is_not_found(model, end):
    written(model)
    model.prepare()
    end(model)
    assert (model.state, model.text_state) == (State.IDLE, TextState.ENDED)


def test_a_change_outdates_a_text_whatever_its_state_until_there_is_a_new_one(model):
    assert model.is_outdated
    model.generate(Model(), None, "the ", {"count": 2}, 0.0)
    assert not model.is_outdated
    model.outdate()
    assert (model.text_state, model.is_outdated) == (TextState.GROWING, True)
    written(model)
    assert not model.is_outdated
    model.outdate()
    assert (model.text_state, model.is_outdated) == (TextState.ENDED, True)


@pytest.mark.parametrize("is_outdated", [False, True])
def test_a_text_from_another_window_is_outdated_there_if_it_was_before(model, is_outdated):
    other = PlayModel()
    other.outdate()
    run = Run("Small")
    model.select_model(run, untrained=False)
    written(model, run=run)
    if is_outdated:
        model.outdate()
    model.close()
    assert other.take_text(model) is run
    assert (other.text_state, other.is_outdated) == (TextState.ENDED, is_outdated)


def test_a_text_has_the_name_and_the_colour_of_its_run(model):
    written(model, run=Run("Small", 3))
    assert (model.author, model.colour) == ("Small", 3)


# ---- next tokens


def test_tokens_after_the_prompt_are_shown_until_there_is_a_text_and_again_after_an_edit(model):
    assert model.shows_next
    written(model)
    assert not model.shows_next
    model.outdate()
    assert model.shows_next
    model.selected = 1
    assert not model.shows_next


def test_a_text_without_tokens_counts_as_no_text(model):
    model.generate(Model(), None, "the ", {"count": 0}, 0.0)
    model.stop()
    assert model.shows_next
    assert model.author == ""


def test_only_one_request_is_pending_and_another_follows_if_needed(model):
    first = model.request_next(Model(), None, "a", 0.0)
    assert model.request_next(Model(), None, "ab", 1.0) is None
    assert model.end_next(first, 2.0) == (True, True)
    second = model.request_next(Model(), None, "ab", 2.0)
    assert second.number > first.number
    assert model.end_next(second, 3.0) == (True, False)


def test_an_answer_is_dropped_after_the_prompt_or_the_run_changed(model):
    first = model.request_next(Model(), None, "a", 0.0)
    model.outdate()
    assert model.end_next(first, 1.0) == (False, False)
    second = model.request_next(Model(), None, "ab", 1.0)
    assert model.end_next(second, 2.0) == (True, False)


def test_an_answer_counts_once(model):
    made = model.request_next(Model(), None, "a", 0.0)
    assert model.end_next(made, 1.0)[0]
    assert not model.end_next(made, 2.0)[0]


def test_the_alternatives_of_a_token_are_shown_only_where_there_is_one(model):
    written(model)
    assert model.show_alternatives(2).text == "c"
    assert model.show_alternatives(3) is None
    assert model.show_alternatives(NO_TOKEN) is None
    assert model.shown == 2


def test_the_alternatives_of_a_text_that_is_gone_are_not_those_of_the_text_on_show(model):
    written(model)
    model.show_alternatives(2)
    assert model.is_shown_in_text
    written(model)  # another text, as long
    assert not model.is_shown_in_text
    model.document = Document()
    assert not model.is_shown_in_text


# ---- problems


def test_a_problem_of_the_writing_comes_before_one_of_the_next_tokens(model):
    writing, predicting = Problem("the sampler raised"), Problem("the model raised")
    model.set_problem(Source.NEXT, predicting)
    assert model.problem is predicting
    model.set_problem(Source.WRITING, writing)
    assert model.problem is writing
    model.set_problem(Source.WRITING, None)
    assert model.problem is predicting
    model.outdate()
    assert model.problem is None


def test_the_default_prompt_is_found_for_each_model_until_a_person_edits_it(model):
    one, other = Model(), Model()
    assert model.lacks_prompt(one)
    assert model.take_prompt(one)
    assert not model.lacks_prompt(one)
    assert model.lacks_prompt(other)
    model.has_default_prompt = False
    assert not model.lacks_prompt(other)
    assert not model.take_prompt(other)
