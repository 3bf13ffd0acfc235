"""Tokens with their places in the text."""

import pytest

from lab.api import NoSettings
from lab.text.tokenizers.subwords import SubwordsConfig, fit_bpe
from lab.text.tokenizers.units import ByteTokenizer, fit_characters
from lab.text.tokenizers.views import cut, letters_in, side_by_side

TEXT = "a strawberry, a straw and a berry: "
BPE = fit_bpe(SubwordsConfig(vocabulary_size=280), TEXT * 9)


@pytest.mark.parametrize("tokenizer", [BPE, fit_characters(NoSettings(), TEXT), ByteTokenizer()])
def test_the_pieces_follow_each_other_and_make_the_text(tokenizer):
    pieces = cut(TEXT, tokenizer)
    assert "".join(piece.text for piece in pieces) == TEXT
    assert [piece.start for piece in pieces] == [0, *(piece.end for piece in pieces[:-1])]
    assert [piece.token for piece in pieces] == tokenizer.encode(TEXT).tolist()


def test_tokens_that_are_parts_of_a_character_share_it():
    pieces = cut("a🐈b", ByteTokenizer())
    assert [(piece.start, piece.end) for piece in pieces] == [(0, 1), *4 * [(1, 2)], (2, 3)]
    assert {piece.text for piece in pieces[1:5]} == {"🐈"}
    assert pieces[1].label == "<0xF0>"


def test_no_text_has_no_pieces():
    assert cut("", BPE) == []
    assert side_by_side("", {"bpe": BPE})["bpe"].tokens_per_byte == 0


def test_tokenizers_compare_by_tokens_per_byte():
    cuts = side_by_side("a straw 🐈", {"byte": ByteTokenizer(), "bpe": BPE})
    assert cuts["byte"].tokens_per_byte == 1
    assert 0 < cuts["bpe"].tokens_per_byte < 1


def test_a_letter_is_counted_in_each_token_and_visible_only_as_a_token_of_its_own():
    word = "strawberry"
    bytewise = letters_in(cut(word, ByteTokenizer()), "r")
    assert [(one.count, one.visible) for one in bytewise] == 3 * [(1, True)]
    subwords = letters_in(cut(f" {word}", BPE), "r")
    assert sum(one.count for one in subwords) == 3
    assert not all(one.visible for one in subwords)


def test_a_space_before_a_colon_changes_the_tokens():
    near, far = (BPE.encode(f"a berry{end}").tolist() for end in (":", " :"))
    assert near[:-1] == far[:-2]
    assert near[-1:] != far[-2:]
