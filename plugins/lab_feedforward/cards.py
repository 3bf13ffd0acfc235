"""The cards of networks on vectors and images, and of language models that read a window."""

from __future__ import annotations

from lab.api import Architecture
from lab_feedforward import explanations, presets
from lab_feedforward.settings import (
    BengioConfig,
    ConvolutionalConfig,
    LinearConfig,
    LogBilinearConfig,
    LogisticConfig,
    MLPConfig,
    TokenConvolutionConfig,
)

FAMILY = "feed-forward"
LABELS = frozenset({"classification", "regression"})

VECTORS = (
    Architecture(
        name="perceptron",
        title="Perceptron (one layer)",
        family=FAMILY,
        summary="One weighted sum for each class. By its objective it is the perceptron of 1958, ADALINE, logistic or "
        "softmax regression, or linear regression.",
        config=LinearConfig,
        build="lab_feedforward.network:build_perceptron",
        tasks=LABELS,
        inputs=frozenset({"vectors", "images"}),
        presets=presets.PERCEPTRON_PRESETS,
        equations=(r"f(x) = W x + b",),
        symbols={"x": "the input", "W": "the weights", "b": "the biases", "f(x)": "one number for each class"},
        symbol_parts={"W": "output", "b": "output", "f(x)": "output"},
        symbol_settings={"b": "bias"},
        references=(
            "Rosenblatt 1958, The Perceptron",
            "Widrow & Hoff 1960, Adaptive Switching Circuits",
            "Novikoff 1962, On Convergence Proofs for Perceptrons",
            "Minsky & Papert 1969, Perceptrons",
        ),
        explanations=explanations.LAYERS,
        records=("predictions", "plane", "weights"),
    ),
    Architecture(
        name="mlp",
        title="Multi-layer network",
        family=FAMILY,
        summary="Layers of units, each a weighted sum of the layer before it, passed through an activation. One hidden "
        "layer can approximate any function, if it is wide enough.",
        config=MLPConfig,
        build="lab_feedforward.network:build_mlp",
        tasks=LABELS,
        inputs=frozenset({"vectors", "images"}),
        presets=presets.MLP_PRESETS,
        equations=(r"a_l = f(W_l a_{l-1} + b_l), \qquad a_0 = x", r"y = W a_L + b"),
        symbols={
            "x": "the input",
            "a_l": "the units of hidden layer l",
            "W_l": "the weights between two layers",
            "b_l": "the biases",
            "f": "the activation",
            "L": "the number of hidden layers",
            "W": "the weights of the output",
            "b": "the biases of the output",
            "y": "one number for each class, or each number to predict",
        },
        symbol_parts={
            "a_l": "layers.0",
            "W_l": "layers.0.linear",
            "b_l": "layers.0.linear",
            "f": "layers.0.activation",
            "W": "output",
            "b": "output",
            "y": "output",
        },
        symbol_settings={"f": "activation", "b_l": "bias", "b": "bias", "a_l": "widths", "L": "widths"},
        references=(
            "Rumelhart, Hinton & Williams 1986, Learning Representations by Back-Propagating Errors",
            "Cybenko 1989, Approximation by Superpositions of a Sigmoidal Function",
            "Glorot & Bengio 2010, Understanding the Difficulty of Training Deep Feedforward Neural Networks",
            "He et al. 2015, Delving Deep into Rectifiers",
            "He et al. 2016, Deep Residual Learning for Image Recognition",
        ),
        explanations=explanations.LAYERS,
        records=("predictions", "plane", "signals"),
    ),
    Architecture(
        name="convolutional",
        title="Convolutional network",
        family=FAMILY,
        summary="Small squares of weights that are moved over an image; what they find is pooled and read by layers of "
        "units.",
        config=ConvolutionalConfig,
        build="lab_feedforward.images:build_convolutional",
        tasks=frozenset({"classification"}),
        inputs=frozenset({"images"}),
        presets=presets.CONVOLUTIONAL_PRESETS,
        equations=(
            r"a_l = \mathrm{pool}(f(K_l * a_{l-1} + b_l)), \qquad a_0 = x",
            r"y = W a_L + b",
        ),
        symbols={
            "x": "the image",
            "a_l": "the maps of convolution l",
            "K_l": "the kernels of convolution l",
            "b_l": "the biases",
            "f": "the activation",
            "L": "the number of convolutions",
            "W": "the weights of the output",
            "b": "the biases of the output",
            "y": "one number for each class",
        },
        symbol_parts={
            "a_l": "convolutions.0",
            "K_l": "convolutions.0.convolution",
            "b_l": "convolutions.0.convolution",
            "f": "convolutions.0.activation",
            "W": "output",
            "b": "output",
            "y": "output",
        },
        symbol_settings={
            "f": "activation",
            "K_l": "kernel",
            "b_l": "bias",
            "b": "bias",
            "a_l": "channels",
            "L": "channels",
        },
        references=(
            "LeCun et al. 1998, Gradient-Based Learning Applied to Document Recognition",
            "Ioffe & Szegedy 2015, Batch Normalization",
        ),
        explanations={"activation": explanations.LAYERS["activation"]},
        records=("predictions", "weights"),
    ),
)
"""What reads vectors and images."""

WINDOWS = (
    Architecture(
        name="bengio",
        title="Bengio's network",
        family=FAMILY,
        summary="The first neural language model: tokens become vectors, those of the last few are read by one hidden "
        "layer. Tokens that are used alike get vectors that are alike, which no n-gram can do.",
        config=BengioConfig,
        build="lab_feedforward.language:build_bengio",
        presets=presets.BENGIO_PRESETS,
        equations=(r"y = b + W x + U \tanh(d + H x), \qquad x = (c_{t-n+1}, \ldots, c_t)",),
        symbols={
            "x": "the vectors of the window, one after the other",
            "c_t": "the vector of the token at t",
            "n": "tokens of the window",
            "H": "the weights of the hidden layer",
            "d": "the biases of the hidden layer",
            "U": "the weights of the output",
            "b": "the biases of the output",
            "W": "the direct connections; absent without them",
            "y": "the logits",
        },
        symbol_parts={
            "x": "embedding",
            "c_t": "embedding",
            "H": "hidden",
            "d": "hidden",
            "U": "output",
            "b": "output",
            "y": "output",
        },
        symbol_settings={"n": "window", "c_t": "width", "H": "hidden", "W": "direct"},
        references=("Bengio et al. 2003, A Neural Probabilistic Language Model",),
        explanations={"activation": explanations.LAYERS["activation"]},
    ),
    Architecture(
        name="log-bilinear",
        title="Log-bilinear model",
        family=FAMILY,
        summary="Predicts the vector of the next token as a sum of matrices times the vectors of the window; the "
        "tokens whose vectors are closest are the likeliest.",
        config=LogBilinearConfig,
        build="lab_feedforward.language:build_log_bilinear",
        presets=presets.LOG_BILINEAR_PRESETS,
        equations=(r"\hat{r} = \sum_{i=1}^{n} C_i r_{w_i}, \qquad y_w = \hat{r} \cdot r_w + b_w",),
        symbols={
            r"\hat{r}": "the predicted vector",
            "C_i": "the matrix of position i of the window",
            "n": "tokens of the window",
            "r_w": "the vector of token w",
            "b_w": "the bias of token w",
            "y_w": "its logit",
        },
        symbol_parts={
            r"\hat{r}": "position",
            "C_i": "position",
            "r_w": "embedding",
            "b_w": "bias",
            "y_w": "bias",
        },
        symbol_settings={"n": "window", "r_w": "width", "C_i": "diagonal"},
        references=(
            "Mnih & Hinton 2007, Three New Graphical Models for Statistical Language Modelling",
            "Mnih & Teh 2012, A Fast and Simple Algorithm for Training Neural Probabilistic Language Models",
        ),
        explanations=explanations.PREDICTED,
    ),
    Architecture(
        name="logistic",
        title="Logistic language model",
        family=FAMILY,
        summary="Softmax regression on the last few tokens: each adds its own weights to the logits, and none sees "
        "the others.",
        config=LogisticConfig,
        build="lab_feedforward.language:build_logistic",
        presets=presets.LOGISTIC_PRESETS,
        equations=(r"y = b + \sum_{i=1}^{n} W_i(w_i)",),
        symbols={
            "W_i(w)": "the weights of token w at position i of the window",
            "n": "tokens of the window",
            "b": "the biases",
            "y": "the logits",
        },
        symbol_parts={"W_i(w)": "position", "b": "bias", "y": "bias"},
        symbol_settings={"n": "window"},
        references=("Rosenfeld 1996, A Maximum Entropy Approach to Adaptive Statistical Language Modelling",),
    ),
    Architecture(
        name="token-convolution",
        title="Convolution over tokens",
        family=FAMILY,
        summary="Causal convolutions on top of each other: each layer reads a few tokens of the layer below it, so "
        "that the window grows with depth.",
        config=TokenConvolutionConfig,
        build="lab_feedforward.language:build_token_convolution",
        presets=presets.TOKEN_CONVOLUTION_PRESETS,
        equations=(r"x_{l+1} = x_l + \mathrm{relu}(K_l * x_l + b_l)",),
        symbols={
            "x_l": "the channels of each token below layer l",
            "K_l": "the kernel of layer l",
            "b_l": "its biases",
        },
        symbol_parts={"x_l": "embedding", "K_l": "layers.0", "b_l": "layers.0"},
        symbol_settings={"K_l": "kernel", "x_l": "width"},
        references=(
            "van den Oord et al. 2016, WaveNet",
            "Bai, Kolter & Koltun 2018, An Empirical Evaluation of Generic Convolutional and Recurrent Networks",
        ),
        explanations={"activation": explanations.LAYERS["activation"]},
    ),
)
"""Language models that read a window of tokens."""
