"""Filters that know what tokens say: which tokens an alphabet allows, and how biases are written."""

import math

import pytest
import torch

from lab.api import BadInput
from lab.decoding.builtins import AlphabetConfig, BanListConfig, LogitBiasConfig
from lab.decoding.constraints import alphabet_filter, ban_filter, bias_filter


class Pieces:
    """A tokenizer of five pieces; the last one ends a text and has no text of its own."""

    pieces = ("a", "b", "ab", "a1", "")
    vocabulary_size = len(pieces)

    def encode(self, text):
        if set(text) - set("ab1"):
            raise BadInput("is unknown")
        return [self.pieces.index(text)] if text in self.pieces[:-1] else [self.pieces.index(letter) for letter in text]

    def decode(self, tokens):
        return "".join(self.pieces[token] for token in tokens)


def left(filtered, history=(0,), symbols=5):
    row = filtered(torch.zeros(1, symbols), [list(history)])[0]
    return [token for token in range(symbols) if row[token] > -math.inf]


@pytest.mark.parametrize(("characters", "expected"), [
    ("a", [0, 4]), ("ab", [0, 1, 2, 4]), ("a1", [0, 3, 4]), ("xyz", [4]), ("", [0, 1, 2, 3, 4]),
])  # fmt: skip
def test_an_alphabet_leaves_tokens_of_its_characters_and_the_end(characters, expected):
    assert left(alphabet_filter(AlphabetConfig(characters=characters), Pieces())) == expected


def test_an_alphabet_leaves_symbols_beyond_the_vocabulary():
    assert left(alphabet_filter(AlphabetConfig(characters="b"), Pieces()), symbols=7) == [1, 4, 5, 6]


def test_a_bias_holds_after_the_tokens_before_it_alone():
    filtered = bias_filter(LogitBiasConfig(biases=["b=2", "bba=-1.5", "a=1"]), Pieces())
    assert filtered(torch.zeros(2, 5), [[1, 1], [0, 1]]).tolist() == [[-0.5, 2, 0, 0, 0], [1, 2, 0, 0, 0]]


def test_a_removed_token_stays_removed_whatever_its_bias():
    row = bias_filter(LogitBiasConfig(biases=["a=100"]), Pieces())(torch.tensor([[-math.inf, 0, 0, 0, 0]]), [[1]])
    assert row[0, 0] == -math.inf


@pytest.mark.parametrize("entry", ["a", "a=", "=3", "a=much", "a=inf", "a=nan"])
def test_what_is_no_bias_is_refused_with_an_example(entry):
    with pytest.raises(BadInput, match="is no bias") as refused:
        bias_filter(LogitBiasConfig(biases=[entry]), Pieces())
    assert refused.value.problem.field == "filters.logit-bias.biases"
    assert "e=-2" in refused.value.problem.remedy


def test_texts_that_the_vocabulary_lacks_and_empty_ones_change_nothing():
    assert left(ban_filter(BanListConfig(texts=["zebra", "", "b"]), Pieces())) == [0, 2, 3, 4]
    assert left(bias_filter(LogitBiasConfig(biases=["zebra=-inf"]), Pieces())) == [0, 1, 2, 3, 4]
