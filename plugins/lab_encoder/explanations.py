"""Explanations of the readings of encoders."""

from __future__ import annotations

from lab.api import Explanation

REPLACED = {
    "replaced": Explanation(
        shows="How probable the discriminator finds it that a token does not belong where it stands",
        how="A bar per token. What is above one half is judged to be replaced by the generator.",
        example="A word that fits its neighbours but not the sentence before them: only a model that reads far finds "
        "it.",
        formula=r"D(x, t) = \sigma(w^\top h_D(x)_t)",
        symbols={
            "D": "the probability that the token was replaced",
            "x": "the text that is read",
            "t": "the position of the token",
            r"\sigma": "the logistic function",
            "w": "the weights of the head",
            "h_D": "the vectors that the discriminator makes of the text",
        },
        question="prediction",
    ),
}
