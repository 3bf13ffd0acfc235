"""Numbered examples of a token stream, in four orders."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.api import BadInput
from lab.text.streams import TokenSource, split_tokens

ORDERS = ["crops", "epochs", "lanes", "windows"]


def source(length, context, order="crops", lanes=1, vocabulary=None):
    return TokenSource(np.arange(length), vocabulary or length, context, order, lanes)


def rows(made, examples, seed=0):
    return made.rows(np.asarray(examples), seed)["tokens"]


def problem_of(*arguments, **named):
    with pytest.raises(BadInput) as caught:
        source(*arguments, **named)
    assert caught.value.problem.remedy
    return caught.value.problem


# ---- splits


def test_the_first_nine_tenths_are_for_training():
    train, validation = split_tokens(np.arange(1115394))
    assert (len(train), len(validation)) == (1003854, 111540)  # nanoGPT's split of the Shakespeare text
    assert validation[0] == 1003854


def test_another_share_may_be_taken():
    train, validation = split_tokens(np.arange(9), share=0.5)
    assert (train.tolist(), validation.tolist()) == ([0, 1, 2, 3], [4, 5, 6, 7, 8])


# ---- every order


@pytest.mark.parametrize("order", ORDERS)
@given(
    length=st.integers(40, 300),
    seed=st.integers(0, 2**63 - 1),
    examples=st.lists(st.integers(0, 2**40), min_size=1, max_size=30),
    cuts=st.lists(st.integers(1, 29), max_size=4),
)
def test_rows_depend_on_seed_and_example_number_alone(order, length, seed, examples, cuts):
    made = source(length, 7, order, lanes=3 if order == "lanes" else 1)
    examples = np.array(examples)
    whole = rows(made, examples, seed)
    assert whole.shape == (len(examples), 8)
    assert whole.dtype == np.int64
    parts = [rows(made, part, seed) for part in np.split(examples, sorted(cuts)) if len(part)]
    assert np.array_equal(whole, np.concatenate(parts))
    again = source(length, 7, order, lanes=made.lanes)
    assert np.array_equal(whole[::-1], rows(again, examples[::-1], seed))


@pytest.mark.parametrize("order", ORDERS)
def test_a_row_is_a_run_of_the_stream(order):
    drawn = rows(source(1001, 10, order, lanes=4), range(100))
    assert (np.diff(drawn) == 1).all()


@pytest.mark.parametrize("order", ["crops", "epochs"])
def test_other_seeds_give_other_rows(order):
    made = source(10_000, 10, order)
    assert not np.array_equal(rows(made, range(50), 1), rows(made, range(50), 2))


@pytest.mark.parametrize("order", ["lanes", "windows"])
def test_orders_that_read_on_do_not_depend_on_the_seed(order):
    made = source(1000, 10, order)
    assert np.array_equal(rows(made, range(50), 1), rows(made, range(50), 2))


@pytest.mark.parametrize(("vocabulary", "dtype"), [(1, "u1"), (256, "u1"), (257, "u2"), (65536, "u2"), (65537, "u4")])
def test_tokens_are_kept_in_as_few_bytes_as_the_vocabulary_needs(vocabulary, dtype):
    made = TokenSource(np.full(100, vocabulary - 1), vocabulary, 8)
    assert made.tokens.dtype == dtype
    assert (rows(made, range(10)) == vocabulary - 1).all()


@pytest.mark.parametrize("token", [-1, 5, 256])
def test_a_token_outside_the_vocabulary_is_refused(token):
    with pytest.raises(ValueError, match="symbol numbers"):
        TokenSource(np.array([0, 1, token, 2]), 5, 2)


def test_a_token_outside_the_vocabulary_is_refused_whatever_its_type():
    with pytest.raises(ValueError, match="symbol numbers"):
        TokenSource(np.array([0, 1, 5, 2], np.uint8), 5, 2)


def test_rows_may_be_written_to_without_harm():
    made = source(100, 10, "windows")
    drawn = rows(made, [0, 9])
    drawn[:] = 7
    assert rows(made, [0, 9])[:, 0].tolist() == [0, 90]


# ---- crops


def test_crops_begin_where_nanogpts_do_at_every_place_and_roughly_equally_often():
    made = source(20, 4)  # randint(len(data) - block_size) gives 0 … 15
    counts = np.bincount(rows(made, range(32_000))[:, 0], minlength=16)
    assert len(counts) == 16
    assert abs(counts - 2000).max() < 220  # five standard deviations


def test_the_shortest_corpus_has_one_crop():
    assert (rows(source(5, 4), range(10)) == np.arange(5)).all()


# ---- windows


@given(st.integers(2, 200), st.integers(1, 50))
def test_one_pass_scores_every_token_but_the_first_once_and_in_order(length, context):
    made = source(length, context, "windows")
    drawn = rows(made, range(made.examples))
    targets = drawn[:, 1:][drawn[:, 1:] >= 0]
    assert targets.tolist() == list(range(1, length))
    assert (drawn[:, 0] >= 0).all()
    assert made.examples == -(-(length - 1) // context)


def test_the_last_window_is_filled_up_with_minus_one():
    assert rows(source(6, 4, "windows"), [1]).tolist() == [[4, 5, -1, -1, -1]]


def test_a_validation_split_shorter_than_the_context_is_one_window():
    assert rows(source(2, 4, "windows"), [0]).tolist() == [[0, 1, -1, -1, -1]]


@pytest.mark.parametrize("order", ORDERS)
def test_every_source_has_an_ordered_form_that_shares_its_tokens(order):
    made = source(100, 8, order, lanes=2)
    ordered = made.ordered()
    assert ordered.order == "windows"
    assert np.array_equal(rows(ordered, range(13)), rows(source(100, 8, "windows"), range(13)))
    assert np.shares_memory(ordered.tokens, made.tokens)


# ---- epochs


@given(st.integers(9, 400), st.integers(0, 1000), st.integers(0, 3))
def test_each_epoch_brings_every_window_once(length, seed, epoch):
    made = source(length, 8, "epochs")
    drawn = rows(made, epoch * made.examples + np.arange(made.examples), seed)
    windows = rows(made.ordered(), range(made.examples))
    assert sorted(drawn.tolist()) == sorted(windows.tolist())


def test_epochs_differ_in_their_order():
    made = source(1000, 8, "epochs")
    first, second = (rows(made, epoch * made.examples + np.arange(made.examples)) for epoch in (0, 1))
    assert not np.array_equal(first, second)


# ---- lanes


def test_each_row_of_a_batch_reads_on_where_it_stopped():
    made = source(1000, 10, "lanes", lanes=4)
    batches = rows(made, range(made.examples)).reshape(-1, 4, 11)
    assert (batches[1:, :, 0] == batches[:-1, :, -1]).all()


def test_lanes_do_not_overlap_and_cover_all_but_the_end():
    made = source(1000, 10, "lanes", lanes=4)
    targets = rows(made, range(made.examples))[:, 1:]
    assert sorted(targets.ravel().tolist()) == list(range(1, 961))


def test_lanes_start_again_when_they_end():
    made = source(1000, 10, "lanes", lanes=4)
    assert made.examples == 96
    assert np.array_equal(rows(made, range(8)), rows(made, range(96, 104)))


def test_a_batch_of_lanes_is_fresh_at_the_start_of_each_pass_and_so_are_its_parts():
    made = source(1000, 10, "lanes", lanes=4)
    assert [step for step in range(50) if made.fresh(step * 4 + np.arange(4))] == [0, 24, 48]
    assert made.fresh(np.array([98, 99]))
    assert not made.fresh(np.array([6, 7]))


def test_the_ordered_windows_are_fresh_only_at_the_first():
    made = source(100, 10, "windows")
    assert [example for example in range(10) if made.fresh(np.array([example]))] == [0]


@pytest.mark.parametrize("order", ["crops", "epochs"])
def test_drawn_windows_are_always_fresh(order):
    assert all(source(100, 10, order).fresh(np.array([example])) for example in range(20))


# ---- too short


@pytest.mark.parametrize("order", ["crops", "epochs", "lanes"])
def test_a_context_longer_than_the_training_part_is_refused_with_the_longest_possible(order):
    problem = problem_of(64, 64, order)
    assert (problem.field, problem.value) == ("training.context_length", "64")
    assert problem.allowed == "at most 63 for this corpus"
    assert source(64, 63, order).examples == 1


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("length", [0, 1])
def test_a_split_with_nothing_to_guess_is_refused_as_a_corpus(order, length):
    assert problem_of(length, 4, order, vocabulary=2).field == "corpus"


def test_more_lanes_than_windows_are_refused_with_the_most_possible():
    problem = problem_of(41, 10, "lanes", lanes=5)
    assert (problem.field, problem.value) == ("training.batch_size", "5")
    assert problem.allowed == "at most 4 for this corpus and context length"
    assert source(41, 10, "lanes", lanes=4).examples == 4
