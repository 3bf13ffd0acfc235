"""The cards of the sources that give a text."""

import subprocess
import sys

import pytest

from lab.api import ENTROPY_RATE, Text, settings_of
from lab.sources.texts.cards import lab_register_corpora
from lab.text.promises import check_text

CARDS = []
lab_register_corpora(CARDS.append)


def test_four_sources_give_a_text():
    assert [card.name for card in CARDS] == ["markov", "hidden-markov", "grammar", "dyck"]


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.name)
def test_each_has_what_it_tests_which_models_do_well_and_references(card):
    for words in (card.summary, card.tests, card.expected):
        assert words.endswith(".")
    assert card.references
    assert all(setting.help.endswith((".", ")")) for setting in settings_of(card.config))


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.name)
def test_each_gives_a_text_that_knows_its_rate(card):
    text = card.make(card.config(length=2000))
    check_text(text)
    assert isinstance(text, Text)
    assert len(text.text) == 2000
    assert list(text.floors) == [ENTROPY_RATE]


@pytest.mark.long  # in short: the same of all built-ins
def test_listing_the_cards_imports_neither_torch_nor_qt():
    code = "import sys, lab.sources.texts.cards; print([m for m in ('torch', 'PySide6', 'psutil') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
