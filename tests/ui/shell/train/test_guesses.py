"""The loss in words: among how many tokens the model guesses, and how many there are."""

import math

import pytest

from lab.shell.train.guesses import Prediction, choices_text, loss_sentence

CHARACTERS = Prediction("character", targets=85)


def test_the_sentence_names_the_perplexity_and_the_size_of_the_vocabulary():
    sentence = "It guesses the next character as if choosing among 4; guessing blindly would be 85"
    assert loss_sentence(math.log(4), CHARACTERS) == sentence


@pytest.mark.parametrize(
    ("tokenizer", "objective", "target"),
    [
        ("character", "causal", "the next character"),
        ("byte", "carried", "the next byte"),
        ("word", "causal", "the next word"),
        ("bpe", "causal", "the next token"),
        ("symbol", "causal", "the next symbol"),
        ("of_a_plugin", "causal", "the next token"),
        ("character", "masked", "a hidden character"),
        ("unigram", "masked", "a hidden token"),
        ("symbol", "classification", "the class"),
        ("character", "sequence-to-sequence", "the next character"),
    ],
)
def test_the_tokenizer_and_the_objective_decide_what_is_guessed(tokenizer, objective, target):
    assert loss_sentence(math.log(6.2), Prediction(tokenizer, objective)) == (
        f"It guesses {target} as if choosing among 6.2"
    )


def test_two_choices_are_chosen_between():
    assert "as if choosing between 2;" in loss_sentence(math.log(2), CHARACTERS)
    assert "as if choosing among 2.1;" in loss_sentence(math.log(2.1), CHARACTERS)


@pytest.mark.parametrize("nats", [0.0, 1e-9, 0.01, -0.5])
def test_a_very_small_loss_is_near_certainty(nats):
    sentence = "It is nearly certain of the next character; guessing blindly would be 85"
    assert loss_sentence(nats, CHARACTERS) == sentence
    assert loss_sentence(nats, Prediction("word")) == "It is nearly certain of the next word"


def test_a_loss_above_that_of_a_blind_guess_is_described_as_worse():
    sentence = loss_sentence(math.log(120), CHARACTERS)
    assert sentence == "It guesses the next character as if choosing among 120, worse than blindly, which would be 85"


def test_an_untrained_model_is_not_called_worse_than_a_blind_guess():
    assert "; guessing blindly would be 85" in loss_sentence(math.log(85) + 0.02, CHARACTERS)


def test_a_vocabulary_of_one_symbol_leaves_no_blind_guess():
    assert loss_sentence(0.0, Prediction("symbol", targets=1)) == "It is nearly certain of the next symbol"


def test_an_infinite_loss_has_its_reason_and_no_number():
    sentence = loss_sentence(math.inf, CHARACTERS)
    assert sentence == "At least once it gave the next character no chance at all, which makes the loss infinite"


@pytest.mark.parametrize("nats", [None, math.nan])
def test_without_a_loss_there_is_no_sentence(nats):
    assert loss_sentence(nats, CHARACTERS) == ""


def test_a_model_that_reads_what_it_predicts_does_not_guess():
    sentence = loss_sentence(0.1, Prediction("character", targets=85, reads_later=True))
    assert sentence == "It can read the next character, so its loss does not measure how well it guesses"


@pytest.mark.parametrize(
    ("choices", "text"),
    [
        (1.24, "1.2"),
        (3.96, "4"),
        (9.94, "9.9"),
        (9.97, "10"),
        (85.4, "85"),
        (999.4, "999"),
        (999.6, "1,000"),
        (12_345, "12,300"),
        (50_257, "50,300"),
        (2_345_678, "2.35 million"),
        (3.2e9, "3.2 billion"),
        (1e300, "more than a trillion"),
    ],
)
def test_large_numbers_are_rounded(choices, text):
    assert choices_text(choices) == text


def test_numbers_of_the_sentence_are_written_as_the_language_does(german):
    assert [choices_text(number) for number in (6.8, 7.0, 2345.0, 2.5e6)] == ["6,8", "7", "2.340", "2,5 Millionen"]


def test_of_classes_the_sentence_says_how_many_are_right():
    sentence = loss_sentence(0.28, Prediction("none", "classification", targets=2, accuracy=0.902))
    assert sentence == "It is right about 90 % of the classes; guessing blindly would be 50 %"
    assert loss_sentence(0.28, Prediction("none", "classification", accuracy=0.9)) == (
        "It is right about 90 % of the classes"
    )


def test_without_an_evaluation_the_sentence_about_classes_is_that_of_the_loss():
    assert "as if choosing" in loss_sentence(0.5, Prediction("none", "classification", targets=4))
