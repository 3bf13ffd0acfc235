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
NETWORK = {
    "network": Explanation(
        shows="The network as units and edges, on one example forward and backward",
        how="Step walks from the input to the loss and back, unit by unit; the lines below show the formula of the "
        "step and its numbers. The widths of edges are the sizes of weights, or of gradients; the colours their signs.",
        example="A unit with an error of 0 gets no gradient: none of its weights moves for this example.",
        formula=r"\delta_l = f'(z_l)\, W_{l+1}^\top \delta_{l+1}, "
        r"\qquad \frac{\partial L}{\partial W_l} = \delta_l\, a_{l-1}^\top",
        symbols={
            r"\delta_l": "the error of layer l: the derivative of the loss by its sums",
            "z_l": "its weighted sums",
            "W_l": "its weights",
            "a_{l-1}": "what it reads",
            "f": "the activation",
            "L": "the loss of the example",
        },
        question="gradient",
    ),
}
NETWORK["network example"] = NETWORK["network output"] = NETWORK["network"]
"""Which one card shows together."""
SIGNALS = {
    "passing through": Explanation(
        shows="The sums that reach an activation, over the activation and its derivative",
        how="The histogram is scaled so that its largest bin is 1. Where the derivative is near 0, sums pass no "
        "gradient back.",
        example="All sums below 0 under a ReLU: the layer is dead.",
        formula=r"a = f(z), \qquad \frac{\partial a}{\partial z} = f'(z)",
        symbols={
            "a": "what the units hand on",
            "z": "the sums of the layer",
            "f": "the activation",
            "f'": "its derivative",
        },
        question="gradient",
    ),
    "gradient by depth": Explanation(
        shows="How large the gradient is at each layer, and what the activations alone make of it",
        how="The gradient is the mean length over examples. The product of derivatives goes from the last layer down; "
        "with sigmoids it is at most the dashed bound, a quarter for each layer.",
        example="A line that falls by orders of magnitude towards layer 1: the first layers learn nothing.",
        formula=r"\prod_{k \geq l} \overline{|f'(z_k)|} \leq \left(\frac{1}{4}\right)^{L - l + 1}",
        symbols={
            "f'": "the derivative of the activation",
            "z_k": "the sums of layer k",
            "L": "the number of layers",
            "l": "the number of the layer",
        },
        question="gradient",
    ),
    "units at rest": Explanation(
        shows="The share of units that pass no gradient for any example, and of sums that pass nearly none",
        how="The first are dead: nothing they have learned can change. The second are flat, as saturated sigmoids are.",
        example="0.4 in the first layer after a high learning rate: four of ten ReLUs are off for good.",
        formula=r"f'(z_i) = 0\ \mathrm{for\ all}\ i",
        symbols={"f'": "the derivative of the activation", "z_i": "the weighted sum of the unit in example i"},
        question="work",
    ),
}
WEIGHTS = {
    "unit weights": Explanation(
        shows="What each unit of the first layer looks for in an image",
        how="Each picture holds the weights of one unit where the pixels lie; colours are on both sides of 0.",
        example="A bright ring with a dark middle: this unit answers to a zero.",
        formula=r"z_j = \sum_p w_{jp}\, x_p + b_j",
        symbols={
            "z_j": "the weighted sum of unit j",
            "w_{jp}": "its weight on pixel p",
            "x_p": "the pixel",
            "b_j": "the bias of unit j",
        },
        question="work",
    ),
    "weights": Explanation(
        shows="The weights of each hidden layer",
        how="A row is a unit, a column a number that it reads.",
        example="Two equal rows: these units do the same.",
        formula=r"z = W x + b",
        symbols={"W": "the weights", "x": "what the layer reads", "b": "the biases", "z": "the sums of the layer"},
        question="work",
    ),
    "output weights": Explanation(
        shows="The weights of the output layer",
        how="A row is a class or a number that is predicted, a column a number that it reads.",
        example="A column near 0: the output does not use this unit.",
        formula=r"y = W a + b",
        symbols={
            "y": "what the model gives",
            "W": "these weights",
            "a": "the units of the last layer",
            "b": "the biases",
        },
        question="work",
    ),
}
VECTORS = {
    "token map": Explanation(
        shows="The vectors of the text's tokens in the plane in which all vectors of the vocabulary spread most",
        how="Tokens that are close are used alike. The share beside each direction is its part of the variance.",
        example="Vowels on one side and consonants on the other: the model knows that they take each other's places.",
        formula=r"p_t = (c_t - \bar{c})\, [v_1, v_2]",
        symbols={
            "p_t": "the point of the token at t",
            "c_t": "its vector",
            r"\bar{c}": "the mean of all vectors",
            "v_1": "the first principal direction",
            "v_2": "the second one",
        },
        parts={"c_t": "embedding"},
        question="memory",
    ),
    "token similarity": Explanation(
        shows="How alike the vectors of two tokens of the text are: the cosine of their angle, less the mean vector",
        how="Each row holds one token with all others: its brightest cells are its neighbours.",
        example="Digits bright with each other alone: the model has a class of digits.",
        formula=r"\cos(c_s - \bar{c},\, c_t - \bar{c})",
        symbols={"c_s": "the vector of one token", "c_t": "that of another", r"\bar{c}": "the mean of all vectors"},
        parts={"c_t": "embedding"},
        question="memory",
    ),
}
