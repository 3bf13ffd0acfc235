"""The overlap of training and validation."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab.text.statistics import overlap as overlaps
from lab.text.statistics.overlap import LENGTH, overlap


def noise(length, seed):
    return "".join(random.Random(seed).choices("abcdefghijklmnopqrstuvwxyz ", k=length))


def longest_naively(train, validation):
    return max(
        (n for start in range(len(validation)) for n in range(1, len(validation) - start + 1)
         if validation[start : start + n] in train),
        default=0,
    )  # fmt: skip


def test_a_text_that_is_twice_the_same_overlaps_entirely_and_warns():
    half = noise(2000, 0)
    found = overlap(half * 2, 0.5)
    assert (found.share, found.longest, found.train_offset, found.validation_offset) == (1.0, 2000, 0, 2000)
    assert found.warning.startswith("100% of the passages")


def test_noise_overlaps_nowhere_and_does_not_warn():
    found = overlap(noise(5000, 1), 0.8)
    assert (found.share, found.warning, found.passages) == (0.0, "", 1000 - LENGTH + 1)


def test_the_share_counts_the_passages_that_a_planted_one_holds():
    planted = noise(149, 2)
    text = noise(3000, 3) + planted + noise(851, 4) + "!" + planted + "?" + noise(849, 5)
    found = overlap(text, 0.8)
    assert found.border == 4000
    assert found.share == (149 - LENGTH + 1) / (1000 - LENGTH + 1)
    assert (found.longest, found.text) == (149, planted)
    assert (found.train_offset, found.validation_offset) == (3000, 4001)
    assert "11%" in found.warning


@settings(derandomize=True, max_examples=80, deadline=None)
@given(st.text("ab", max_size=60), st.text("abc", max_size=60))
def test_the_longest_common_passage_is_that_of_a_naive_search(train, validation):
    text = train + validation
    found = overlap(text, len(train) / max(1, len(text)))
    train, validation = text[: found.border], text[found.border :]
    assert found.longest == longest_naively(train, validation)
    for place in (found.train_offset, found.validation_offset):
        assert text[place : place + found.longest] == found.text


def test_slices_do_not_hide_what_lies_across_their_border(monkeypatch):
    monkeypatch.setattr(overlaps, "SLICE", 7)
    planted = noise(70, 2)
    text = noise(195, 3) + planted + noise(235, 4) + "!" + planted + "?" * 54
    assert overlap(text, 0.8).longest == 70


@pytest.mark.parametrize(("text", "share"), [("a", 0.9), ("ab", 0.5), ("a" * 60, 0.5), ("", 0.9)])
def test_what_is_shorter_than_a_passage_has_no_share(text, share):
    assert overlap(text, share).share is None


def test_only_the_first_characters_of_a_long_validation_text_are_searched_and_that_is_reported(monkeypatch):
    monkeypatch.setattr(overlaps, "LONGEST_VALIDATION", 100)
    assert overlap(noise(2000, 1), 0.5).read == 100


def test_a_line_on_and_on_overlaps_to_its_last_character_but_the_end():
    found = overlap("abcdefghij " * 20_000 + "\n")
    assert found.longest == 22_001 - 1
    assert (found.train_offset, found.validation_offset - found.border) == (found.border % 11, 0)
