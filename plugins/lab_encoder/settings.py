"""The settings of encoders."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, Self

from pydantic import model_validator

from lab.api import (
    ACTIVATION_NAMES,
    GATED_ACTIVATIONS,
    FeedForwardActivation,
    HeadSettings,
    Mixer,
    ModelConfig,
    PatternStackConfig,
    norm_epsilon_setting,
    pattern_setting,
    setting,
    tie_setting,
)

ATTENTION, FEED_FORWARD = "attention", "mlp"
"""The names in a pattern of the encoder's own mixers, which its own settings describe."""
OWN = (
    Mixer(ATTENTION, "Attention", "token", ModelConfig, "lab_encoder.model:no_mixer", tasks=frozenset({"masked"})),
    Mixer(FEED_FORWARD, "Feed-forward layer", "channel", ModelConfig, "lab_encoder.model:no_mixer"),
)
"""These mixers; their settings are those of the encoder."""


class EncoderConfig(HeadSettings, PatternStackConfig):
    """The settings of an encoder; the defaults are BERT's shape, narrow.

    A pattern may name any registered mixer besides attention and the feed-forward layer; one that reads only what
    stands before a token is there twice, for both directions.
    """

    pattern: str = pattern_setting("attention+mlp")
    embedding_width: int = setting(
        0, ge=0, le=65536, unit="channels", group="Size", auto="embedding_channels",
        help="Channels of the embedding, which are projected to the width: a smaller number saves most of the "
        "parameters of a large vocabulary. 0 means the width. Typical: 128.",
        cite="Lan et al. 2020, section 3.1",
    )  # fmt: skip
    shared_groups: int = setting(
        0, ge=0, le=1000, unit="groups", group="Size", zero="none",
        help="Share weights among blocks: 1 uses one set of weights for all blocks, as in ALBERT, 2 one for each half "
        "of them; 0 gives each block its own. Typical: 0 or 1.",
        cite="Lan et al. 2020, section 3.1",
    )  # fmt: skip
    segments: int = setting(
        2, ge=0, le=64, unit="segments", group="Input", zero="none",
        help="Kinds of segments, such as first and second sentence, with a trained vector each that is added to the "
        "embedding. Typical: 2 in BERT, 0 in DistilBERT.",
        cite="Devlin et al. 2018, figure 2",
    )  # fmt: skip
    embedding_norm: bool = setting(
        True, group="Input", help="Normalise the embedding before the first block.", cite="Devlin et al. 2018"
    )
    positions: Literal["none", "learned", "sinusoidal", "rotary", "alibi", "t5"] = setting(
        "learned",
        label="Encoding",
        group="Positions",
        names={"rotary": "RoPE", "alibi": "ALiBi", "t5": "T5 bias"},
        help="Position encoding: added to the embedding, a rotation of queries and keys, or a bias of scores. A "
        "pattern of recurrent mixers needs none.",
        cite="Devlin et al. 2018, figure 2; Su et al. 2021, eq. 34; Press et al. 2022; Raffel et al. 2020",
    )
    rotary_base: float = setting(
        10_000.0, gt=1, le=1e9, log=True, label="RoPE base", group="Positions", when={"positions": "rotary"},
        help="Base of the rotary frequencies; a larger one makes the slow ones slower. Typical: 10,000 to 500,000.",
        cite="Su et al. 2021, section 3.3",
    )  # fmt: skip
    qk_norm: bool = setting(
        False, label="QK norm", group="Attention",
        help="Normalise queries and keys by their root mean square, with a trained gain.",
        cite="Henry et al. 2020; Dehghani et al. 2023",
    )  # fmt: skip
    norm: Literal["layer", "rms"] = setting(
        "layer", label="Normalisation", group="Block", names={"layer": "LayerNorm", "rms": "RMSNorm"},
        help="Normalisation: with the mean subtracted, or by the root mean square alone.",
        cite="Ba et al. 2016; Zhang & Sennrich 2019",
    )  # fmt: skip
    norm_place: Literal["pre", "post"] = setting(
        "post", label="Norm placement", group="Block", names={"pre": "pre-norm", "post": "post-norm"},
        help="Norm before each branch, or after the sum as in BERT.", cite="Xiong et al. 2020",
    )  # fmt: skip
    norm_epsilon: float = norm_epsilon_setting()
    feed_forward: FeedForwardActivation = setting(
        "gelu", label="FFN activation", group="Feed-forward", names=ACTIVATION_NAMES,
        help="Feed-forward layer: one nonlinearity, or a SiLU or GELU gate.",
        cite="Hendrycks & Gimpel 2016; Shazeer 2020, eq. 6",
    )  # fmt: skip
    hidden: int = setting(
        0, ge=0, le=1 << 20, unit="units", label="FFN width", group="Feed-forward", auto="units",
        help="Units of the feed-forward layer; 0 means 4 × width, 8/3 with a gate. Typical: 4 × width.",
    )  # fmt: skip
    bias: bool = setting(True, label="Biases", group="Block", help="Add a bias to projections and LayerNorm.")
    head_transform: bool = setting(
        True, group="Output",
        help="Transform the vector of a hidden token by a matrix, the activation and a norm before the head, as BERT "
        "does.",
        cite="Devlin et al. 2018",
    )  # fmt: skip
    tie: bool = tie_setting()
    pool: Literal["mean", "first", "last"] = setting(
        "mean", group="Output",
        help="The outputs that decide about a whole text: the mean of all, or the first one, which BERT trained by "
        "predicting the next sentence.",
        cite="Devlin et al. 2018, section 3.2; Reimers & Gurevych 2019, section 3",
    )  # fmt: skip
    pooler: Literal["none", "tanh", "relu", "gelu"] = setting(
        "none", group="Output", names={"relu": "ReLU", "gelu": "GELU"},
        help="A layer before the output for classes and numbers of a whole text: tanh in BERT, RoBERTa and ALBERT, "
        "ReLU in DistilBERT, GELU in ELECTRA.",
        cite="Devlin et al. 2018, section 3.2",
    )  # fmt: skip

    @model_validator(mode="after")
    def _heads_fit(self) -> Self:
        if not self.head_width and self.width % self.heads:
            raise ValueError(f"width {self.width} is not a multiple of heads {self.heads}: set head_width")
        if self.kv_heads and self.heads % self.kv_heads:
            raise ValueError(f"heads {self.heads} are not a multiple of kv_heads {self.kv_heads}")
        if self.positions == "rotary" and self.each_head % 2:
            raise ValueError(f"rotary positions turn pairs of channels, not {self.each_head}: change heads")
        return self

    @model_validator(mode="after")
    def _parts_fit(self) -> Self:
        if self.shared_groups and self.layers % self.shared_groups:
            raise ValueError(f"layers {self.layers} are not a multiple of shared_groups {self.shared_groups}")
        if any(block.shared for block in self.blocks()):
            raise ValueError("an encoder has no shared blocks in brackets: share whole blocks by shared_groups")
        if self.shared_groups and any(
            first != other for group in self.groups() for first in group[:1] for other in group[1:]
        ):
            raise ValueError("blocks that share weights have the same mixers: change pattern or shared_groups")
        if not self.head_transform and self.tie and self.embedding_channels != self.width:
            raise ValueError("a head without transform reads the width, not the embedding's: set tie=false")
        return self

    @classmethod
    def of(cls, mixers: Iterable[Mixer]) -> type[Self]:
        """Return this config with the settings of these mixers, apart from the two that are its own."""
        own = {mixer.name: mixer for mixer in OWN}
        config = super().of(mixer for mixer in mixers if mixer.name not in own)
        config.mixers = {**own, **config.mixers}
        return config

    @classmethod
    def takes(cls, mixer: Mixer, tasks: frozenset[str]) -> bool:
        """Return True for every mixer: one that reads what stands before a token is used for both directions."""
        del tasks
        return mixer.kind == "channel" or bool(mixer.tasks & {"causal", "masked"})

    @classmethod
    def unused(cls, values: Mapping[str, Any]) -> frozenset[str]:
        """Return the settings of mixers that the pattern does not name."""
        return super().unused(values) - {mixer.key for mixer in OWN}

    def groups(self) -> list[tuple[Any, ...]]:
        """Return the mixers of the blocks that share weights, group by group."""
        blocks, size = self.blocks(), self.layers // max(1, self.shared_groups)
        return [blocks[start : start + size] for start in range(0, len(blocks), size)]

    @property
    def embedding_channels(self) -> int:
        """Channels of the embedding."""
        return self.embedding_width or self.width

    @property
    def each_head(self) -> int:
        """Channels of each head."""
        return self.head_width or self.width // self.heads

    @property
    def units(self) -> int:
        """Units of the feed-forward layer."""
        return self.hidden or (8 * self.width // 3 if self.feed_forward in GATED_ACTIVATIONS else 4 * self.width)

    @property
    def key_value_heads(self) -> int:
        """Heads of keys and values."""
        return self.kv_heads or self.heads


class ElectraConfig(EncoderConfig):
    """The settings of an encoder that tells replaced tokens from others, and of the generator that replaces them."""

    generator_share: float = setting(
        0.25, gt=0, le=1, group="Generator", label="Generator size",
        help="Width, heads and feed-forward units of the generator as a share of those of the encoder. "
        "Typical: 1/4 to 1/2.",
        cite="Clark et al. 2020, section 3.2",
    )  # fmt: skip

    @model_validator(mode="after")
    def _generator_fits(self) -> Self:
        if not self.head_transform:
            raise ValueError("the generator is narrower than the embedding it shares: set head_transform=true")
        return self

    def generator(self) -> Self:
        """Return the settings of the generator, which shares the embedding."""
        heads = max(1, round(self.heads * self.generator_share))
        kv_heads = heads if self.kv_heads > heads or (self.kv_heads and heads % self.kv_heads) else self.kv_heads
        width = max(1, round(self.width * self.generator_share / heads)) * heads
        if self.positions == "rotary":
            width = 2 * heads * max(1, width // (2 * heads))
        stored = {
            **dict(self), "width": width, "heads": heads, "kv_heads": kv_heads, "head_width": 0,
            "hidden": max(1, round(self.units * self.generator_share)), "embedding_width": self.embedding_channels,
        }  # fmt: skip
        return type(self).model_construct(**stored)
