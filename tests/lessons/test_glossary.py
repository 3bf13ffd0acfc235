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
    for language in ("en", "de"):
        titles = [term.title.lower() for term in glossary(language).values()]
        assert len(titles) == len(set(titles)) >= 150


def test_every_term_is_german_too_with_the_formula_and_the_page_of_the_english_one():
    english, german = glossary(), glossary("de")
    assert list(english) == list(german)
    for key, term in german.items():
        assert term.sentence != english[key].sentence
        assert (term.formula, term.see) == (english[key].formula, english[key].see)


@pytest.mark.parametrize(
    ("text", "word", "tip"),
    [
        ("Der Verlust der Modelle", "Verlust", "Verlust: Die Zahl"),
        ("zu den Gewichten des Netzes", "Gewichten", "Gewicht: Eine Zahl"),
        ("des Lastausgleichs wegen", "Lastausgleichs", "Lastausgleich: Ein"),
        ("zwei Bigramme", "Bigramme", "Bigramm: Ein Paar"),
        ("nichts davon", "nichts", ""),
    ],
)
def test_a_german_word_is_explained_in_its_inflections(text, word, tip):
    found = tip_at(text, text.index(word) + 1, "de")
    assert found[: len(tip)] == tip
    assert bool(found) == bool(tip)
