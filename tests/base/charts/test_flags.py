"""Labels of flags stand beside their lines and never cover one another."""

import random
from itertools import pairwise

import pytest

from lab.base.charts.flags import APART, DISTANCE, FlagLabel, flag_labels


def test_a_label_stands_right_of_its_line_and_left_of_it_at_the_edge():
    assert flag_labels([20, 180], [40, 40], 0, 200, 3) == [
        FlagLabel(0, 20 + DISTANCE, 40),
        FlagLabel(0, 180 - DISTANCE - 40, 40),
    ]


def test_labels_that_would_overlap_are_stacked_and_those_without_space_are_left_out():
    assert [each.row for each in flag_labels([20, 24, 28], [40] * 3, 0, 200, 2)] == [0, 1, -1]


def test_a_label_that_fits_on_neither_side_is_cut_at_the_edge():
    assert flag_labels([60], [90], 0, 100, 1) == [FlagLabel(0, 60 + DISTANCE, 35)]


def test_flags_are_given_in_any_order_and_may_have_no_label():
    assert flag_labels([150, 20, 80], [30, 30, 0], 0, 200, 1) == [
        FlagLabel(0, 150 + DISTANCE, 30),
        FlagLabel(0, 20 + DISTANCE, 30),
        FlagLabel(-1),
    ]


@pytest.mark.parametrize("seed", range(20))
def test_no_label_covers_another_or_leaves_the_plot(seed):
    chance = random.Random(seed)
    at = [chance.uniform(0, 400) for _ in range(chance.randrange(1, 12))]
    placed = flag_labels(at, [chance.uniform(5, 200) for _ in at], 0, 400, 4)
    shown = sorted((each.row, each.left, each.left + each.width) for each in placed if each.row >= 0)
    assert all(left >= 0 and right <= 400 for _, left, right in shown)
    for (row, _, right), (other, left, _) in pairwise(shown):
        assert row != other or left - right >= APART - 1e-9
