"""The corpus of the draft, as the place Data reads it."""

from lab.api import Corpus, NoSettings, Pairs
from lab.shell.session.corpus.draft_corpus import _read
from lab.shell.session.corpus.labels import corpus_summary
from lab.training.resolution import Resolved

ROWS = Pairs("Letters", ["a", "b", "c"], ["x", "y", "z"])


def test_the_texts_of_rows_are_what_a_tokenizer_is_fitted_to():
    card = Corpus("letters", "Letters", lambda config: ROWS, kind="pairs")
    assert _read(Resolved(card, NoSettings(), "a-stranger", "corpus"), None) == (ROWS, "a\nx\nb\ny\nc\nz")


def test_the_summary_of_rows_is_their_number():
    assert corpus_summary(ROWS) == "3 rows"
