"""The settings of the transformer."""

from __future__ import annotations

from typing import Literal

from pydantic import model_validator

from lab.api import (
    ACTIVATION_NAMES,
    GATED_ACTIVATIONS,
    FeedForwardActivation,
    HeadSettings,
    StackConfig,
    norm_epsilon_setting,
    setting,
    tie_setting,
)

POSITIONS = {"rotary": "RoPE", "alibi": "ALiBi", "t5": "T5 bias"}
"""Names of position encodings for display."""


class TransformerConfig(HeadSettings, StackConfig):
    """The settings of the transformer; the defaults are GPT-2's shape without biases."""

    dilation: int = setting(
        1, ge=1, le=1024, unit="tokens", label="Window dilation", group="Attention", when={"window": True},
        help="Step within the window: 2 reads every second token, twice as far back. Typical: 1 to 4.",
        cite="Beltagy et al. 2020, figure 2c",
    )  # fmt: skip
    global_tokens: int = setting(
        0, ge=0, le=4096, unit="tokens",
        group="Attention", zero="none", when={"window": True},
        help="First tokens that every token may read, whatever its window; in an encoder they also read all tokens. "
        "Typical: 0 to 4.",
        cite="Beltagy et al. 2020, section 3.1; Xiao et al. 2023",
    )  # fmt: skip
    sink: bool = setting(
        False, label="Attention sink", group="Attention",
        help="Attention sink: a trained logit in each head that takes weight and adds nothing to the output.",
        cite="Xiao et al. 2023; Agarwal et al. 2025",
    )  # fmt: skip
    qk_norm: bool = setting(
        False, label="QK norm", group="Attention",
        help="Normalise queries and keys by their root mean square, with a trained gain.",
        cite="Henry et al. 2020; Dehghani et al. 2023",
    )  # fmt: skip
    attention_cap: float = setting(
        0.0, ge=0, le=1e4, label="Attention softcap", group="Attention", zero="none",
        help="Soft cap c of attention logits s: c · tanh(s / c); 0 for none. Typical: 0, or 30 to 50.",
        cite="Gemma Team 2024, section 2",
    )  # fmt: skip
    output_cap: float = setting(
        0.0, ge=0, le=1e4, label="Logit softcap", group="Output", zero="none",
        help="Soft cap of next-token logits; 0 for none. Typical: 0, or 15 to 30.", cite="Gemma Team 2024, section 2",
    )  # fmt: skip
    positions: Literal["none", "sinusoidal", "learned", "rotary", "alibi", "t5"] = setting(
        "learned",
        label="Encoding",
        group="Positions",
        names=POSITIONS,
        help="Position encoding: added to the embedding, a rotation of queries and keys, or a bias of scores.",
        cite="Vaswani et al. 2017, section 3.5; Su et al. 2021, eq. 34; Press et al. 2022; Raffel et al. 2020",
    )
    rotary_base: float = setting(
        10_000.0, gt=1, le=1e9, log=True, label="RoPE base", group="Positions", when={"positions": "rotary"},
        help="Base of the rotary frequencies; a larger one makes the slow ones slower. Typical: 10,000 to 500,000.",
        cite="Su et al. 2021, section 3.3",
    )  # fmt: skip
    rotary_share: float = setting(
        1.0, gt=0, le=1, label="RoPE share", group="Positions", when={"positions": "rotary"},
        help="Share of each head's channels that is rotated. "
        "Typical: 0.25 to 1.", cite="Black et al. 2022, section 2.1",
    )  # fmt: skip
    rotary_pairs: Literal["halves", "neighbours"] = setting(
        "halves", label="RoPE pairs", group="Positions", when={"positions": "rotary"},
        help="Channels rotated together: one of each half, as in LLaMA's weights here, or neighbours.",
        cite="Su et al. 2021, eq. 34",
    )  # fmt: skip
    rotary_scaling: Literal["none", "linear", "ntk", "llama3"] = setting(
        "none", label="RoPE scaling", group="Positions", when={"positions": "rotary"},
        names={"ntk": "NTK-aware", "llama3": "Llama 3"},
        help="Method of stretching rotary positions beyond the trained context length.",
        cite="Chen et al. 2023; Grattafiori et al. 2024",
    )  # fmt: skip
    rotary_factor: float = setting(
        1.0, ge=1, le=1024, log=True, label="RoPE scaling factor", group="Positions",
        when={"positions": "rotary", "rotary_scaling": ("linear", "ntk", "llama3")},
        help="Factor by which the context is stretched. Typical: 1 to 32.",
    )  # fmt: skip
    rotary_original: int = setting(
        8192, ge=1, le=1 << 20, unit="tokens", label="Original context", group="Positions",
        when={"positions": "rotary", "rotary_scaling": "llama3"},
        help="Context length before stretching, for “llama3”. Typical: 2,048 to 8,192.",
    )  # fmt: skip
    relative_buckets: int = setting(
        32, ge=4, le=1024, unit="buckets", label="T5 buckets", group="Positions", when={"positions": "t5"},
        help="Buckets of distances with a trained bias each, for positions “t5”. Typical: 32.",
        cite="Raffel et al. 2020, section 2.1",
    )  # fmt: skip
    relative_distance: int = setting(
        128, ge=8, le=1 << 16, unit="tokens", label="T5 distance", group="Positions", when={"positions": "t5"},
        help="Distance from which all share a bucket, for positions “t5”. Typical: 128.",
        cite="Raffel et al. 2020, section 2.1",
    )  # fmt: skip
    norm: Literal["layer", "rms", "none"] = setting(
        "layer", label="Normalisation", group="Block", names={"layer": "LayerNorm", "rms": "RMSNorm"},
        help="Normalisation: with the mean subtracted, by the root mean square alone, or none.",
        cite="Ba et al. 2016; Zhang & Sennrich 2019",
    )  # fmt: skip
    norm_place: Literal["pre", "post"] = setting(
        "pre", label="Norm placement", group="Block", names={"pre": "pre-norm", "post": "post-norm"},
        help="Norm before each branch, or after the sum as in 2017.", cite="Xiong et al. 2020",
    )  # fmt: skip
    norm_epsilon: float = norm_epsilon_setting()
    feed_forward: FeedForwardActivation = setting(
        "gelu", label="FFN activation", group="Feed-forward", names=ACTIVATION_NAMES,
        help="Feed-forward layer: one nonlinearity, or a SiLU or GELU gate.",
        cite="Hendrycks & Gimpel 2016; So et al. 2021; Shazeer 2020, eq. 6",
    )  # fmt: skip
    hidden: int = setting(
        0, ge=0, le=1 << 20, unit="units", label="FFN width", group="Feed-forward", auto="units",
        help="Units of the feed-forward layer; 0 means 4 × width, 8/3 with a gate. Typical: 8/3 to 4 × width.",
    )  # fmt: skip
    parallel: Literal["no", "one-norm", "two-norms"] = setting(
        "no", label="Parallel branches", group="Block", names={"one-norm": "one norm", "two-norms": "two norms"},
        help="Compute attention and feed-forward layer in parallel, after one common norm or one norm each.",
        cite="Wang & Komatsuzaki 2021; Chowdhery et al. 2022, section 2; Black et al. 2022",
    )  # fmt: skip
    bias: bool = setting(
        False, label="Biases", group="Block", help="Add a bias to projections and LayerNorm, as in GPT-2."
    )
    tie: bool = tie_setting()
    initialisation: Literal["normal", "small", "xavier", "mup"] = setting(
        "normal", label="Initial weights", group="Initialisation", names={"xavier": "Xavier", "mup": "muP"},
        help="Initial weights: normal(0, 0.02); normal with variance 2 / (5 × width); Xavier's; or muP's.",
        cite="Radford et al. 2019; Nguyen & Salazar 2019; Glorot & Bengio 2010; Yang et al. 2022",
    )  # fmt: skip
    residual_scaling: bool = setting(
        True, group="Initialisation",
        help="Divide initial weights that write into the residual stream by √(2 × layers).",
        cite="Radford et al. 2019, section 2.3",
    )  # fmt: skip

    @model_validator(mode="after")
    def _heads_fit(self) -> TransformerConfig:
        if not self.head_width and self.width % self.heads:
            raise ValueError(f"width {self.width} is not a multiple of heads {self.heads}: set head_width")
        if self.kv_heads and self.heads % self.kv_heads:
            raise ValueError(f"heads {self.heads} are not a multiple of kv_heads {self.kv_heads}")
        if self.positions == "rotary" and (self.rotated_channels % 2 or not self.rotated_channels):
            raise ValueError(
                f"rotary positions turn pairs of channels, not {self.rotated_channels}: change heads or rotary_share"
            )
        return self

    @model_validator(mode="after")
    def _parts_fit(self) -> TransformerConfig:
        if not self.window and (self.dilation > 1 or self.global_tokens):
            what = "dilation needs" if self.dilation > 1 else "global tokens need"
            raise ValueError(f"{what} a window: set window")
        if self.parallel == "two-norms" and self.norm_place == "post":
            raise ValueError("post-norm has one norm after the sum of two parallel branches: set parallel one-norm")
        buckets, farthest = self.relative_buckets, self.relative_distance
        if self.positions == "t5" and (buckets % 2 or 2 * farthest <= buckets):
            what = f"{buckets} buckets up to distance {farthest}"
            raise ValueError(f"{what}: t5 needs an even number of buckets, half of it below that distance")
        return self

    @property
    def each_head(self) -> int:
        """Channels of each head."""
        return self.head_width or self.width // self.heads

    @property
    def rotated_channels(self) -> int:
        """Channels of each head that rotary positions rotate."""
        return int(self.each_head * self.rotary_share)

    @property
    def units(self) -> int:
        """Units of the feed-forward layer."""
        return self.hidden or (8 * self.width // 3 if self.feed_forward in GATED_ACTIVATIONS else 4 * self.width)

    @property
    def key_value_heads(self) -> int:
        """Heads of keys and values."""
        return self.kv_heads or self.heads
