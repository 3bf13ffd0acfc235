"""The glossary: what a word of a text means."""

import pytest

from lab.lessons.glossary import glossary, tip_at, tip_of


@pytest.mark.parametrize(
    ("text", "word", "tip"),
    [
        ("Its perplexity is low", "perplexity", "Perplexity: The number"),
        ("the learning rate of a run", "rate", "Learning rate: How far"),
        ("two bigrams", "bigrams", "Bigram: A pair"),
        ("nothing of that kind", "nothing", ""),
    ],
)
def test_a_word_of_the_glossary_is_explained_where_it_stands(text, word, tip):
    found = tip_at(text, text.index(word) + 1)
    assert found[: len(tip)] == tip
    assert bool(found) == bool(tip)


def test_a_link_to_a_term_is_explained_by_its_key():
    assert tip_of("perplexity").endswith("\\exp(L)")
    assert tip_of("nothing") == ""


def test_titles_and_keys_of_terms_are_named_once():
    titles = [term.title.lower() for term in glossary().values()]
    assert len(titles) == len(set(titles)) >= 120
