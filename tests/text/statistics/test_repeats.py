"""Suffix array, common prefixes and the longest passages that come again."""

import itertools
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab.text.statistics import repeats
from lab.text.statistics.repeats import SHORTEST, longest_repeats, suffix_array


def sorted_naively(codes):
    """Return the sorted suffixes and their common prefixes, by comparing all pairs."""
    order = sorted(range(len(codes)), key=lambda start: codes[start:])
    common = []
    for a, b in itertools.pairwise(order):
        equal = 0
        while max(a, b) + equal < len(codes) and codes[a + equal] == codes[b + equal]:
            equal += 1
        common.append(equal)
    return order, common


@settings(derandomize=True, max_examples=80, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=60), st.integers(1, 3), st.sampled_from([1, 500, 30_000]))
def test_suffixes_and_common_prefixes_are_those_of_a_naive_sort(codes, times, spread):
    codes = [code * spread for code in codes] * times
    order, common = suffix_array(np.array(codes))
    assert (order.tolist(), common.tolist()) == sorted_naively(codes)


def test_suffixes_of_one_letter_only_are_sorted_by_length():
    order, common = suffix_array(np.zeros(5000, np.int64))
    assert order.tolist() == list(range(4999, -1, -1))
    assert common.tolist() == list(range(1, 5000))


def noise(length, seed=0):
    return "".join(random.Random(seed).choices("abcdefghijklmnopqrstuvwxyz", k=length))


def test_planted_passages_are_found_longest_first_with_their_places():
    long, short = "To be, or not to be: that is the question.", "A horse! My kingdom for a horse!"
    text = noise(500) + long + "1" + noise(300, 1) + short + "2" + long + "3" + noise(99, 2) + short + "4" + long
    found = longest_repeats(text).passages
    assert [(each.text, each.length, each.times) for each in found] == [(long, len(long), 3), (short, len(short), 2)]
    assert [text[place:].startswith(each.text) for each in found for place in each.offsets] == [True] * 5


def test_a_part_of_a_longer_passage_is_not_listed_again():
    passage = noise(60, 5)
    text = passage + "0" + noise(80, 6) + "1" + passage + "2" + passage[10:50] + "3"
    assert [each.length for each in longest_repeats(text).passages] == [60]


def test_a_run_that_overlaps_itself_counts_as_the_half_that_does_not():
    (found,) = longest_repeats("a" * 101).passages
    assert (found.length, found.times, found.offsets) == (50, 2, (0, 50))


def test_what_comes_again_at_once_is_its_two_halves():
    passage = noise(40)
    (found,) = longest_repeats(passage * 2).passages
    assert (found.text, found.offsets) == (passage, (0, 40))


@pytest.mark.parametrize("text", ["", "a", "abcdefgh" * 1, "".join(map(chr, range(0x4E00, 0x4E00 + 400))), " " * 99])
def test_a_text_that_repeats_nothing_worth_telling_has_no_passage(text):
    assert longest_repeats(text).passages == ()


def test_characters_outside_the_basic_plane_are_one_each():
    text = "😀😃😄😁😆😅🤣😂" + "!" + "😀😃😄😁😆😅🤣😂"
    assert longest_repeats(text).passages[0].offsets == (0, 9)


def test_only_the_first_characters_of_a_long_text_are_searched_and_that_is_reported(monkeypatch):
    monkeypatch.setattr(repeats, "LONGEST_TEXT", 200)
    found = longest_repeats(noise(200) + noise(200))
    assert (found.passages, found.read) == ((), 200)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(st.text("ab", min_size=16, max_size=80))
def test_every_passage_is_at_its_positions_without_overlap(text):
    for each in longest_repeats(text).passages:
        assert each.length >= SHORTEST
        assert all(text[place : place + each.length] == each.text for place in each.offsets)
        assert all(b - a >= each.length for a, b in itertools.pairwise(each.offsets))
        assert each.times == len(each.offsets) >= 2
