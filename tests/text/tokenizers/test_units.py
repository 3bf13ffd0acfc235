"""Characters and bytes: text to symbol numbers and back."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.api import BadInput, NoSettings
from lab.text.tokenizers import units as tokenizers
from lab.text.tokenizers.units import ByteTokenizer, fit_bytes, fit_characters, load_bytes, load_characters

texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


def fitted(text):
    return fit_characters(NoSettings(), text)


def problem_of(call, *arguments):
    with pytest.raises(BadInput) as caught:
        call(*arguments)
    assert caught.value.problem.remedy
    return caught.value.problem


# ---- both


@given(texts)
def test_decoding_undoes_encoding(text):
    for tokenizer in (fitted(text), ByteTokenizer()):
        tokens = tokenizer.encode(text)
        assert tokens.dtype == np.int64
        assert tokenizer.decode(tokens) == text
        assert tokenizer.decode(tokens.tolist()) == text


@given(texts)
def test_sizes_add_up_to_the_bytes_of_the_text(text):
    for tokenizer in (fitted(text), ByteTokenizer()):
        assert tokenizer.sizes().shape == (tokenizer.vocabulary_size,)
        assert tokenizer.sizes()[tokenizer.encode(text)].sum() == len(text.encode())


@given(texts)
def test_a_tokenizer_is_made_again_from_its_stored_vocabulary(text):
    for tokenizer, load in ((fitted(text), load_characters), (ByteTokenizer(), load_bytes)):
        again = load(json.loads(json.dumps(tokenizer.vocabulary())))
        assert again.vocabulary_size == tokenizer.vocabulary_size
        assert np.array_equal(again.encode(text), tokenizer.encode(text))


@pytest.mark.parametrize("tokenizer", [fitted("abc"), ByteTokenizer()])
def test_no_text_is_no_tokens(tokenizer):
    assert tokenizer.encode("").shape == (0,)
    assert tokenizer.decode([]) == ""


@pytest.mark.parametrize("tokenizer", [fitted("abc"), ByteTokenizer()])
@pytest.mark.parametrize("number", [-1, 256])
def test_a_number_that_is_no_symbol_is_not_decoded(tokenizer, number):
    with pytest.raises(ValueError, match="symbol numbers"):
        tokenizer.decode([number])


# ---- characters


def test_the_vocabulary_is_the_sorted_characters_of_the_text():
    tokenizer = fitted("hello\n")
    assert tokenizer.vocabulary() == {"characters": "\nehlo"}
    assert tokenizer.encode("hello").tolist() == [2, 1, 3, 3, 4]


def test_a_text_of_one_character_has_a_vocabulary_of_one():
    tokenizer = fitted("aaa")
    assert tokenizer.vocabulary_size == 1
    assert tokenizer.encode("aa").tolist() == [0, 0]
    assert tokenizer.decode([0]) == "a"


def test_a_long_text_is_encoded_like_its_parts(monkeypatch):
    text = "the cat 🐈 sat" * 10
    tokenizer = fitted(text)
    whole = tokenizer.encode(text)
    monkeypatch.setattr(tokenizers, "_SLICE", 7)
    assert np.array_equal(tokenizer.encode(text), whole)
    assert fitted(text).vocabulary() == tokenizer.vocabulary()


@pytest.mark.parametrize(
    ("character", "label"),
    [("z", "z"), ("é", "é"), ("Ü", "Ü"), ("🐈", "🐈"), ("\x07", "<0x07>"), ("\ud800", "<0xD800>")],
)
def test_an_unknown_character_is_named_with_its_position_counted_from_1(monkeypatch, character, label):
    monkeypatch.setattr(tokenizers, "_SLICE", 2)
    problem = problem_of(fitted("abcxy").encode, f"abc{character}a")
    assert f"the character {label}" in problem.what
    assert "(position 4)" in problem.what
    assert (f"U+{ord(character):04X}" in problem.what) == (not character.isascii())


def test_an_empty_text_has_no_vocabulary():
    assert problem_of(fitted, "").field == "corpus"


def test_labels_show_what_does_not_show_itself():
    tokenizer = fitted("\t\n \x9fa🐈\u200b")
    assert {tokenizer.label(token) for token in range(7)} == {"⇥", "⏎", "␣", "<0x9F>", "a", "🐈", "<0x200B>"}


@pytest.mark.parametrize("vocabulary", [None, [], "abc", {}, {"characters": "ab", "more": 1}, {"symbols": "ab"}])
def test_a_stored_vocabulary_of_another_shape_is_refused(vocabulary):
    assert problem_of(load_characters, vocabulary).field == "tokenizer.vocabulary"


@pytest.mark.parametrize("characters", [None, 3, "", ["a", "b"], "aba", "a\ud800"])
def test_stored_characters_that_are_no_vocabulary_are_refused(characters):
    problem = problem_of(load_characters, {"characters": characters})
    assert problem.field == "tokenizer.vocabulary.characters"
    assert problem.allowed


# ---- bytes


def test_bytes_are_those_of_encodings():
    assert fit_bytes(NoSettings(), "whatever").encode("é\n").tolist() == [0xC3, 0xA9, 0x0A]


def test_bytes_that_are_no_character_yet_are_replaced():
    assert ByteTokenizer().decode([ord("a"), 0xC3]) == "a\ufffd"


def test_bytes_of_no_ascii_character_are_labelled_by_their_number():
    label = ByteTokenizer().label
    assert [label(ord(character)) for character in "a \n\t"] == ["a", "␣", "⏎", "⇥"]
    assert [label(0x9F), label(0xE9), label(0)] == ["<0x9F>", "<0xE9>", "<0x00>"]


def test_half_a_surrogate_pair_has_no_bytes():
    assert problem_of(ByteTokenizer().encode, "ab\ud800").value == "<0xD800>"


@pytest.mark.parametrize("vocabulary", [None, [], {"characters": "ab"}])
def test_a_stored_byte_vocabulary_must_be_empty(vocabulary):
    assert problem_of(load_bytes, vocabulary).field == "tokenizer.vocabulary"
