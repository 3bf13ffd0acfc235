"""Explanations of the readings of feed-forward networks."""

from __future__ import annotations

from lab.api import Explanation

LAYERS = {
    "weighted sum": Explanation(
        shows="What each unit gets before its activation, normalised if the layer normalises",
        how="A row is an example. Sums far from 0 are where sigmoid and tanh are flat, and no gradient comes back.",
        example="A column that is negative for every example: with ReLU this unit is dead.",
        formula=r"z = W x + b",
        symbols={"x": "what the layer reads", "W": "the weights", "b": "the biases", "z": "the weighted sums"},
        question="work",
    ),
    "activation": Explanation(
        shows="What each unit hands on",
        how="A row is an example. Zeros are units that are switched off by this example.",
        example="Two equal columns: both units do the same, as after an initialisation with zeros.",
        formula=r"a = f(z)",
        symbols={"z": "the weighted sums", "f": "the activation", "a": "what the units hand on"},
        question="work",
    ),
}
PREDICTED = {
    "predicted vector": Explanation(
        shows="The vector that the model expects the next token to have",
        how="The token with the largest product with it is the likeliest.",
        example="After a consonant the vector lies close to those of the vowels.",
        formula=r"\hat{r} = \sum_i C_i r_{w_i}",
        symbols={
            r"\hat{r}": "the predicted vector",
            "C_i": "the matrix of position i of the window",
            "r_{w_i}": "the vector of the token there",
        },
        question="prediction",
    ),
}
