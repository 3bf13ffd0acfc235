"""The settings of networks on vectors and images, and of language models that read a window of tokens."""

from __future__ import annotations

from typing import Literal

from lab.api import ModelConfig, setting

Activation = Literal[
    "identity", "sigmoid", "tanh", "relu", "leaky-relu", "prelu", "elu", "selu", "gelu", "gelu-tanh", "silu",
    "softplus", "mish", "maxout",
]  # fmt: skip
Norm = Literal["none", "batch", "layer", "group", "instance", "rms"]
Initial = Literal["he", "xavier", "lecun", "orthogonal", "normal", "uniform", "zeros"]

ACTIVATION_NAMES = {
    "identity": "None (linear)", "relu": "ReLU", "leaky-relu": "Leaky ReLU", "prelu": "Parametric ReLU", "elu": "ELU",
    "selu": "SELU", "gelu": "GELU", "gelu-tanh": "GELU (tanh)", "silu": "SiLU",
}  # fmt: skip
NORM_NAMES = {"rms": "RMS"}
INITIAL_NAMES = {"he": "He", "xavier": "Xavier", "lecun": "LeCun"}
WIDTHS = [32, 32]
MOST_LAYERS = 200


class LinearConfig(ModelConfig):
    """The settings of one layer of weights."""

    bias: bool = setting(True, group="Size", help="Add a bias to each weighted sum, so that its border can leave 0.")
    spread: float = setting(
        0.0, ge=0, le=10, group="Initialisation", zero="zeros",
        help="Standard deviation of the initial weights; 0 starts at zeros, which is no harm without a hidden layer. "
        "Typical: 0 to 0.1.",
    )  # fmt: skip


class RandomFeaturesConfig(ModelConfig):
    """The settings of a linear model of random features."""

    features: int = setting(
        100, ge=1, le=100_000, log=True, unit="units", group="Size",
        help="Units that are drawn at random and stay as they are; each has one weight for each output. Typical: 10 to "
        "10,000.",
        cite="Rahimi & Recht 2007",
    )  # fmt: skip
    activation: Literal["relu", "tanh", "sigmoid"] = setting(
        "relu", group="Layers", names=ACTIVATION_NAMES, help="What each unit does to its weighted sum."
    )
    spread: float = setting(
        1.0, gt=0, le=100, log=True, group="Initialisation",
        help="Standard deviation of the weighted sums of inputs of standard deviation 1, and of the biases. Typical: 1 "
        "to 10; larger ones bend sooner.",
    )  # fmt: skip


class HiddenConfig(ModelConfig):
    """The settings that networks with hidden layers share."""

    activation: Activation = setting(
        "relu", group="Layers", names=ACTIVATION_NAMES,
        help="What each unit does to its weighted sum. Without one, all layers together are a single matrix.",
        cite="Nair & Hinton 2010; He et al. 2015; Clevert et al. 2016; Klambauer et al. 2017; Goodfellow et al. 2013",
    )  # fmt: skip
    slope: float = setting(
        0.01, ge=0, le=1, group="Layers", when={"activation": ("leaky-relu", "prelu")},
        help="Slope below 0; a parametric ReLU learns it, and starts from this. Typical: 0.01, parametric 0.25.",
        cite="Maas et al. 2013; He et al. 2015",
    )  # fmt: skip
    pieces: int = setting(
        2, ge=2, le=16, unit="pieces", group="Layers", when={"activation": "maxout"},
        help="Weighted sums per unit, of which the largest is taken. Typical: 2 to 5.",
        cite="Goodfellow et al. 2013",
    )  # fmt: skip
    groups: int = setting(
        4, ge=1, le=1024, unit="groups", group="Layers", when={"norm": "group"},
        help="Groups of units or channels that are normalised together; it must divide their number. Typical: 4 to 32.",
        cite="Wu & He 2018",
    )  # fmt: skip
    bias: bool = setting(True, group="Layers", help="Add a bias to each weighted sum.")
    dropout: float = setting(
        0.0, ge=0, lt=1, live=True, group="Regularisation",
        help="Share of hidden units set to zero in training; the others are scaled up. Typical: 0 to 0.5.",
        cite="Srivastava et al. 2014",
    )  # fmt: skip
    initialisation: Initial = setting(
        "he", group="Initialisation", names=INITIAL_NAMES,
        help="How the initial weights are drawn. He keeps the size of signals with ReLU, Xavier with tanh, LeCun with "
        "SELU; zeros make all units of a layer the same for ever.",
        cite="He et al. 2015; Glorot & Bengio 2010; LeCun et al. 1998; Saxe et al. 2014",
    )  # fmt: skip
    gain: float = setting(
        1.0, gt=0, le=100, log=True, group="Initialisation",
        when={"initialisation": ("he", "xavier", "lecun", "orthogonal")},
        help="Factor of the initial weights. Typical: 1.",
    )  # fmt: skip
    spread: float = setting(
        0.01, gt=0, le=100, log=True, group="Initialisation", when={"initialisation": ("normal", "uniform")},
        help="Standard deviation of normal initial weights, or bound of uniform ones. Typical: 0.01 to 1.",
    )  # fmt: skip


class MLPConfig(HiddenConfig):
    """The settings of a multi-layer network."""

    widths: list[int] = setting(
        WIDTHS, max_length=MOST_LAYERS, unit="units", group="Size",
        help="Units of each hidden layer, one number for each; none is a linear model. Typical: 16 to 512.",
    )  # fmt: skip
    norm: Literal["none", "batch", "layer", "group", "rms"] = setting(
        "none", label="Normalisation", group="Layers", names=NORM_NAMES,
        help="What is normalised before each activation: each unit over the batch, or the units of one example "
        "together.",
        cite="Ioffe & Szegedy 2015; Ba et al. 2016; Wu & He 2018; Zhang & Sennrich 2019",
    )  # fmt: skip
    residual: bool = setting(
        False, group="Layers",
        help="Add the input of each hidden layer to its output, where both have as many units.",
        cite="He et al. 2016",
    )  # fmt: skip


class ConvolutionalConfig(HiddenConfig):
    """The settings of a convolutional network on images."""

    channels: list[int] = setting(
        [16, 32], min_length=1, max_length=16, unit="channels", group="Size",
        help="Channels of each convolution; after each, the picture is halved as long as it has two rows and columns. "
        "Typical: 8 to 64.",
    )  # fmt: skip
    kernel: int = setting(
        3, ge=1, le=15, unit="pixels", group="Size", help="Side of the squares that are compared. Typical: 3 or 5.",
        cite="LeCun et al. 1998",
    )  # fmt: skip
    widths: list[int] = setting(
        [64], max_length=16, unit="units", group="Size",
        help="Units of each layer above the convolutions. Typical: one layer of 32 to 128.",
    )  # fmt: skip
    norm: Norm = setting(
        "none", label="Normalisation", group="Layers", names=NORM_NAMES,
        help="What is normalised before each activation of a convolution: each channel over the batch, all or some "
        "channels of one picture, or each channel of one picture.",
        cite="Ioffe & Szegedy 2015; Ba et al. 2016; Wu & He 2018; Ulyanov et al. 2016",
    )  # fmt: skip


class WindowConfig(ModelConfig):
    """The settings of language models that read the last tokens only."""

    window: int = setting(
        4, ge=1, le=256, unit="tokens", group="Size",
        help="Tokens that a prediction reads: 4 compares with an n-gram of order 5. Typical: 2 to 8.",
    )  # fmt: skip


class EmbeddedConfig(WindowConfig):
    """The settings of those that represent tokens by vectors."""

    width: int = setting(
        32, ge=1, le=8192, log=True, unit="channels", group="Size",
        help="Numbers that represent each token. Typical: 16 to 128.",
    )  # fmt: skip
    embedding_std: float = setting(
        0.1, gt=0, le=10, log=True, label="Embedding std", group="Initialisation",
        help="Standard deviation of the initial vectors of tokens. Typical: 0.01 to 1.",
    )  # fmt: skip


class BengioConfig(EmbeddedConfig):
    """The settings of the network of Bengio et al. 2003."""

    hidden: int = setting(
        128, ge=1, le=65536, log=True, unit="units", group="Size",
        help="Units of the hidden layer. Typical: 50 to 500.",
    )  # fmt: skip
    direct: bool = setting(
        False, label="Direct connections", group="Size",
        help="Connect the vectors of the tokens with the output directly, too. In the paper the network without them "
        "generalised better, the one with them learned in half the time.",
        cite="Bengio et al. 2003, eq. 1",
    )  # fmt: skip
    dropout: float = setting(
        0.0, ge=0, lt=1, live=True, group="Regularisation",
        help="Share of hidden units set to zero in training. Typical: 0 to 0.5.",
        cite="Srivastava et al. 2014",
    )  # fmt: skip


class LogBilinearConfig(EmbeddedConfig):
    """The settings of the log-bilinear model."""

    diagonal: bool = setting(
        False, label="Diagonal matrices", group="Size",
        help="Let each position of the window scale each channel, in place of mixing them by a full matrix.",
        cite="Mnih & Teh 2012, section 2",
    )  # fmt: skip


class LogisticConfig(WindowConfig):
    """The settings of logistic regression on a window."""


class TokenConvolutionConfig(ModelConfig):
    """The settings of a causal convolutional language model."""

    layers: int = setting(
        4, ge=1, le=64, unit="layers", counted="layers", group="Size",
        help="Convolutions on top of each other. Typical: 2 to 10.",
    )  # fmt: skip
    width: int = setting(
        64, ge=1, le=8192, log=True, unit="channels", group="Size", help="Channels of each layer. Typical: 32 to 512."
    )
    kernel: int = setting(
        3, ge=1, le=64, unit="tokens", group="Size", help="Tokens that a convolution reads. Typical: 2 to 5."
    )
    dilated: bool = setting(
        True, group="Size",
        help="Double the distance between the tokens that are read with each layer, so that the window grows "
        "exponentially with depth.",
        cite="van den Oord et al. 2016; Bai et al. 2018",
    )  # fmt: skip
    dropout: float = setting(
        0.0, ge=0, lt=1, live=True, group="Regularisation",
        help="Share of values set to zero after each convolution in training. Typical: 0 to 0.3.",
        cite="Srivastava et al. 2014",
    )  # fmt: skip


def read_by(config: TokenConvolutionConfig) -> int:
    """Return how many tokens a prediction of a causal convolutional model reads."""
    steps = (2**layer if config.dilated else 1 for layer in range(config.layers))
    return 1 + (config.kernel - 1) * sum(steps)
