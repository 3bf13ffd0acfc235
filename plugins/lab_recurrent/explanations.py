"""Explanations of the readings of recurrent networks."""

from __future__ import annotations

from lab.api import Explanation

GRADIENT = {
    "gradient by lag": Explanation(
        shows="How much of a loss reaches the hidden state some tokens before",
        how="The axis is logarithmic: a straight fall is an exponential one. Below the bound the gradient must vanish.",
        example="Where the line is below 0.01 after ten tokens, little can be learned from what was 20 tokens ago.",
        formula=r"\left\| \frac{\partial \mathcal{L}_t}{\partial h_{t-k}} \right\| \leq (\gamma \lambda_1)^k",
        symbols={
            r"\mathcal{L}_t": "the loss at token t",
            "h_{t-k}": "the hidden state k tokens before",
            "k": "the lag in tokens",
            r"\gamma": "the largest slope of the nonlinearity",
            r"\lambda_1": "the largest singular value of the recurrent matrix",
        },
        parts={"h_{t-k}": "tokens", r"\lambda_1": "tokens"},
        question="gradient",
    )
}
MATRICES = {
    "recurrent singular values": Explanation(
        shows="By how much the recurrent matrix can stretch the state in one step",
        how="The first value is the largest. Below 1 (times the slope of the nonlinearity) gradients must vanish.",
        example="0.5 as the largest value: after ten tokens at most a thousandth is left.",
        formula=r"W_{hh} = U \Sigma V^\top",
        symbols={
            "W_{hh}": "the recurrent matrix, from state to state",
            r"\Sigma": "the singular values, on a diagonal",
            "U": "the directions that come out",
            "V": "the directions that go in",
        },
        parts={"W_{hh}": "tokens"},
        question="gradient",
    ),
    "spectral radius": Explanation(
        shows="What the recurrent matrix multiplies the state by after many steps",
        how="It is the largest modulus of an eigenvalue: above 1 a state grows, below 1 it fades.",
        example="A radius of 0.9 leaves about a third of the state after ten tokens; 1.1 makes it 2.6 times as large.",
        formula=r"\max_i |\lambda_i(W_{hh})|",
        symbols={
            "W_{hh}": "the recurrent matrix, from state to state",
            r"\lambda_i": "its eigenvalues",
        },
        parts={"W_{hh}": "tokens"},
        question="memory",
    ),
}
GATES = {
    "half-life": Explanation(
        shows="After how many tokens each unit has forgotten half",
        how="A few tokens: the unit is a short window. Hundreds: it carries what the text is about.",
        example="Units that retain 0.9 have forgotten half after 6.6 tokens, those that retain 0.99 after 69.",
        formula=r"\frac{\ln 2}{-\ln f}",
        symbols={
            "f": "the mean share that the unit retains from token to token",
        },
        parts={"f": "tokens"},
        question="memory",
    )
}
COMPONENTS = {
    "state components": Explanation(
        shows="The text as a path along the directions in which the states differ most",
        how="Each point is the state after a token; near points are states that the network treats alike.",
        example="Points after spaces often lie together, since a new word begins there.",
        formula=r"h_t - \bar{h} \approx \sum_i a_{ti}\, u_i",
        symbols={
            "h_t": "the state after token t",
            r"\bar{h}": "the mean of all states",
            "a_{ti}": "where the state lies along direction i",
            "u_i": "the directions in which the states differ most",
        },
        parts={"h_t": "tokens"},
        question="memory",
    )
}
