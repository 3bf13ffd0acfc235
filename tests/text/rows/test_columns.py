"""Rows as columns of numbers."""

import numpy as np

from lab.api import Conversations, Images, LabelledTexts, Pairs, Turn, Vectors
from lab.text.rows.columns import columns_of, texts_of


def test_pairs_are_filled_up_after_the_end_of_each_side(tokenizer):
    rows = Pairs("p", ["ab", "b"], ["a", "bba"])
    columns = columns_of(rows, tokenizer(rows))
    assert columns["source"].take(np.array([0, 1])).tolist() == [[0, 1], [1, -1]]
    assert columns["target"].take(np.array([1, 0])).tolist() == [[1, 1, 0], [0, -1, -1]]
    assert columns["target"].take(np.array([0])).tolist() == [[0]]
    assert columns["target"].joined(np.array([1, 0])).tolist() == [1, 1, 0, 0]


def test_the_label_of_a_token_stands_on_its_first_piece(tokenizer):
    rows = LabelledTexts("t", [["ab", "c"], ["cab"]], [[1, 0], [1]], ("no", "yes"))
    columns = columns_of(rows, tokenizer(rows))
    assert columns["inputs"].take(np.array([0, 1])).tolist() == [[0, 1, 2], [2, 0, 1]]
    assert columns["label"].take(np.array([0, 1])).tolist() == [[1, -1, 0], [1, -1, -1]]


def test_a_text_has_one_label(tokenizer):
    rows = LabelledTexts("l", ["ab", "b"], [1, 0], ("no", "yes"))
    assert columns_of(rows, tokenizer(rows))["label"].tolist() == [1, 0]


def test_only_learned_turns_are_scored_with_their_end_and_without_the_symbol_of_their_role(tokenizer):
    rows = Conversations("c", [[Turn("user", "ab"), Turn("bot", "b", learned=True), Turn("user", "a")]] * 2)
    cut = tokenizer(rows)
    columns = columns_of(rows, cut)
    bot, user, end = 2, 3, 4
    assert (cut.role("bot"), cut.role("user"), cut.end) == (bot, user, end)
    assert columns["tokens"].take(np.array([0]))[0].tolist() == [user, 0, 1, end, bot, 1, end, user, 0, end]
    assert columns["scored"].take(np.array([0]))[0].tolist() == [0, 0, 0, 0, 0, 1, 1, 0, 0, 0]


def test_vectors_and_pictures_stay_numbers(tokenizer):
    vectors = Vectors("v", np.eye(2, dtype=np.float32), np.array([0, 1]), ("a", "b"))
    pictures = Images("i", np.zeros((2, 1, 2, 1), np.uint8), captions=("a", "ba"))
    assert columns_of(vectors, tokenizer(vectors)).keys() == {"inputs", "label"}
    assert columns_of(pictures, tokenizer(pictures))["target"].lengths.tolist() == [1, 2]


def test_the_text_of_some_rows_is_that_of_all_their_parts():
    assert list(texts_of(Pairs("p", ["a", "b"], ["x", "y"]), np.array([1]))) == ["b", "y"]
    assert list(texts_of(LabelledTexts("t", [["a", "b"], ["c"]], [[0, 1], [1]], ("n", "y")))) == ["a", "b", "c"]
    assert list(texts_of(Conversations("c", [[Turn("u", "a"), Turn("b", "c", learned=True)]]))) == ["a", "c"]
    assert not list(texts_of(Vectors("v", np.eye(2, dtype=np.float32), np.array([0, 1]), ("a", "b"))))
