"""Measures of written texts, each against a value computed by hand."""

import math

import pytest

from lab.diagnostics.texts.degeneration import (
    distinct,
    ends_in_repetition,
    repeated_ngrams,
    repetition_share,
    self_bleu,
    words_of,
    zipf_coefficient,
)


def test_words_are_separated_from_punctuation_and_white_space():
    assert words_of('The cat, "sat".\n') == ["The", "cat", ",", '"', "sat", '"', "."]


@pytest.mark.parametrize(
    ("text", "repeats"),
    [
        ("ababab", True),
        ("xx the the the", True),  # " the" three times
        ("babaxbaba", False),  # three times, but not in a row
        ("abab", False),  # only twice
        ("ababab.", False),  # not at the end
        ("aaaaa", False),  # "aa" only twice
        ("aaaaaa", True),  # a phrase has two units or more
        ("", False),
    ],
)
def test_a_text_is_repetitive_if_it_ends_with_a_phrase_three_times_in_a_row(text, repeats):
    assert ends_in_repetition(text) is repeats


def test_the_share_of_repetitive_texts():
    assert repetition_share(["ababab", "abc", "xyxyxy", "b"]) == 0.5


def test_repeated_pairs_are_a_share_of_each_text():
    assert repeated_ngrams(["abab", "abcd"], 2) == pytest.approx((1 / 3 + 0) / 2)  # ab ba ab; ab bc cd


def test_distinct_counts_over_all_texts_together():
    assert distinct(["aab", "abc"], 1) == pytest.approx(3 / 6)
    assert distinct(["aab", "abc"], 2) == pytest.approx(3 / 4)  # aa ab ab bc


def test_self_bleu_is_the_geometric_mean_of_clipped_precisions():
    # "a a b" with reference "a b": 2 of 3 letters, 1 of 2 pairs; longer than its reference, so no penalty.
    # "a b" with reference "a a b": 2 of 2 and 1 of 1; shorter, so exp(1 − 3/2).
    first, second = math.sqrt(2 / 3 * 1 / 2), math.exp(-1 / 2)
    assert self_bleu(["aab", "ab"], 2) == pytest.approx((first + second) / 2)


def test_a_letter_counts_as_often_as_the_richest_other_text_has_it():
    # of "a a": both others have one a; of "a b" and "a c": 1 of 2, from the first.
    assert self_bleu(["aa", "ab", "ac"], 1) == pytest.approx(0.5)


def test_the_same_text_again_and_again_has_a_self_bleu_of_one():
    assert self_bleu([["the", "cat", "sat"]] * 3, 2) == pytest.approx(1.0)


def test_a_length_without_a_match_counts_as_a_tenth_of_one():
    assert self_bleu(["ab", "cd"], 1) == pytest.approx(0.05)  # 0.1 / 2


def test_an_empty_text_has_no_match():
    assert self_bleu(["", "", ""]) == 0.0
    assert math.isnan(self_bleu(["one"]))


def test_counts_that_halve_the_rank_s_way_have_an_exponent_of_one():
    assert zipf_coefficient(["a" * 12 + "b" * 6 + "c" * 4 + "d" * 3]) == pytest.approx(1.0)  # 12 / rank
    assert zipf_coefficient(["aabb"]) == pytest.approx(0.0, abs=1e-12)


def test_the_exponent_of_two_counts_is_the_slope_between_them():
    assert zipf_coefficient(["a" * 8 + "b"]) == pytest.approx(3.0)  # ln 8 / ln 2
