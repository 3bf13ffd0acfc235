"""The objective, the architecture and the tokenizer that are chosen for the data of a corpus."""

import pytest

from lab.host import Plugins
from lab.recipes import Recipe
from lab.training.corpus_fit import changed_names, expected_target, fitted_to_corpus, target_of
from lab.training.experiment import check_recipe
from lab.training.material import read_corpus
from lab.training.resolution import resolve

CHOSEN = {
    "reversal": ("sequence-to-sequence", "encoder-decoder", "character"),
    "polarity": ("classification", "transformer", "character"),
    "points": ("classification", "transformer", "none"),
    "sine": ("regression", "transformer", "none"),
    "digits": ("classification", "transformer", "none"),
    "shapes": ("classification", "transformer", "none"),
}


@pytest.fixture(scope="module")
def cards():
    return Plugins(safe_mode=True).load()


def recipe_on(corpus, architecture="transformer", **settings):
    values = {"name": corpus, **settings}
    tokenizer = {"name": "character"}
    return Recipe().with_values({"corpus": values, "architecture": {"name": architecture}, "tokenizer": tokenizer})


def names(recipe):
    return recipe.objective.name, recipe.architecture.name, recipe.tokenizer.name


def target(cards, recipe):
    return target_of(read_corpus(resolve(cards, "corpora", recipe.corpus, "corpus")))


@pytest.mark.parametrize("corpus", CHOSEN)
def test_what_fits_a_corpus_is_chosen_and_can_be_trained(cards, corpus):
    recipe = recipe_on(corpus, rows=40)
    fitted = fitted_to_corpus(recipe, cards, target(cards, recipe))
    assert names(fitted) == CHOSEN[corpus]
    check_recipe(fitted, cards)


def test_captions_have_text(cards):
    recipe = recipe_on("shapes", rows=40, target="caption")
    assert names(fitted_to_corpus(recipe, cards, target(cards, recipe))) == ("captions", "encoder-decoder", "character")


def test_a_text_gets_back_what_fits_a_text(cards):
    rows = fitted_to_corpus(recipe_on("points"), cards, "class")
    text = rows.with_values({"corpus": {"name": "text", "text": "a text"}})
    fitted = fitted_to_corpus(text, cards, expected_target("text"))
    assert names(fitted) == ("causal", "transformer", Recipe().tokenizer.name)
    assert changed_names(text, fitted) == {"objective": "causal", "tokenizer": Recipe().tokenizer.name}


def test_a_recipe_that_fits_stays(cards):
    recipe = recipe_on("text", "rnn", text="a text")
    assert fitted_to_corpus(recipe, cards, "tokens") is recipe


def test_what_was_named_is_never_replaced(cards):
    recipe = recipe_on("sine", "rnn")
    fitted = fitted_to_corpus(recipe, cards, "numbers", {"objective", "architecture", "tokenizer"})
    assert fitted is recipe
    assert names(fitted_to_corpus(recipe, cards, "numbers", {"architecture"}))[:2] == ("regression", "rnn")


def test_another_objective_that_fits_stays(cards):
    recipe = recipe_on("text", text="a text").with_values({"objective": {"name": "masked"}})
    assert fitted_to_corpus(recipe, cards, "tokens") is recipe
