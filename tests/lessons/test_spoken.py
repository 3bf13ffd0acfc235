"""Formulas in words."""

import pytest

from lab.lessons.spoken import ENGLISH, GERMAN, spoken


@pytest.mark.parametrize(
    ("latex", "english"),
    [
        (r"\frac{c(h\,w)}{c(h)}", "c ( h w ) over c ( h )"),
        (r"p(w \mid h) = 0.5", "p ( w given h ) equals 0.5"),
        (r"e^{L}", "e to the L"),
        (r"\sqrt{d} \leq w_{ij}", "the root of d at most w sub ij"),
        (r"\mathrm{KL}(P) - \hat m", "KL ( P ) minus m hat"),
        (r"w \leftarrow w + y\,x", "w becomes w plus y x"),
        (r"\alpha \neq \infty", "alpha is not infinity"),
        (r"\frac", "over"),
        ("{" * 500, ""),
    ],
)
def test_a_formula_is_read_out_in_words(latex, english):
    assert spoken(latex) == english


def test_both_languages_know_the_same_signs():
    assert set(ENGLISH) == set(GERMAN)
    assert spoken(r"\frac{1}{n}", "de") == "1 durch n"
