"""Attention and the feed-forward layer as mixers, for stacks whose blocks a pattern names."""

from __future__ import annotations

from typing import Literal

from lab.api import (
    ACTIVATION_NAMES,
    GATED_ACTIVATIONS,
    FeedForwardActivation,
    HeadSettings,
    Mixer,
    ModelConfig,
    setting,
)


class AttentionConfig(HeadSettings):
    """The settings of attention in the blocks of a pattern."""

    positions: Literal["rotary", "none"] = setting(
        "rotary", label="Encoding", group="Positions", names={"rotary": "RoPE"},
        help="Rotate queries and keys by their positions; not needed if other mixers in the stack keep the "
        "order of the text.", cite="Su et al. 2021; Lieber et al. 2024, section 5",
    )  # fmt: skip
    rotary_base: float = setting(
        10000.0, ge=10, le=1e9, log=True, label="RoPE base", group="Positions", when={"positions": "rotary"},
        help="Base of the wavelengths of rotary positions. Typical: 10,000 to 500,000.",
        cite="Su et al. 2021, section 3.4.2",
    )  # fmt: skip
    qk_norm: bool = setting(
        False, label="QK norm", group="Attention",
        help="Normalise queries and keys by their root mean square, with a trained gain.",
        cite="Henry et al. 2020; Dehghani et al. 2023",
    )  # fmt: skip
    bias: bool = setting(False, label="Biases", group="Block", help="Add a bias to the projections.")
    dropout: float = setting(
        0.0, ge=0, lt=1, live=True, group="Regularisation",
        help="Share of the attention weights set to zero, in training. Typical: 0 to 0.1.",
        cite="Srivastava et al. 2014",
    )  # fmt: skip

    def each_head(self, width: int) -> int:
        """Return the channels of each head in a stack of `width` channels."""
        return self.head_width or width // self.heads

    @property
    def key_value_heads(self) -> int:
        """Heads of keys and values."""
        return self.kv_heads or self.heads


class FeedForwardConfig(ModelConfig):
    """The settings of the feed-forward layer in the blocks of a pattern."""

    activation: FeedForwardActivation = setting(
        "swiglu", label="FFN activation", group="Feed-forward", names=ACTIVATION_NAMES,
        help="One nonlinearity, or a SiLU or GELU gate.",
        cite="Hendrycks & Gimpel 2016; So et al. 2021; Shazeer 2020, eq. 6",
    )  # fmt: skip
    hidden: int = setting(
        0, ge=0, le=1 << 20, unit="units", label="FFN width", group="Feed-forward", auto="units",
        help="Units; 0 means 4 × width, 8/3 with a gate. Typical: 8/3 to 4 × width.",
    )  # fmt: skip
    bias: bool = setting(False, label="Biases", group="Feed-forward", help="Add a bias to the projections.")

    def units(self, width: int) -> int:
        """Return the units of the layer in a stack of `width` channels."""
        return self.hidden or (8 * width // 3 if self.activation in GATED_ACTIVATIONS else 4 * width)


ATTENTION_EQUATIONS = (
    r"Q_h, K_h, V_h = x W^Q_h,\ x W^K_h,\ x W^V_h",
    r"A_h = \mathrm{softmax}\!\left(Q_h K_h^\top / \sqrt{D} + M\right) V_h",
    r"\mathrm{Attention}(x) = [A_1, \dots, A_H]\, W^O",
)
ATTENTION_SYMBOLS = {
    "x": "the vectors of all tokens, a row each",
    "Q_h": "the queries of head h",
    "K_h": "the keys of head h",
    "V_h": "the values of head h",
    "W^Q_h": "the trained matrices that make them",
    "W^O": "the matrix that joins the heads",
    "A_h": "what head h reads",
    "H": "the number of heads",
    "D": "the width of a head",
    "M": "the mask: 0 where a token is read, −∞ where it is not",
}
FEED_FORWARD_SYMBOLS = {
    "W_1": "the matrix to the hidden units",
    "W_2": "the matrix back to the channels",
    "W_3": "the matrix of what is gated, in gated layers",
    "f": "the activation, for example GELU or SiLU",
}
ATTENTION_PARTS = {
    "Q_h": "query",
    "K_h": "key",
    "V_h": "value",
    "W^Q_h": "blocks.0.token.project",
    "W^O": "blocks.0.token.output",
    "A_h": "tokens",
}
ATTENTION_SETTINGS = {"H": "heads", "D": "head_width", "M": "window"}
FEED_FORWARD_PARTS = {"W_1": "blocks.0.channel.inner", "W_2": "down"}
MIXERS = (
    Mixer(
        name="attention",
        title="Attention",
        kind="token",
        config=AttentionConfig,
        build="lab_transformer.model:attention",
        summary="Every token reads every earlier one, or those of a window, through attention heads.",
        equations=ATTENTION_EQUATIONS,
        symbols=ATTENTION_SYMBOLS,
        symbol_parts=ATTENTION_PARTS,
        symbol_settings=ATTENTION_SETTINGS,
        references=("Vaswani et al. 2017, Attention Is All You Need",),
        alone=False,
    ),
    Mixer(
        name="mlp",
        title="Feed-forward layer",
        kind="channel",
        config=FeedForwardConfig,
        build="lab_transformer.model:feed_forward",
        summary="Mixes the channels of each token on its own, with a nonlinearity or a gate.",
        equations=(r"y = W_2\, f(W_1\, x)", r"\mathrm{gated:}\ y = W_2\, (f(W_1\, x) \odot W_3\, x)"),
        symbols={**FEED_FORWARD_SYMBOLS, "x": "the input of the layer at a token", "y": "its output at this token"},
        symbol_parts={**FEED_FORWARD_PARTS, "y": "channels"},
        symbol_settings={"W_3": "activation", "f": "activation"},
        references=("Shazeer 2020, GLU Variants Improve Transformer",),
        alone=False,
    ),
)
"""The mixers that this plugin adds to patterns; a stack of the two is the transformer itself."""
