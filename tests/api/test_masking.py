"""Hiding tokens: how many, what is shown, whole words, and whether a row is masked once or anew."""

import numpy as np
import pytest

from lab.api import BadInput, MaskingConfig, masked_rows
from lab.text.streams import TokenSource
from lab.text.tokenizers.edges import sentence_edges, word_edges
from lab.text.tokenizers.units import CharacterTokenizer

V, MASK = 20, 20


def rows(count=400, length=64, seed=0):
    return np.random.default_rng(seed).integers(0, V, (count, length))


class Plain:
    vocabulary_size = V


def hidden(config, tokens=None, examples=None, source=Plain, seed=3):
    tokens = rows() if tokens is None else tokens
    examples = np.arange(len(tokens)) if examples is None else examples
    return masked_rows(tokens, source, examples, seed, config, MASK)


def test_of_the_hidden_tokens_most_show_the_mask_some_another_and_some_themselves():
    tokens = rows(2000)
    found = hidden(MaskingConfig(share=0.15, masked=0.8, swapped=0.1), tokens)
    at = found.targets >= 0
    assert abs(at.mean() - 0.15) < 0.005
    assert (found.targets[at] == tokens[at]).all()
    assert (found.shown[~at] == tokens[~at]).all()
    shown = found.shown[at]
    assert abs((shown == MASK).mean() - 0.8) < 0.01
    other = (shown != MASK) & (shown != tokens[at])
    assert abs(other.mean() - 0.1 * (1 - 1 / V)) < 0.01


def test_every_row_hides_at_least_one_token_and_never_one_that_is_not_there():
    tokens = rows(50)
    tokens[:, 3:] = -1
    found = hidden(MaskingConfig(share=1e-9), tokens)
    assert ((found.targets >= 0).sum(axis=1) == 1).all()
    assert (found.targets[:, 3:] == -1).all()


def test_a_fixed_masking_depends_on_what_a_row_holds_and_not_on_when_it_is_read():
    tokens = rows(6)
    static = MaskingConfig(maskings=1)
    first, again = (hidden(static, tokens, np.arange(start, start + 6)) for start in (0, 600))
    assert (first.targets == again.targets).all()
    assert (first.shown == again.shown).all()
    dynamic = [hidden(MaskingConfig(), tokens, np.arange(start, start + 6)).targets for start in (0, 600)]
    assert (dynamic[0] != dynamic[1]).any()


def test_of_ten_fixed_maskings_each_comes_again():
    tokens = np.repeat(rows(1), 500, axis=0)
    found = hidden(MaskingConfig(maskings=10), tokens)
    assert len(np.unique(found.targets, axis=0)) == 10


def test_whole_words_are_hidden_or_shown_whole():
    text = "the cat sat on the mat, naïve as ever. " * 40
    tokenizer = CharacterTokenizer("".join(sorted(set(text))))
    tokens = tokenizer.encode(text)
    source = TokenSource(tokens, tokenizer.vocabulary_size, 39, words=lambda: word_edges(tokenizer))
    read = source.rows(np.arange(200), 0)["tokens"][:, :-1]
    config = MaskingConfig(whole_words=True, share=0.3)
    found = masked_rows(read, source, np.arange(200), 0, config, tokenizer.vocabulary_size)
    words = 0
    for row, targets in zip(read, found.targets, strict=True):
        letters = [character.isalnum() for character in tokenizer.decode(row)]
        for at in range(1, len(row)):
            if letters[at] and letters[at - 1]:
                assert (targets[at] >= 0) == (targets[at - 1] >= 0)
                words += targets[at] >= 0
    assert words > 100
    assert abs((found.targets >= 0).mean() - 0.3) < 0.04


def test_a_source_without_words_cannot_hide_whole_ones():
    with pytest.raises(BadInput) as caught:
        hidden(MaskingConfig(whole_words=True))
    assert caught.value.problem.field == "objective.whole_words"


def test_shares_beyond_all_hidden_tokens_are_refused():
    with pytest.raises(BadInput):
        MaskingConfig.read({"masked": 0.8, "swapped": 0.3}, field="objective")


def test_a_sentence_ends_with_a_sign_and_the_next_begins_with_white_space():
    tokenizer = CharacterTokenizer("".join(sorted(set("os.path! Is it?\nNo."))))
    begins, ends, ends_alone = sentence_edges(tokenizer)
    assert not ends_alone.any()
    named = [tokenizer.decode([token]) for token in range(tokenizer.vocabulary_size)]
    assert [name for name, is_space in zip(named, begins, strict=True) if is_space] == ["\n", " "]
    assert [name for name, is_end in zip(named, ends, strict=True) if is_end] == ["!", ".", "?"]


@pytest.mark.parametrize(
    ("text", "ends", "ends_alone"),
    [
        (".", True, False), ('."', True, False), ("it?)", True, False), ("…’", True, False),
        (". ", False, True), (".\n", False, True), ('!" ', False, True),
        ("。", False, True), ("か？」", False, True), ("！\n", False, True),
        ("os.path", False, False), (". The", False, False), ('. "', False, False), (")", False, False),
    ],
)  # fmt: skip
def test_quotes_brackets_and_white_space_may_stand_behind_the_end_of_a_sentence(text, ends, ends_alone):
    class OneSymbol:
        vocabulary_size = 1

        def decode(self, _tokens):
            return text

    found = sentence_edges(OneSymbol())
    assert [bool(flags[0]) for flags in found] == [False, ends, ends_alone]
