"""Explanations of the readings of n-gram models."""

from __future__ import annotations

from lab.api import Explanation

MODEL = {
    "order": Explanation(
        shows="How much each context length contributes to the prediction at every position",
        how="A row is an order (the number of tokens that are looked at), a column a position; columns add up to 1.",
        example="Where the highest order is dark, its context was never seen, and shorter ones predict.",
        formula=r"p(w \mid h) = \sum_n \lambda_n(h)\, p_n(w \mid h_n)",
        symbols={
            "w": "the next token",
            "h": "the tokens before it",
            "h_n": "the last n of them",
            "p_n": "the probability by counts of order n",
            r"\lambda_n": "the weight of order n",
        },
        parts={"p_n": "1-grams"},
        question="attention",
    ),
    "matched": Explanation(
        shows="How many tokens before each position form a context that was seen in training",
        how="The longest possible is the order of the model. 0 means that only single tokens are counted.",
        question="memory",
    ),
}
COUNTS = {
    "n-grams seen": Explanation(
        shows="How many different n-grams of each order occur in the training text",
        how="Compare with the possible ones: from order 4 or 5 on almost all have never been seen.",
        question="memory",
    ),
    "n-grams possible": Explanation(
        shows="How many n-grams of each order the vocabulary allows",
        how="It grows by a factor of V with each order.",
        formula=r"V^n",
        symbols={
            "V": "the number of symbols in the vocabulary",
            "n": "the order: the length of the n-gram",
        },
        question="memory",
    ),
    "n-grams seen once": Explanation(
        shows="How many n-grams of each order occur only once",
        how="What occurs once estimates how much of a new text was never seen (Good and Turing).",
        question="memory",
    ),
    "contexts covered": Explanation(
        shows="The share of this text's contexts that the training text contains, by length",
        how="1 means that every context was seen. Where it falls, the model must back off to shorter ones.",
        question="memory",
    ),
    "followed by": Explanation(
        shows="What followed the end of this text in the training text, by the length of the context",
        how="Bars are counts. Longer contexts have fewer counts, but predict more sharply.",
        question="prediction",
    ),
}
