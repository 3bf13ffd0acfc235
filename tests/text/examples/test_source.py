"""Examples as the rows of a split: what is scored, how long rows are, and that an evaluation changes no split."""

from dataclasses import replace

import numpy as np
import pytest

from lab.api import BadInput, Drawn, Examples, LabError, uniforms
from lab.text.examples.promises import check_examples
from lab.text.examples.source import ExampleSource, sha256_of


def doubled(numbers, seed, split, length=3):
    """A digit, some of them, "=", and the first one again: "201=2"."""
    draws = uniforms(seed + (split == "validation"), numbers, length)
    digits = (draws * 3).astype(np.int64)
    tokens = np.concatenate([digits, np.full((len(numbers), 1), 3), digits[:, :1]], axis=1)
    scored = np.zeros(tokens.shape, bool)
    scored[:, -1] = True
    return Drawn(tokens, scored)


def with_length(length):
    return Examples(
        name="doubled",
        symbols=("0", "1", "2", "="),
        longest=length + 2,
        draw=lambda numbers, seed, split: doubled(numbers, seed, split, length),
        entropy=0.0,
        length=length,
        at_length=with_length,
    )


@pytest.fixture
def source():
    return ExampleSource(with_length(3), "validation", seed=7, context_length=16)


def test_rows_are_as_long_as_the_longest_example_and_mark_scored_tokens(source):
    rows = source.rows(np.arange(5), 7)
    assert rows["tokens"].shape == rows["scored"].shape == (5, 5)
    assert (rows["tokens"][:, 0] == rows["tokens"][:, 4]).all()
    assert rows["scored"].sum(axis=1).tolist() == [1] * 5


def test_the_split_depends_on_the_seed_of_the_run_and_not_on_that_of_an_evaluation(source):
    requested = [source.rows(np.arange(50), seed)["tokens"] for seed in (0, 7, 99)]
    assert np.array_equal(requested[0], requested[1])
    assert np.array_equal(requested[0], requested[2])
    other = replace(source, seed=8).rows(np.arange(50), 7)["tokens"]
    assert not np.array_equal(requested[0], other)


def test_training_and_validation_are_drawn_apart(source):
    train = replace(source, split="train").rows(np.arange(50), 7)["tokens"]
    assert not np.array_equal(train, source.rows(np.arange(50), 7)["tokens"])


def test_an_example_longer_than_the_context_is_refused_with_the_length_it_needs():
    with pytest.raises(BadInput) as refused:
        ExampleSource(with_length(30), "train", seed=0, context_length=16)
    problem = refused.value.problem
    assert problem.field == "training.context_length"
    assert problem.value == "16"
    assert "31" in problem.allowed
    assert "training.context_length=31" in problem.remedy


def test_tokens_are_the_concatenated_examples_without_padding(source):
    assert source.tokens[:10].tolist() == source.rows(np.arange(2), 0)["tokens"].ravel().tolist()
    assert source.tokens.min() >= 0
    assert len(source.answers) == len(source.tokens) // 5


def test_a_question_is_the_tokens_before_the_first_answer(source):
    question, rest = source.question()
    assert question.tolist() == source.rows(np.zeros(1, np.int64), 0)["tokens"][0, :4].tolist()
    assert rest == 1


def test_longer_examples_of_the_same_split_get_a_context_that_holds_them(source):
    longer = source.at_length(40)
    assert longer.given.longest == 42
    assert longer.context_length == 41
    assert longer.split == "validation"
    assert replace(source, given=replace(source.given, at_length=None)).at_length(40) is None


def test_a_source_is_recognised_by_its_examples():
    assert sha256_of(with_length(3)) == sha256_of(with_length(3))
    assert sha256_of(with_length(3)) != sha256_of(with_length(4))
    assert sha256_of(replace(with_length(3), symbols=("a", "b", "c", "="))) != sha256_of(with_length(3))


def test_an_honest_source_passes():
    check_examples(with_length(3))


def broken_draw(change):
    def draw(numbers, seed, split):
        drawn = doubled(numbers, seed, split)
        return change(drawn.tokens.copy(), drawn.scored.copy())

    return {"draw": draw}


def with_gap(tokens, scored):
    tokens[0, 2] = -1
    return Drawn(tokens, scored)


def with_first_scored(tokens, scored):
    scored[0, 0] = True
    return Drawn(tokens, scored)


@pytest.mark.parametrize(
    ("change", "reported"),
    [
        ({"name": " "}, "Examples.name"),
        ({"symbols": ["0", "1", "2", "="]}, "Examples.symbols"),
        ({"symbols": ("0", "0", "2", "=")}, "twice"),
        ({"symbols": ("0", "k1", "2", "=")}, "several characters"),
        ({"longest": 1}, "Examples.longest"),
        ({"length": 0}, "Examples.length"),
        ({"entropy": float("nan")}, "Examples.entropy"),
        ({"entropy": -0.1}, "Examples.entropy"),
        ({"facts": {"array": np.zeros(3)}}, "Examples.facts"),
        ({"longest": 9}, "tokens"),
        (broken_draw(lambda tokens, scored: tokens), "draw gives a ndarray"),
        (broken_draw(lambda tokens, scored: Drawn(tokens.astype(np.int32), scored)), "int32"),
        (broken_draw(lambda tokens, scored: Drawn(tokens, scored.astype(int))), "scored"),
        (broken_draw(lambda tokens, scored: Drawn(tokens + 9, scored)), "from 9 to 12"),
        (broken_draw(with_gap), "gap"),
        (broken_draw(with_first_scored), "first token"),
        (broken_draw(lambda tokens, scored: Drawn(tokens, scored & False)), "scored"),
        (broken_draw(lambda tokens, scored: Drawn(np.roll(tokens, 1, axis=1) * 0 + tokens[:1], scored)), "order"),
    ],
)
def test_the_contract_of_a_source_is_checked_and_errors_are_reported_with_a_remedy(change, reported):
    with pytest.raises(LabError) as refused:
        check_examples(replace(with_length(3), **change))
    assert reported in refused.value.problem.what
    assert refused.value.problem.remedy


def test_what_is_no_source_is_refused():
    with pytest.raises(LabError, match=r"a lab\.api\.Text or Examples"):
        check_examples("text")
