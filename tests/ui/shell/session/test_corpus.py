"""The corpus of the draft, as the page about text reads it."""

import pytest

from lab.api import BadInput, Corpus, NoSettings, Pairs
from lab.shell.session.corpus import _read
from lab.shell.session.corpus_labels import corpus_summary
from lab.training.resolution import Resolved

ROWS = Pairs("Letters", ["a", "b", "c"], ["x", "y", "z"])


def test_rows_are_refused_by_the_page_that_counts_text():
    card = Corpus("letters", "Letters", lambda config: ROWS, kind="pairs")
    with pytest.raises(BadInput, match="this page counts text, and the corpus gives rows"):
        _read(Resolved(card, NoSettings(), "a-stranger", "corpus"), None)


def test_the_summary_of_rows_is_their_number():
    assert corpus_summary(ROWS) == "3 rows"
