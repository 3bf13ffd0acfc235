"""Subwords through the library: nothing is lost, nothing is drawn, and damaged vocabularies are refused."""

import copy
import json
import random

import numpy as np
import pytest

from lab.api import BadInput
from lab.text.tokenizers import pretokens
from lab.text.tokenizers.merges import learn_merges
from lab.text.tokenizers.subwords import SubwordsConfig, fit_bpe, fit_unigram, load_bpe, load_unigram
from lab.text.tokenizers.units import ByteTokenizer
from lab.text.tokenizers.words import WordsConfig, fit_words

TEXT = "It was the best of times, it was the worst of times; Zoë naïvely ate crêpes 🐈.\n" * 8
MORE = "the mat and the hat and the cat sat there at last, that is that " * 9
KINDS = {"bpe": (fit_bpe, load_bpe), "unigram": (fit_unigram, load_unigram)}
both = pytest.mark.parametrize("kind", KINDS)


def fitted(kind, text=TEXT, size=300):
    return KINDS[kind][0](SubwordsConfig(vocabulary_size=size), text)


def strange_texts(count):
    draw = random.Random(7)
    for _ in range(count):
        codes = (draw.choice((0x80, 0x250, 0x3100, 0x11000, 0x110000)) for _ in range(draw.randint(1, 30)))
        text = "".join(chr(draw.randrange(top)) for top in codes)
        yield "".join(each for each in text if not "\ud800" <= each <= "\udfff")


def goes_round(count):
    merges = learn_merges(TEXT, 50)
    tokenizers = [ByteTokenizer(), fitted("bpe"), fitted("unigram"), fit_words(WordsConfig(), TEXT)]
    for text in strange_texts(count):
        assert b"".join(map(merges.bytes, merges.pieces(text, 50))).decode() == text
        for tokenizer in tokenizers:
            tokens = tokenizer.encode(text)
            assert tokenizer.decode(tokens) == text
            assert tokenizer.sizes()[tokens].sum() == len(text.encode())


def test_hundreds_of_strange_texts_come_back():
    goes_round(200)


@pytest.mark.long
def test_ten_thousand_strange_texts_come_back():
    goes_round(10_000)


@both
@pytest.mark.parametrize(
    "text", ["a", " ", "\x00", "aaa", "🐈", "e\u0301", "日本語" * 30, "ab" * 3000, "no\r\nend", "a\x00b\ufeff" * 9]
)
def test_every_text_can_be_learned_and_comes_back(kind, text):
    tokenizer = fitted(kind, text, 400)
    assert 256 <= tokenizer.vocabulary_size <= 400
    assert tokenizer.decode(tokenizer.encode(text)) == text


@both
@pytest.mark.parametrize("size", [256, 257, 266])
def test_the_vocabulary_has_the_size_that_was_asked_for(kind, size):
    assert fitted(kind, TEXT + MORE, size).vocabulary_size == size


@both
def test_fitted_again_it_is_the_same(kind):
    first = fitted(kind)
    assert all(fitted(kind).vocabulary() == first.vocabulary() for _ in range(5))


@both
def test_it_is_made_again_from_its_stored_vocabulary(kind):
    tokenizer = fitted(kind)
    again = KINDS[kind][1](json.loads(json.dumps(tokenizer.vocabulary())))
    assert np.array_equal(again.encode(TEXT), tokenizer.encode(TEXT))
    assert np.array_equal(again.sizes(), tokenizer.sizes())


@both
def test_a_long_text_is_cut_like_its_slices(kind, monkeypatch):
    tokenizer = fitted(kind)
    whole = tokenizer.encode(TEXT)
    monkeypatch.setattr(pretokens, "_SLICE", 5)
    assert np.array_equal(tokenizer.encode(TEXT), whole)


@both
def test_labels_show_spaces_and_parts_of_characters(kind):
    tokenizer = fitted(kind, TEXT + MORE)
    labels = [tokenizer.label(token) for token in range(tokenizer.vocabulary_size)]
    assert {"␣", "⏎", "<0xF0>", "a"} <= set(labels)
    assert any(label.startswith("␣") and len(label) > 2 for label in labels)


@both
def test_bytes_that_are_no_character_yet_are_replaced(kind):
    tokenizer = fitted(kind, "abc")
    assert tokenizer.decode(tokenizer.encode("🐈")[:2]) == "\ufffd"
    with pytest.raises(ValueError, match="symbol numbers"):
        tokenizer.decode([tokenizer.vocabulary_size])


@both
@pytest.mark.parametrize("text", ["", "ab\ud800"])
def test_texts_that_are_none_are_refused(kind, text):
    with pytest.raises(BadInput):
        fitted(kind, text)
    if text:
        with pytest.raises(BadInput) as caught:
            fitted(kind).encode("x " * 9000 + text)
        assert "position 18002" in caught.value.problem.what


def changed(kind, change):
    vocabulary = copy.deepcopy(fitted(kind).vocabulary())
    change(vocabulary)
    return vocabulary


DAMAGES = {
    "no symbols": lambda table: table.update(symbols=None),
    "a number": lambda table: table["symbols"].__setitem__(-1, 5),
    "twice": lambda table: table["symbols"].__setitem__(-1, table["symbols"][0]),
    "empty": lambda table: table["symbols"].__setitem__(-1, ""),
    "no letters": lambda table: table["symbols"].__setitem__(-1, "a b"),
    "a byte lacks": lambda table: table["symbols"].remove("a"),
    "too long": lambda table: table["symbols"].__setitem__(-1, "a" * 5000),
    "another name": lambda table: table.update(more=1),
}
OF_BPE = {
    "no merges": lambda table: table.update(merges="ab"),
    "not paired": lambda table: table["merges"].__setitem__(0, [1]),
    "out of range": lambda table: table["merges"].__setitem__(0, [1, 10**30]),
    "below": lambda table: table["merges"].__setitem__(0, [-1, 0]),
    "truth": lambda table: table["merges"].__setitem__(0, [True, 0]),
    "pair twice": lambda table: table["merges"].append(table["merges"][0]),
    "other symbols": lambda table: table["merges"].__setitem__(0, [0, 0]),
    "order": lambda table: table["symbols"].reverse(),
}
OF_UNIGRAM = {
    "no scores": lambda table: table.update(scores={}),
    "one fewer": lambda table: table["scores"].pop(),
    "not a number": lambda table: table["scores"].__setitem__(0, float("nan")),
    "above": lambda table: table["scores"].__setitem__(0, 1.0),
    "far below": lambda table: table["scores"].__setitem__(0, -1e308),
    "a text": lambda table: table["scores"].__setitem__(0, "x"),
    "huge": lambda table: table["scores"].__setitem__(0, -(10**400)),
}
CASES = [(kind, name) for kind, own in (("bpe", OF_BPE), ("unigram", OF_UNIGRAM)) for name in (*DAMAGES, *own)]


@pytest.mark.parametrize(("kind", "name"), CASES)
def test_a_damaged_vocabulary_is_refused(kind, name):
    damage = {**DAMAGES, **OF_BPE, **OF_UNIGRAM}[name]
    with pytest.raises(BadInput) as caught:
        KINDS[kind][1](changed(kind, damage))
    assert caught.value.problem.field.startswith("tokenizer.vocabulary")
    assert caught.value.problem.remedy
