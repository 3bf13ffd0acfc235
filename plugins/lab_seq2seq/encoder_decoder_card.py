"""The settings and the card of the encoder-decoder transformer."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import model_validator

from lab.api import (
    ACTIVATION_NAMES,
    GATED_ACTIVATIONS,
    Architecture,
    FeedForwardActivation,
    Size,
    StackConfig,
    norm_epsilon_setting,
    setting,
)


class EncoderDecoderConfig(StackConfig):
    """The settings of the encoder-decoder transformer; by default of 2017, but pre-norm."""

    encoder_layers: int = setting(
        0, ge=0, le=1000, unit="blocks", group="Size", auto=True,
        help="Blocks of the encoder; 0 means as many as the decoder has. Typical: 2 to 12.",
    )  # fmt: skip
    heads: int = setting(
        4, ge=1, le=1024, unit="heads", counted="heads", group="Attention",
        help="Heads of each attention; they divide the width. Typical: 2 to 12.",
        cite="Vaswani et al. 2017, section 3.2.2",
    )  # fmt: skip
    head_width: int = setting(
        0, ge=0, le=4096, unit="channels", label="Head width", group="Attention", auto="each_head",
        help="Channels of each head; 0 means width / heads. Typical: 64.",
    )  # fmt: skip
    scaled: bool = setting(
        True, label="Divide by √D", group="Attention",
        help="Divide scores of queries and keys by the root of the head's width; T5 does not, and starts with smaller "
        "queries.",
        cite="Vaswani et al. 2017, section 3.2.1; Raffel et al. 2020",
    )  # fmt: skip
    positions: Literal["sinusoidal", "learned", "t5"] = setting(
        "sinusoidal", label="Encoding", group="Positions", names={"t5": "relative (T5)"},
        help="Position encoding: added to the embedding, or a trained bias of the scores by distance, one table for "
        "the encoder and one for the decoder. The patches of an image have learned ones.",
        cite="Vaswani et al. 2017, section 3.5; Raffel et al. 2020, section 2.1",
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
    patch: int = setting(
        0, ge=0, le=256, unit="pixels", label="Patch", group="Input", auto=True,
        help="Side of the squares into which an image is cut; it divides both sides. 0 gives at most 64 squares. "
        "Typical: 4 to 16.",
        cite="Dosovitskiy et al. 2021, section 3.1",
    )  # fmt: skip
    norm_place: Literal["pre", "post"] = setting(
        "pre", label="Norm placement", group="Block", names={"pre": "pre-norm", "post": "post-norm"},
        help="Norm before each branch, or after the sum as in 2017.", cite="Xiong et al. 2020",
    )  # fmt: skip
    norm: Literal["layer", "rms"] = setting(
        "layer", label="Normalisation", group="Block", names={"layer": "LayerNorm", "rms": "RMSNorm"},
        help="Normalisation: with the mean subtracted, or by the root mean square alone.",
        cite="Ba et al. 2016; Zhang & Sennrich 2019",
    )  # fmt: skip
    norm_epsilon: float = norm_epsilon_setting()
    embedding_norm: bool = setting(
        False, label="Embedding norm", group="Block",
        help="Normalise the embeddings of source and target before the first block, as BART does.",
        cite="Lewis et al. 2020",
    )  # fmt: skip
    bias: bool = setting(
        True, group="Block", help="Use biases in projections and LayerNorm. T5 has none.",
    )  # fmt: skip
    feed_forward: FeedForwardActivation = setting(
        "relu", label="FFN activation", group="Feed-forward", names=ACTIVATION_NAMES,
        help="Feed-forward layer: one nonlinearity, or a SiLU or GELU gate.", cite="Shazeer 2020, eq. 6",
    )  # fmt: skip
    hidden: int = setting(
        0, ge=0, le=1 << 20, unit="units", label="FFN width", group="Feed-forward", auto="units",
        help="Units of the feed-forward layer; 0 means 4 × width, 8/3 with a gate. Typical: 8/3 to 4 × width.",
    )  # fmt: skip
    tie: bool = setting(
        True, label="Weight tying", group="Output",
        help="Use one matrix as the embedding of source and target and as the output head.",
        cite="Vaswani et al. 2017, section 3.4",
    )  # fmt: skip

    share: bool = setting(
        False, label="One embedding", group="Output", when={"tie": False},
        help="Use one embedding for source and target, and another matrix as the head, as T5 does since version 1.1.",
        cite="Raffel et al. 2020",
    )  # fmt: skip
    scaled_head: bool = setting(
        False, label="Scaled head", group="Output",
        help="Divide what the head reads by the root of the width, as T5 does where the head is the embedding.",
        cite="Raffel et al. 2020",
    )  # fmt: skip
    head_bias: bool = setting(
        False, label="Head bias", group="Output", help="Add a trained bias to the logits, as BART may.",
    )  # fmt: skip

    @property
    def each_head(self) -> int:
        """Channels of each head."""
        return self.head_width or self.width // self.heads

    @property
    def units(self) -> int:
        """Units of the feed-forward layer."""
        return self.hidden or (8 * self.width // 3 if self.feed_forward in GATED_ACTIVATIONS else 4 * self.width)

    @model_validator(mode="after")
    def _heads_fit(self) -> EncoderDecoderConfig:
        if not self.head_width and self.width % self.heads:
            raise ValueError(f"width {self.width} is not a multiple of heads {self.heads}")
        buckets, farthest = self.relative_buckets, self.relative_distance
        if self.positions == "t5" and (buckets % 4 or 2 * farthest <= buckets):
            what = f"{buckets} buckets up to distance {farthest}"
            raise ValueError(f"{what}: t5 needs a multiple of 4 buckets, half of it below that distance")
        return self


def _preset(settings: dict[str, Any], objective: str, smoothing: float = 0.0, **training: Any) -> dict[str, Any]:
    return {
        "architecture": EncoderDecoderConfig(**settings).stored(),
        "objective": {"name": objective, "label_smoothing": smoothing},
        "training": training,
    }


_OF_2017 = {"norm_place": "post", "dropout": 0.1}
_T5 = {
    "positions": "t5", "norm": "rms", "norm_epsilon": 1e-6, "bias": False, "scaled": False, "scaled_head": True,
    "dropout": 0.1,
}  # fmt: skip
_BART = {
    "positions": "learned", "norm_place": "post", "embedding_norm": True, "feed_forward": "gelu", "dropout": 0.1,
}  # fmt: skip
_SMALL: dict[str, Any] = {
    "steps": 1500, "batch_size": 64, "schedule": {"name": "inverse-root", "warmup": 400},
    "optimizer": {"name": "adamw", "learning_rate": 3e-3, "weight_decay": 0.0},
}  # fmt: skip
PRESETS = {
    "translation-2017": _preset(
        _OF_2017, "sequence-to-sequence", 0.1, steps=2000, batch_size=64, average=200, averaging="tail", clip=0.0,
        optimizer={
            "name": "adamw", "learning_rate": (128 * 400) ** -0.5, "beta1": 0.9, "beta2": 0.98, "eps": 1e-9,
            "weight_decay": 0.0,
        },
        schedule={"name": "inverse-root", "warmup": 400},
    ),
    "t5": _preset({**_T5, "layers": 4, "width": 128, "heads": 4, "dropout": 0.0}, "span-corruption", **_SMALL),
    "bart": _preset({**_BART, "layers": 4, "width": 128, "heads": 4, "dropout": 0.0}, "denoising", **_SMALL),
}  # fmt: skip
"""Three families, narrow enough for a laptop; their published sizes are those of `SIZES`.

Of 2017 it has all: sinusoids, norms after the sum, label smoothing, Adam with β₂ = 0.98, the rate
d^−0.5 · min(s^−0.5, s · w^−1.5), whose maximum at step w is (d · w)^−0.5, and the mean of the last weights.
"""
PRESET_NOTES = {
    "translation-2017": "As of 2017: sinusoids, post-norm, label smoothing, its warm-up, the mean of the last weights.",
    "t5": "Relative positions, RMSNorm, no division by √D; learns by filling spans that were cut from a text.",
    "bart": "Learned positions, post-norm, GELU; learns to restore a text that was noised.",
}
SIZES = {
    "translation-2017": (
        Size("base", {"layers": 6, "width": 512, "heads": 8}, 37_000, 512, 65_000_000, "Vaswani et al. 2017, table 3"),
        Size(
            "big", {"layers": 6, "width": 1024, "heads": 16}, 37_000, 512, 213_000_000, "Vaswani et al. 2017, table 3"
        ),
    ),
    "t5": (
        Size(
            "small", {"layers": 6, "width": 512, "heads": 8, "head_width": 64, "hidden": 2048}, 32_128, 512, 60_506_624,
            "Raffel et al. 2020, section 3.1.1",
        ),
        Size(
            "base", {"layers": 12, "width": 768, "heads": 12, "head_width": 64, "hidden": 3072}, 32_128, 512,
            222_903_552, "Raffel et al. 2020, section 3.1.1",
        ),
    ),
    "bart": (
        Size(
            "base", {"layers": 6, "width": 768, "heads": 12, "hidden": 3072}, 50_265, 1024, 139_420_416,
            "Lewis et al. 2020",
        ),
        Size(
            "large", {"layers": 12, "width": 1024, "heads": 16, "hidden": 4096}, 50_265, 1024, 406_291_456,
            "Lewis et al. 2020",
        ),
    ),
}  # fmt: skip
"""The published sizes of each family."""

CARD = Architecture(
    name="encoder-decoder",
    title="Encoder-decoder",
    family="transformer",
    summary="An encoder reads the source both ways; a decoder writes and reads it through cross-attention.",
    config=EncoderDecoderConfig,
    build="lab_seq2seq.encoder_decoder:build",
    tasks=frozenset({"sequence-to-sequence"}),
    inputs=frozenset({"tokens", "images"}),
    presets=PRESETS,
    preset_notes=PRESET_NOTES,
    sizes=SIZES,
    equations=(
        r"m = \mathrm{Encoder}(s_1 \dots s_S)",
        r"x \leftarrow x + \mathrm{Attention}(\mathrm{norm}(x))",
        r"x \leftarrow x + \mathrm{softmax}\left(\frac{Q K^\top}{\sqrt{D}}\right) V",
        r"Q = W_Q\, \mathrm{norm}(x), \quad K = W_K\, m, \quad V = W_V\, m",
        r"x \leftarrow x + W_2\, f(W_1\, \mathrm{norm}(x))",
        r"p(w_{t+1} \mid w_1 \dots w_t, s) = \mathrm{softmax}(U\, \mathrm{norm}(x_t))",
    ),
    symbols={
        "s_1": "the first token of the source, or patch of the image",
        "s_S": "its last one",
        "m": "what the encoder made of each position of the source",
        "x": "the residual stream of the decoder",
        "Q": "the queries of the target, a row for each position",
        "K": "the keys of the source",
        "V": "the values of the source",
        "D": "the width of a head",
        "W_Q": "the matrix that makes the queries",
        "W_K": "the matrix that makes the keys",
        "W_V": "the matrix that makes the values",
        "W_1": "the matrix to the hidden units",
        "W_2": "the matrix back to the channels",
        "f": "the nonlinearity of the feed-forward layer",
        "w_t": "the token of the target at position t",
        "U": "the head; the embedding itself if both are tied",
        "p": "the probability of the next token",
    },
    symbol_parts={
        "s_1": "encoder.embedding",
        "s_S": "encoder.embedding",
        "m": "encoder",
        "Q": "blocks.0.cross.query",
        "W_Q": "blocks.0.cross.query",
        "K": "blocks.0.cross.project:key",
        "W_K": "blocks.0.cross.project:key",
        "V": "blocks.0.cross.project:value",
        "W_V": "blocks.0.cross.project:value",
        "W_1": "blocks.0.channel.inner",
        "W_2": "blocks.0.channel.outer",
        "U": "output",
        "p": "output",
    },
    symbol_settings={"D": "heads", "f": "feed_forward"},
    references=(
        "Vaswani et al. 2017, Attention Is All You Need",
        "Xiong et al. 2020, On Layer Normalization in the Transformer Architecture",
        "Raffel et al. 2020, Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer",
        "Lewis et al. 2020, BART: Denoising Sequence-to-Sequence Pre-training",
        "Dosovitskiy et al. 2021, An Image is Worth 16x16 Words",
    ),
)
"""The card."""
