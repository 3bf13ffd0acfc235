"""Statistics of a mixture of experts, on tables of which they are known."""

import numpy as np
import pytest

from lab_moe.statistics import (
    Favourite,
    balance,
    by_class,
    co_activation,
    confidence,
    dead,
    entropy,
    favourites,
    likeliest,
    load,
)

EVEN = np.full((4, 4), 0.25)
PAIRS = np.array([[0.6, 0.4, 0, 0], [0.7, 0, 0.3, 0], [0.5, 0.5, 0, 0], [1, 0, 0, 0]])
"""Gates of four tokens: all go to the first expert, two of them to the second too, one to the third."""


def test_the_load_is_the_share_of_assignments():
    np.testing.assert_allclose(load(PAIRS), [4 / 7, 2 / 7, 1 / 7, 0])
    assert dead(load(PAIRS)).tolist() == [False, False, False, True]


def test_balance_is_1_where_all_is_even_and_the_number_of_experts_where_one_takes_all():
    assert balance(EVEN, np.eye(4)) == pytest.approx(1)
    one = np.zeros((4, 4))
    one[:, 2] = 1
    assert balance(one, one) == pytest.approx(4)


def test_entropy_counts_bits_and_confidence_is_the_largest_probability():
    p = np.array([[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.25] * 4])
    np.testing.assert_allclose(entropy(p), [0, 1, 2])
    np.testing.assert_allclose(confidence(p), [1, 0.5, 0.25])


def test_probabilities_alone_send_each_token_to_its_likeliest_expert():
    np.testing.assert_array_equal(likeliest([[0.2, 0.5, 0.3], [0.6, 0.4, 0]]), [[0, 0.5, 0], [0.6, 0, 0]])


def test_co_activation_is_the_share_of_an_experts_tokens_that_another_takes_too():
    together = co_activation(PAIRS)
    np.testing.assert_allclose(together[:3], [[1, 0.5, 0.25, 0], [1, 1, 0, 0], [1, 0, 1, 0]])
    assert np.isnan(together[3]).all()  # it has no tokens


def test_classes_spread_their_assignments_over_the_experts():
    table = by_class(PAIRS, ("letter", "letter", "digit", "space"), ("letter", "digit", "space", "other"))
    np.testing.assert_allclose(table[:3], [[0.5, 0.25, 0.25, 0], [0.5, 0.5, 0, 0], [1, 0, 0, 0]])
    assert np.isnan(table[3]).all()


def test_favourites_are_the_symbols_an_expert_takes_most_often_and_how_many_there_are():
    found = favourites(PAIRS, ("the", "cat", "the", "."), 2)
    assert found[0] == (Favourite("the", 2, 2), Favourite("cat", 1, 1))
    assert found[1] == (Favourite("the", 2, 2),)
    assert found[3] == ()


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_tokens_whose_numbers_are_not_finite_count_for_nothing(wrong):
    broken = np.vstack([PAIRS, np.full(4, wrong)])
    classes, names = ("letter",) * 5, ("letter",)
    for figure in (load, co_activation, lambda g: by_class(g, classes[: len(g)], names)):
        np.testing.assert_array_equal(figure(broken), figure(PAIRS))
    assert balance(broken, likeliest(broken)) == balance(PAIRS, likeliest(PAIRS))
    assert np.isnan(entropy(broken)[-1])
    assert np.isnan(confidence(broken)[-1])
    assert np.isnan(load(broken[-1:])).all()


def test_a_text_without_tokens_has_no_figures():
    nothing = np.zeros((0, 3))
    assert np.isnan(load(likeliest(nothing))).all()
    assert np.isnan(balance(nothing, nothing))
    assert favourites(nothing, (), 3) == ((), (), ())
