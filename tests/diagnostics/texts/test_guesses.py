"""Shannon's bounds of the entropy from the ranks of guesses, computed by hand."""

import math

import pytest

from lab.diagnostics.texts.guesses import guess_bounds


def test_bounds_of_guesses_right_at_once_half_of_the_time():
    # q = 1/2, 1/4, 1/4: upper 1.5; lower 1 · 1/4 · 0 + 2 · 0 · 1 + 3 · 1/4 · log2 3
    lower, upper = guess_bounds([1, 1, 2, 3])
    assert upper == pytest.approx(1.5)
    assert lower == pytest.approx(3 / 4 * math.log2(3))


def test_a_text_that_is_always_guessed_at_once_has_no_entropy():
    assert guess_bounds([1] * 5) == (0.0, 0.0)


def test_ranks_that_are_all_alike_leave_both_bounds_at_their_logarithm():
    assert guess_bounds([1, 2, 3, 4]) == pytest.approx((2.0, 2.0))


def test_the_order_of_the_shares_is_the_best_guesser_s():
    assert guess_bounds([2, 2, 1]) == guess_bounds([1, 1, 2])


def test_without_a_guess_nothing_is_known():
    assert all(math.isnan(bound) for bound in guess_bounds([]))
