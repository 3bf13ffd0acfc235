"""The tokenizer of conversations."""

import pytest

from lab.api import Conversations, LabError, Turn
from lab.text.rows.turns import turn_tokenizer, with_stored_turns
from lab.text.tokenizers.units import CharacterTokenizer

LETTERS = CharacterTokenizer("ab")
TALK = Conversations("c", [[Turn("user", "ab"), Turn("bot", "b", learned=True)]] * 2)


def test_roles_and_ends_have_symbols_after_those_of_the_text():
    turns = turn_tokenizer(LETTERS, TALK)
    assert turns.vocabulary_size == 5
    assert [turns.label(token) for token in range(5)] == ["a", "b", "<bot>", "<user>", "<end of turn>"]
    assert turns.sizes().tolist() == [1, 1, 0, 0, 0]
    assert turns.decode([3, 0, 1, 4, 2, 1, 4]) == "ab\nb\n"
    assert turns.encode("ba").tolist() == [1, 0]


def test_a_prompt_is_the_turn_that_is_answered():
    assert turn_tokenizer(LETTERS, TALK).around() == ([3], [4, 2])


def test_where_nobody_is_answered_a_prompt_begins_the_turn_that_is_written():
    alone = turn_tokenizer(LETTERS, Conversations("c", [[Turn("bot", "b", learned=True)]] * 2))
    assert alone.around() == ([2], [])


def test_the_tokenizer_of_a_run_has_the_roles_that_it_stores():
    again = with_stored_turns(LETTERS, {"roles": ["bot", "user"], "reads": "user", "writes": "bot"})
    assert again.around() == ([3], [4, 2])
    assert with_stored_turns(LETTERS, {}) is LETTERS


@pytest.mark.parametrize("stored", [{"roles": "bot"}, {"roles": ["bot"]}, {"roles": ["a"], "writes": "a", "reads": 3}])
def test_damaged_roles_are_refused(stored):
    with pytest.raises(LabError, match="does not say who speaks"):
        with_stored_turns(LETTERS, stored)
