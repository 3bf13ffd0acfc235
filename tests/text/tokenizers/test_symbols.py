"""Symbols that a source brings."""

import json

import pytest

from lab.api import BadInput, NoSettings
from lab.text.tokenizers.symbols import SymbolTokenizer, fit_symbols, load_symbols

SYMBOLS = ("0", "1", "=", "k1 ", "k12 ", " ")


def test_a_text_is_its_symbols_joined_and_the_longest_is_taken():
    tokenizer = SymbolTokenizer(SYMBOLS)
    assert tokenizer.encode("k12 k1 10=").tolist() == [4, 3, 1, 0, 2]
    assert tokenizer.decode([4, 3, 1, 0, 2]) == "k12 k1 10="
    assert tokenizer.sizes().tolist() == [1, 1, 1, 3, 4, 1]
    assert [tokenizer.label(token) for token in (3, 4, 5)] == ["k1", "k12", "␣"]


def test_no_text_is_no_symbols():
    tokenizer = SymbolTokenizer(SYMBOLS)
    assert tokenizer.encode("").shape == (0,)
    assert tokenizer.decode([]) == ""


@pytest.mark.parametrize(("text", "value", "place"), [("10x1", "x1", 2), ("1k13 0", "k13", 1), ("0k12", "k12", 1)])
def test_what_is_no_symbol_is_named_with_its_place(text, value, place):
    with pytest.raises(BadInput) as caught:
        SymbolTokenizer(SYMBOLS).encode(text)
    assert caught.value.problem.value == value
    assert f"position {place}" in caught.value.problem.what


def test_it_is_made_again_from_its_stored_vocabulary():
    again = load_symbols(json.loads(json.dumps(SymbolTokenizer(SYMBOLS).vocabulary())))
    assert again.encode("k12 1").tolist() == [4, 1]


@pytest.mark.parametrize("symbols", [None, [], "ab", ["a", "a"], ["", "a"], ["ab"], ["a", 3], ["\ud800"], ["a" * 200]])
def test_a_damaged_vocabulary_is_refused(symbols):
    with pytest.raises(BadInput) as caught:
        load_symbols({"symbols": symbols})
    assert caught.value.problem.field == "tokenizer.vocabulary.symbols"


def test_symbols_are_not_found_in_a_text():
    with pytest.raises(BadInput) as caught:
        fit_symbols(NoSettings(), "abc")
    assert caught.value.problem.field == "tokenizer.name"
