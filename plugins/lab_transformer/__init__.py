"""The transformer: decoder-only, with learned or rotary positions, LayerNorm or RMSNorm, GELU or SwiGLU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from pydantic import model_validator

from lab.api import Architecture, StackConfig, hookimpl, setting

LAB_API_VERSION = 1


class TransformerConfig(StackConfig):
    """The settings of the transformer."""

    heads: int = setting(
        4, ge=1, le=1024, unit="heads", help="Attention heads of each layer; the width must be a multiple of them.",
        cite="Vaswani et al. 2017, section 3.2.2",
    )  # fmt: skip
    positions: Literal["learned", "rotary"] = setting(
        "learned",
        help="How a token knows its place: a trained vector per position, or queries and keys rotated by it.",
        cite="Radford et al. 2018; Su et al. 2021, eq. 34",
    )
    rotary_base: float = setting(
        10_000.0, gt=1, le=1e9, log=True, help="Base of the rotary frequencies; larger reaches further.",
        cite="Su et al. 2021, section 3.3",
    )  # fmt: skip
    norm: Literal["layer", "rms"] = setting(
        "layer", help="Normalisation before each branch: with the mean taken off, or by the root mean square alone.",
        cite="Ba et al. 2016; Zhang & Sennrich 2019",
    )  # fmt: skip
    feed_forward: Literal["gelu", "swiglu"] = setting(
        "gelu", help="Feed-forward layer: GELU, or SiLU with a gate and 2/3 of the units, for the same parameters.",
        cite="Hendrycks & Gimpel 2016; Shazeer 2020, eq. 6",
    )  # fmt: skip
    bias: bool = setting(False, help="Whether projections and LayerNorm have a bias, as GPT-2 has.")
    tie: bool = setting(True, help="Whether the output head is the embedding's own matrix.", cite="Press & Wolf 2017")

    @model_validator(mode="after")
    def _heads_fit(self) -> TransformerConfig:
        if self.width % self.heads:
            raise ValueError(f"width {self.width} is not a multiple of heads {self.heads}")
        if self.positions == "rotary" and self.width // self.heads % 2:
            raise ValueError(f"rotary positions need an even head width, not {self.width // self.heads}")
        return self


# The steps are nanoGPT's own. Only what is kept at the end is not: the mean of the last hundred steps' weights.
NANOGPT_CPU = {
    "architecture": {"layers": 4, "heads": 4, "width": 128, "dropout": 0.0, "positions": "learned", "norm": "layer",
                     "feed_forward": "gelu", "bias": False, "tie": True},
    "objective": {"name": "causal"},
    "training": {
        "context_length": 64, "batch_size": 12, "accumulation": 1, "order": "crops", "steps": 2000, "clip": 1.0,
        "average": 100,
        "optimizer": {"name": "adamw", "learning_rate": 1e-3, "beta1": 0.9, "beta2": 0.99, "weight_decay": 0.1},
        "schedule": {"name": "cosine", "warmup": 100, "floor": 0.1},
    },
}  # fmt: skip


@hookimpl
def lab_register_architectures(register: Callable[[Architecture], None]) -> None:
    """The one architecture of this plugin."""
    register(
        Architecture(
            name="transformer",
            title="Transformer",
            family="transformer",
            summary="Every token reads every earlier one through attention heads, then passes a feed-forward layer.",
            config=TransformerConfig,
            build="lab_transformer.model:build",
            tasks=frozenset({"causal", "masked"}),
            presets={"nanogpt-cpu": NANOGPT_CPU},
            equations=(
                r"\mathrm{Attention}(Q,K,V) = \mathrm{softmax}\!\left(QK^\top / \sqrt{D}\right) V",
                r"x \leftarrow x + \mathrm{Attention}(\mathrm{norm}(x))",
                r"x \leftarrow x + W_2\, f(W_1\, \mathrm{norm}(x))",
            ),
            references=(
                "Vaswani et al. 2017, Attention Is All You Need",
                "Radford et al. 2019, Language Models are Unsupervised Multitask Learners",
                "Su et al. 2021, RoFormer: Enhanced Transformer with Rotary Position Embedding",
                "Shazeer 2020, GLU Variants Improve Transformer",
                "Zhang & Sennrich 2019, Root Mean Square Layer Normalization",
            ),
        )
    )
