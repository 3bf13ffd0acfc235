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
        example="3 at a position: its last three tokens stand together in the training text, the last four do not.",
        formula=r"\max \{ n : c(w_{t-n+1} \dots w_t) > 0 \}",
        symbols={
            "n": "a length, at most the order of the model",
            "c": "how often the training text contains the tokens",
            "w_t": "the token at position t",
        },
        parts={"c": "how often"},
        question="memory",
    ),
}
COUNTS = {
    "n-grams seen": Explanation(
        shows="How many different n-grams of each order occur in the training text",
        how="Compare with the possible ones: from order 4 or 5 on almost all have never been seen.",
        example="“abab” has two n-grams of order 1, two of order 2 (ab, ba) and two of order 3 (aba, bab).",
        formula=r"|\{ g : c(g) > 0,\ |g| = n \}|",
        symbols={
            "g": "an n-gram",
            "c": "how often the training text contains it",
            "n": "the order: the length of the n-gram",
        },
        parts={"c": "how often"},
        question="memory",
    ),
    "n-grams possible": Explanation(
        shows="How many n-grams of each order the vocabulary allows",
        how="It grows by a factor of V with each order.",
        example="65 characters allow 17.9 million n-grams of order 4.",
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
        example="Of ten tokens two occur once: the next one is new with a probability of about 2 in 10.",
        formula=r"|\{ g : c(g) = 1,\ |g| = n \}|",
        symbols={
            "g": "an n-gram",
            "c": "how often the training text contains it",
            "n": "the order: the length of the n-gram",
        },
        parts={"c": "how often"},
        question="memory",
    ),
    "contexts covered": Explanation(
        shows="The share of this text's contexts that the training text contains, by length",
        how="1 means that every context was seen. Where it falls, the model must back off to shorter ones. A short "
        "text has no long contexts.",
        example="0.6 at length 5: at 40 % of the positions the model must use a shorter context.",
        formula=r"\frac{1}{N} \sum_t [\, c(h_t) > 0 \,]",
        symbols={
            "N": "the number of contexts of this length in the text",
            "h_t": "the context at position t",
            "c": "how often something followed it in the training text",
        },
        parts={"c": "how often"},
        question="memory",
    ),
    "followed by": Explanation(
        shows="What followed the end of this text in the training text, by the length of the context",
        how="Bars are counts. Longer contexts have fewer counts, but predict more sharply.",
        example="After “th” in English the longest bar is that of “e”.",
        formula=r"c(h_n w)",
        symbols={
            "c": "how often the training text contains the tokens",
            "h_n": "the last n tokens of this text",
            "w": "the token after them",
        },
        parts={"c": "how often"},
        question="prediction",
    ),
}
