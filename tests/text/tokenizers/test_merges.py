"""Byte pair encoding of our own: the library's merges on the same input, and a text after any of them."""

import random
from pathlib import Path

import pytest

from lab.api import BadInput
from lab.text.tokenizers import pretokens
from lab.text.tokenizers.merges import Merge, learn_merges
from lab.text.tokenizers.pretokens import BYTES, LETTERS, cutter, library, slices, to_bytes
from lab.text.tokenizers.subwords import SubwordsConfig, fit_bpe

SHAKESPEARE = Path(__file__).parents[4] / "shared" / "data" / "tinyshakespeare.txt"
ALPHABETS = ("ab", "abc ", "the cat sé🐈", "a\n b\t", "日本語")


def generated(seed, length=1000):
    draw = random.Random(seed)
    alphabet = ALPHABETS[seed % len(ALPHABETS)]
    return "".join(draw.choice(alphabet) for _ in range(length))


def of_library(text, count):
    return fit_bpe(SubwordsConfig(vocabulary_size=256 + count), text)


def same(text, count):
    tokenizer = of_library(text, count)
    theirs = tokenizer.vocabulary()
    ours = learn_merges(text, len(theirs["merges"]))
    assert [[step.left, step.right] for step in ours.steps] == theirs["merges"]
    spelled = [to_bytes(symbol) for symbol in theirs["symbols"]]
    assert [ours.bytes(token) for token in range(len(spelled))] == spelled
    return tokenizer, ours


@pytest.mark.parametrize("seed", range(20))
def test_the_merges_are_those_of_the_library(seed):
    tokenizer, ours = same(generated(seed), 100)
    other = generated(seed + 5, 300)
    assert ours.pieces(other, len(ours.steps)) == tokenizer.encode(other).tolist()


@pytest.mark.long
@pytest.mark.skipif(not SHAKESPEARE.exists(), reason="the text is not here")
def test_a_thousand_merges_of_shakespeare_are_those_of_the_library():
    text = SHAKESPEARE.read_text(encoding="utf-8")
    tokenizer, ours = same(text, 1000)
    assert len(ours.steps) == 1000
    assert ours.pieces(text[:100_000], 1000) == tokenizer.encode(text[:100_000]).tolist()


def test_a_merge_has_its_pair_and_its_count():
    merges = learn_merges("low low low lower lowest", 2)
    number = {byte: place for place, byte in enumerate(BYTES)}
    assert merges.steps[0] == Merge(number[ord("l")], number[ord("o")], 256, 5)
    assert merges.steps[1] == Merge(256, number[ord("w")], 257, 5)
    assert merges.label(257) == "low"


def test_of_pairs_that_come_equally_often_the_smaller_left_and_then_right_symbol_goes_first():
    merges = learn_merges("zb zb\nac ac\nab ab\n", 3)
    assert [merges.label(step.token) for step in merges.steps[:3]] == ["ab", "ac", "zb"]


def test_pairs_that_come_once_are_not_merged():
    assert learn_merges("abcdef", 10).steps == []


def test_no_merge_crosses_a_word():
    merges = learn_merges("to be or not to be, that is it. " * 20, 500)
    assert all(len(merges.bytes(step.token).split()) == 1 for step in merges.steps)


@pytest.mark.parametrize("k", [0, 1, 5, 40, 10**6])
def test_a_text_after_k_merges_is_what_k_merges_alone_make_of_it(k):
    text = generated(2, 2000)
    merges = learn_merges(text, 60)
    fewer = learn_merges(text, min(k, 60))
    assert merges.pieces(text, k) == fewer.pieces(text, 60)
    assert b"".join(map(merges.bytes, merges.pieces(text, k))).decode() == text


def test_a_cancelled_learning_keeps_the_merges_it_has():
    requested = []

    def cancelled():
        requested.append(None)
        return len(requested) > 3

    reported = []
    merges = learn_merges(generated(2), 60, lambda done, total: reported.append((done, total)), cancelled)
    assert 0 < len(merges.steps) < 60
    assert reported[0] == (0, 60)
    assert reported[-1] == (len(merges.steps), 60)


@pytest.mark.parametrize("text", ["", "a\ud800"])
def test_a_text_without_pairs_or_with_half_a_character_is_refused(text):
    with pytest.raises(BadInput):
        learn_merges(text, 3)


def test_half_a_character_is_refused_when_it_is_cut():
    with pytest.raises(BadInput):
        learn_merges("abab", 3).pieces("a\udc80", 1)


def test_the_letters_of_bytes_are_those_of_the_library():
    assert sorted(LETTERS) == sorted(library().pre_tokenizers.ByteLevel.alphabet())
    assert LETTERS[32] == "Ġ"


def test_slices_cut_alone_give_the_runs_of_the_whole(monkeypatch):
    monkeypatch.setattr(pretokens, "_SLICE", 1)
    draw, cut = random.Random(0), cutter().pre_tokenize_str
    blanks = " \n\t\r\x0b\x1c\x1f\x85\xa0\u1680\u180e\u2003\u2028\u3000\u200b\ufeff  \n\n"
    for _ in range(1000):
        text = "".join(draw.choice(blanks + "ab1½一'!’\u0301🐈\x00 s t") for _ in range(12))
        assert [run for part in slices(text) for run, _ in cut(part)] == [run for run, _ in cut(text)]


def test_runs_that_never_end_are_learned_in_pieces():
    text = "ab" * 5000 + " " * 5000
    _, ours = same(text, 20)
    assert max(len(ours.bytes(step.token)) for step in ours.steps) <= pretokens.LONGEST_RUN
