"""Attention and the feed-forward layer as mixers, for stacks whose blocks a pattern names."""

from __future__ import annotations

from typing import Literal

from lab.api import HeadSettings, Mixer, ModelConfig, setting


class AttentionConfig(HeadSettings):
    """The settings of attention in the blocks of a pattern."""

    positions: Literal["rotary", "none"] = setting(
        "rotary", help="Whether queries and keys turn with their positions; beside mixers that keep the order of the "
        "text themselves they need not.", cite="Su et al. 2021; Lieber et al. 2024, section 5",
    )  # fmt: skip
    rotary_base: float = setting(
        10000.0, ge=10, le=1e9, log=True, help="Base of the wavelengths of rotary positions.",
        cite="Su et al. 2021, section 3.4.2",
    )  # fmt: skip
    qk_norm: bool = setting(
        False, help="Whether queries and keys are normalised by their root mean square, with a trained gain.",
        cite="Henry et al. 2020; Dehghani et al. 2023",
    )  # fmt: skip
    bias: bool = setting(False, help="Whether the projections have a bias.")
    dropout: float = setting(
        0.0, ge=0, lt=1, live=True, help="Share of the attention weights set to zero, in training.",
        cite="Srivastava et al. 2014",
    )  # fmt: skip


class FeedForwardConfig(ModelConfig):
    """The settings of the feed-forward layer in the blocks of a pattern."""

    activation: Literal["relu", "relu2", "gelu", "gelu-tanh", "silu", "swiglu", "geglu"] = setting(
        "swiglu", help="One nonlinearity, or SiLU or GELU with a gate.",
        cite="Hendrycks & Gimpel 2016; So et al. 2021; Shazeer 2020, eq. 6",
    )  # fmt: skip
    hidden: int = setting(
        0, ge=0, le=1 << 20, unit="units", help="Units; 0 means 4 × width, 8/3 with a gate.",
    )  # fmt: skip
    bias: bool = setting(False, help="Whether the projections have a bias.")


MIXERS = (
    Mixer(
        name="attention",
        title="Attention",
        kind="token",
        config=AttentionConfig,
        build="lab_transformer.model:attention",
        summary="Every token reads every earlier one, or those of a window, through attention heads.",
        equations=(r"\mathrm{Attention}(Q,K,V) = \mathrm{softmax}\!\left(QK^\top / \sqrt{D}\right) V",),
        references=("Vaswani et al. 2017, Attention Is All You Need",),
        alone=False,
    ),
    Mixer(
        name="mlp",
        title="Feed-forward layer",
        kind="channel",
        config=FeedForwardConfig,
        build="lab_transformer.model:feed_forward",
        summary="Mixes the channels of each token by itself, with a nonlinearity or a gate.",
        equations=(r"y = W_2\, f(W_1\, x)",),
        references=("Shazeer 2020, GLU Variants Improve Transformer",),
        alone=False,
    ),
)
"""What this plugin brings to the patterns of other stacks; a stack of the two is the transformer itself."""
