"""The settings and the card of the encoder-decoder transformer."""

from __future__ import annotations

from typing import Literal

from pydantic import model_validator

from lab.api import (
    ACTIVATION_NAMES,
    Architecture,
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
    positions: Literal["sinusoidal", "learned"] = setting(
        "sinusoidal", label="Encoding", group="Positions",
        help="Position encoding that is added to the embedding; the patches of an image have learned ones.",
        cite="Vaswani et al. 2017, section 3.5",
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
    norm_epsilon: float = norm_epsilon_setting()
    feed_forward: Literal["relu", "gelu", "swiglu"] = setting(
        "relu", label="FFN activation", group="Feed-forward", names=ACTIVATION_NAMES,
        help="Feed-forward layer: one nonlinearity, or a SiLU gate.", cite="Shazeer 2020, eq. 6",
    )  # fmt: skip
    hidden: int = setting(
        0, ge=0, le=1 << 20, unit="units", label="FFN width", group="Feed-forward", auto=True,
        help="Units of the feed-forward layer; 0 means 4 × width, 8/3 with a gate. Typical: 8/3 to 4 × width.",
    )  # fmt: skip
    tie: bool = setting(
        True, label="Weight tying", group="Output",
        help="Use one matrix as the embedding of source and target and as the output head.",
        cite="Vaswani et al. 2017, section 3.4",
    )  # fmt: skip

    @model_validator(mode="after")
    def _heads_fit(self) -> EncoderDecoderConfig:
        if self.width % self.heads:
            raise ValueError(f"width {self.width} is not a multiple of heads {self.heads}")
        return self


CARD = Architecture(
    name="encoder-decoder",
    title="Encoder-decoder",
    family="transformer",
    summary="An encoder reads the source both ways; a decoder writes and reads it through cross-attention.",
    config=EncoderDecoderConfig,
    build="lab_transformer.encoder_decoder:build",
    tasks=frozenset({"sequence-to-sequence"}),
    inputs=frozenset({"tokens", "images"}),
    presets={
        "translation-2017": {
            "architecture": EncoderDecoderConfig(norm_place="post", dropout=0.1).stored(),
            "objective": {"name": "sequence-to-sequence", "label_smoothing": 0.1},
            "training": {
                "optimizer": {"name": "adamw", "learning_rate": 1e-3, "beta2": 0.98, "weight_decay": 0.0},
                "schedule": {"name": "cosine", "warmup": 200, "floor": 0.1},
            },
        },
    },
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
        "Dosovitskiy et al. 2021, An Image is Worth 16x16 Words",
    ),
)
"""The card."""
