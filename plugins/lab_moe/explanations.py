"""Explanations of the readings of routing."""

from __future__ import annotations

from lab.api import Explanation

ROUTING = Explanation(
    shows="Which expert takes which token, and how evenly the work is spread",
    how="The load of each expert stands next to the even share. The entropy of the router is log2 of the number of "
    "experts where it is undecided, and 0 where it always picks the same.",
    example="One row far above the even share is a collapse: one expert takes all. In early blocks experts often take "
    "letters, spaces or digits rather than subjects.",
    formula=r"p = \mathrm{softmax}(W_r x), \quad y = \sum_{e \in \mathrm{top}\,k} g_e\, E_e(x)",
    symbols={
        "p": "the share that the router gives each expert",
        "W_r": "the matrix of the router",
        "x": "the input of the layer at a token",
        "y": "the output of the layer",
        r"\mathrm{top}\,k": "the k experts with the largest shares",
        "g_e": "the weight of expert e",
        "E_e": "what expert e makes of the input",
        r"\mathrm{softmax}": "turns scores into shares",
    },
    parts={"p": "router", "W_r": "router", "y": "experts", "g_e": "router", "E_e": "experts"},
    question="work",
)
EXPERTS = {
    "gates": Explanation(
        shows="With which weights the selected experts are added up, token by token",
        how="A row is an expert, a column a token; empty cells are experts that were not selected.",
        example="Weights of 0.6 and 0.3: the first expert counts twice as much as the second.",
        formula=r"y = \sum_{e \in \mathcal{T}} g_e\, E_e(x)",
        symbols={
            "y": "the output of the layer at a token",
            r"\mathcal{T}": "the experts that the token chose",
            "g_e": "the weight of expert e",
            "E_e": "what expert e makes of the input",
            "x": "the input of the layer at the token",
        },
        parts={"y": "experts", "g_e": "router", "E_e": "experts"},
        question="work",
    ),
    "routing": ROUTING,
}
CLASSES = {
    "experts by class": Explanation(
        shows="How the tokens of each class (keywords, letters, digits …) are spread over the experts",
        how="Equal shares of one class mean that the router does not look at the class.",
        example="0.9 in one cell: nine of ten tokens of this class go to this expert.",
        formula=r"\frac{n_{ce}}{\sum_i n_{ci}}",
        symbols={
            "n_{ce}": "how many tokens of class c expert e took",
            "i": "every expert",
        },
        parts={"n_{ce}": "router"},
        question="work",
    )
}
