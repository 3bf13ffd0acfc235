"""Words: one symbol for each frequent one, and all the others spelled."""

import json

import numpy as np
import pytest

from lab.api import BadInput
from lab.text.tokenizers.words import WordsConfig, fit_words, load_words

TEXT = "The cat sat.\nThe cat didn't see the mat, a dog did.\n" * 3 + "Zanzibar\t"


def fitted(text=TEXT, **settings):
    return fit_words(WordsConfig(**settings), text)


def labels(tokenizer, text):
    return [tokenizer.label(token) for token in tokenizer.encode(text)]


def test_words_include_the_space_before_them_and_other_characters_are_single():
    assert labels(fitted(), "The cat didn't.\n\t") == ["The", "␣cat", "␣didn't", ".", "⏎", "⇥"]


def test_a_rare_word_is_spelled_by_the_characters_of_the_corpus():
    assert labels(fitted(), "Zanzibar") == list("Zanzibar")
    assert labels(fitted(minimum_count=1), "Zanzibar") == ["Zanzibar"]


def test_a_character_that_never_came_is_spelled_by_its_bytes():
    assert labels(fitted(), "é") == ["<0xC3>", "<0xA9>"]


@pytest.mark.parametrize("text", [TEXT, "  two  blanks ", "don''t 'no'", "日本語 🐈 e\u0301\x00", ""])
def test_every_text_comes_back_and_its_sizes_add_up(text):
    tokenizer = fitted()
    tokens = tokenizer.encode(text)
    assert tokens.dtype == np.int64
    assert tokenizer.decode(tokens) == text
    assert tokenizer.sizes()[tokens].sum() == len(text.encode())


def test_the_most_frequent_words_are_kept_if_there_are_too_many():
    characters = len(set(TEXT))
    tokenizer = fitted(vocabulary_size=256 + characters + 2)
    assert tokenizer.vocabulary()["words"] == [" cat", "The"]
    assert fitted(vocabulary_size=257).vocabulary_size == 256 + characters


def test_it_is_made_again_from_its_stored_vocabulary():
    tokenizer = fitted()
    again = load_words(json.loads(json.dumps(tokenizer.vocabulary())))
    assert np.array_equal(again.encode(TEXT), tokenizer.encode(TEXT))


@pytest.mark.parametrize("text", ["", "a \udc80"])
def test_texts_that_are_none_are_refused(text):
    with pytest.raises(BadInput):
        fitted(text)


def test_half_a_character_is_refused():
    with pytest.raises(BadInput, match="position 4"):
        fitted().encode("cat \ud800")


@pytest.mark.parametrize(
    "vocabulary",
    [
        None,
        {"characters": "ab"},
        {"characters": "aba", "words": []},
        {"characters": "ab", "words": "ab"},
        {"characters": "ab", "words": ["ab", "ab"]},
        {"characters": "ab", "words": ["a"]},
        {"characters": "ab", "words": ["a b c"]},
        {"characters": "ab", "words": ["ab\ud800"]},
        {"characters": "ab", "words": [3]},
        {"characters": "ab", "words": ["a" * 2000]},
    ],
)
def test_a_damaged_vocabulary_is_refused(vocabulary):
    with pytest.raises(BadInput) as caught:
        load_words(vocabulary)
    assert caught.value.problem.field.startswith("tokenizer.vocabulary")
