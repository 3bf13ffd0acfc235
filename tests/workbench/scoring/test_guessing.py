"""Shannon's guessing game: a passage of the validation text, and the counting of guesses."""

import math

import pytest

from lab.base import BadInput
from lab.workbench.scoring.guessing import GuessingGame, Passage, passage_of


@pytest.fixture
def game():
    """A game on "cat" after "the "."""
    return GuessingGame(Passage("the ", ("c", "a", "t"), (2, 1, 1), (math.log(4), math.log(2), 0.0), 27, 5))


def test_a_wrong_guess_counts_once_and_a_right_one_goes_on(game):
    assert [game.guess(letter) for letter in "xxyc"] == [False, False, False, True]
    assert (game.ranks, game.wrong, game.text) == ([3], [], "the c")


def test_a_revealed_symbol_counts_as_guessed_last(game):
    game.guess("x")
    game.reveal()
    assert game.ranks == [27]


def test_both_entropies_are_of_the_symbols_that_are_known(game):
    assert math.isnan(game.bits)
    for letter in "ca":
        game.guess(letter)
    own, its = game.bounds()
    assert own == (0.0, 0.0)
    assert its.upper == pytest.approx(1.0)
    assert game.bits == pytest.approx((2 + 1) / 2)
    assert game.at_once() == (2, 1)


def test_a_game_ends_with_its_passage(game):
    for letter in "cat":
        assert not game.is_over
        game.guess(letter)
    assert game.is_over
    assert not game.guess("x")
    game.reveal()
    assert game.text == "the cat"
    assert len(game.ranks) == 3


def test_a_passage_is_a_piece_of_the_validation_text_in_which_the_run_knows_its_ranks(n_gram):
    passage = passage_of(n_gram, 3, symbols=5)
    whole = n_gram.validation_text(10_000)
    assert passage.before + "".join(passage.symbols) in whole
    assert len(passage.before) == 7  # as many as it reads at once, but for the symbol itself
    assert passage.is_of_letters
    assert all(1 <= rank <= passage.vocabulary_size for rank in passage.ranks)
    assert passage == passage_of(n_gram, 3, symbols=5)
    assert len({passage_of(n_gram, seed, symbols=5).before for seed in range(4)}) > 1


def test_a_run_that_continues_no_text_has_no_passage(opened):
    with pytest.raises(BadInput, match="continues no text"):
        passage_of(opened("objective.name=masked"), 0)
