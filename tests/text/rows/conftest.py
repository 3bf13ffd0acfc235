"""Rows as sources: encoded character by character and split."""

import pytest

from lab.text.rows.columns import columns_of, has_text, texts_of
from lab.text.rows.source import RowShape, RowSource, split_rows
from lab.text.rows.turns import turn_tokenizer
from lab.text.tokenizers.nothing import NoTokenizer
from lab.text.tokenizers.units import CharacterTokenizer


@pytest.fixture
def tokenizer():
    """Return a function that makes the tokenizer of the characters of rows."""

    def tokenizer(rows):
        if not has_text(rows):
            return NoTokenizer()
        characters = CharacterTokenizer("".join(sorted({letter for text in texts_of(rows) for letter in text})))
        return turn_tokenizer(characters, rows) if rows.kind == "conversations" else characters

    return tokenizer


@pytest.fixture
def sources(tokenizer):
    """Return a function that makes the training and validation sources of rows."""

    def sources(rows, share=0.75, context_length=64, order="crops"):
        cut = tokenizer(rows)
        columns, shape = columns_of(rows, cut), RowShape.of(rows)
        size = cut.vocabulary_size
        return tuple(
            RowSource(columns, numbers, shape, size, context_length, how)
            for numbers, how in zip(split_rows(len(rows), share), (order, "rows"), strict=True)
        )

    return sources
