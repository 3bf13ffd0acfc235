"""The settings of a mixture of experts: its experts and router, and the stack of attention around them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Self

from pydantic import model_validator

from lab.api import (
    ACTIVATION_NAMES,
    GATED_ACTIVATIONS,
    FeedForwardActivation,
    HeadSettings,
    ModelConfig,
    StackConfig,
    norm_epsilon_setting,
    setting,
    tie_setting,
)

OF_A_ROUTER = frozenset({
    "chosen", "routing", "scores", "renormalise", "scale", "capacity", "balance", "z_loss", "bias_rate",
})  # fmt: skip
"""Settings without effect when there is only one expert, which every token passes."""
NOT_READ: Mapping[str, frozenset[str]] = {
    "top-k": frozenset(),
    "noisy-top-k": frozenset({"scores", "renormalise", "bias_rate"}),
    "expert-choice": frozenset({"scores", "renormalise", "capacity", "balance", "bias_rate"}),
}
"""The settings that are not read, by routing."""


class ExpertSettings(ModelConfig):
    """The settings of one layer of experts."""

    experts: int = setting(
        8, ge=1, le=1024, unit="experts", counted="experts",
        group="Experts",
        help="Feed-forward networks in a layer, of which each token passes only a few; 1 is an ordinary feed-forward "
        "layer without a router. Typical: 4 to 64.",
        cite="Shazeer et al. 2017, eq. 1",
    )  # fmt: skip
    chosen: int = setting(
        2, ge=1, le=1024, unit="experts per token",
        label="Active experts", group="Experts",
        help="Experts that each token passes; parameters grow with all experts, computation only with these. "
        "Typical: 1 to 8.",
        cite="Shazeer et al. 2017, eq. 5; Jiang et al. 2024, section 2.1",
    )  # fmt: skip
    shared: int = setting(
        0, ge=0, le=64, unit="experts", label="Shared experts", group="Experts",
        help="Additional experts that every token passes, for what all texts need. Typical: 0 to 2.",
        cite="Dai et al. 2024, eq. 9",
    )  # fmt: skip
    hidden: int = setting(
        0, ge=0, le=1 << 20, unit="units",
        label="Expert width", group="Experts", auto="units",
        help="Units of each expert; 0 means 4 × width, or 8/3 × width with a gate, rounded up to a multiple of 8. Many "
        "small experts can divide the work more finely than few large ones. Typical: 0.25 to 4 × width.",
        cite="Dai et al. 2024, section 3.1",
    )  # fmt: skip
    activation: FeedForwardActivation = setting(
        "swiglu", label="FFN activation", group="Experts", names=ACTIVATION_NAMES,
        help="Nonlinearity within an expert, or a SiLU or GELU gate.",
        cite="Hendrycks & Gimpel 2016; So et al. 2021; Shazeer 2020, eq. 6",
    )  # fmt: skip
    routing: Literal["top-k", "noisy-top-k", "expert-choice"] = setting(
        "top-k",
        group="Routing",
        help="A token selects its experts; the same with noise in training; or an expert selects its tokens from the "
        "whole text, so that the model sees the future and cannot generate text.",
        cite="Shazeer et al. 2017, eq. 3 to 5; Zhou et al. 2022, section 3.2",
    )
    scores: Literal["softmax", "sigmoid"] = setting(
        "softmax", label="Router scores", group="Routing",
        help="Scores from the router's logits: shares of all experts, or one score for each by itself.",
        cite="Shazeer et al. 2017, eq. 2; DeepSeek-AI 2024, eq. 15",
    )  # fmt: skip
    renormalise: bool = setting(
        True,
        label="Renormalise weights",
        group="Routing",
        help="Make the weights of the selected experts sum to 1. With one selected expert the router then has nothing "
        "to learn from, so Switch does without.",
        cite="Jiang et al. 2024, section 2.1; Fedus et al. 2021, eq. 2",
    )
    scale: float = setting(
        1.0, gt=0, le=100, log=True, label="Output scale", group="Routing",
        help="Factor on the output of the selected experts. Typical: 1 to 2.5.",
        cite="DeepSeek-AI 2024, section 4.2",
    )  # fmt: skip
    capacity: float = setting(
        0.0, ge=0, le=64, live=True, unit="times the equal share",
        label="Capacity factor", group="Routing", zero="no limit",
        help="Most tokens of a text that one expert takes in training, relative to its equal share; it passes later "
        "ones through unchanged. 0 is no limit. Typical: 0, or 1 to 2.",
        cite="Fedus et al. 2021, eq. 3",
    )  # fmt: skip
    balance: float = setting(
        0.01, ge=0, le=1, live=True,
        label="Balance loss", group="Routing",
        help="Weight of the loss that is least when all experts take equally many tokens; with 0 a few may take them "
        "all. It counts each layer by itself. Typical: 0.001 to 0.01.",
        cite="Fedus et al. 2021, eq. 4 to 6",
    )  # fmt: skip
    z_loss: float = setting(
        0.0, ge=0, le=1, live=True,
        label="Router z-loss", group="Routing",
        help="Weight of the loss on large logits of the router, which prevents its softmax from saturating. "
        "Typical: 0, or 0.001.",
        cite="Zoph et al. 2022, eq. 5",
    )  # fmt: skip
    bias_rate: float = setting(
        0.0, ge=0, le=1, live=True, unit="per step",
        label="Bias rate", group="Routing",
        help="Step of a bias on the selection alone, which rises for experts with few tokens and falls for those with "
        "many: balance without a loss. Typical: 0, or 0.001.",
        cite="Wang et al. 2024, algorithm 1; DeepSeek-AI 2024, eq. 16",
    )  # fmt: skip
    bias: bool = setting(False, label="Biases", group="Block", help="Add a bias to projections.")

    @model_validator(mode="after")
    def _active_experts_exist(self) -> Self:
        if 1 < self.experts < self.chosen:
            raise ValueError(f"chosen {self.chosen} are more than experts {self.experts}: lower chosen or add experts")
        return self

    @classmethod
    def unused(cls, values: Mapping[str, Any]) -> frozenset[str]:
        """Return the settings that the router does not read; with one expert, all of its settings."""
        if values.get("experts") == 1:
            return OF_A_ROUTER
        return NOT_READ.get(str(values.get("routing")), frozenset())

    @property
    def gated(self) -> bool:
        """True if the experts have a gate."""
        return self.activation in GATED_ACTIVATIONS

    def units(self, width: int) -> int:
        """Return the units of each expert in a stack of `width` channels; the default is a multiple of 8."""
        return self.hidden or (8 * -(-width // 3) if self.gated else 4 * width)

    def active_units(self, width: int) -> int:
        """Return the units that a token passes: those of the experts it is sent to and of the shared ones."""
        return ((1 if self.experts == 1 else self.chosen) + self.shared) * self.units(width)


class MoeConfig(HeadSettings, ExpertSettings, StackConfig):
    """The settings of a stack of attention and experts."""

    every: int = setting(
        1, ge=1, le=1000, unit="blocks", label="Experts every", group="Experts",
        help="Every n-th block has experts; the others have a dense layer. Typical: 1 or 2.",
        cite="Lepikhin et al. 2020, section 2.2; Fedus et al. 2021, section 2",
    )  # fmt: skip
    dense_first: int = setting(
        0, ge=0, le=1000, unit="blocks", label="First dense blocks", group="Experts",
        help="Number of first blocks that always have a dense feed-forward layer. Typical: 0 to 3.",
        cite="Dai et al. 2024, section 5.1.2",
    )  # fmt: skip
    dense_hidden: int = setting(
        0, ge=0, le=1 << 20, unit="units",
        label="Dense FFN width", group="Experts", auto="dense_units",
        help="Units of the dense feed-forward layers; 0 means as many as a token passes in a layer of experts. "
        "Typical: 8/3 to 4 × width.",
    )  # fmt: skip
    rotary_base: float = setting(
        10_000.0, gt=1, le=1e9, log=True, label="RoPE base", group="Positions",
        help="Base of the rotary frequencies; a larger one makes the slow ones slower. Typical: 10,000 to 500,000.",
        cite="Su et al. 2021, section 3.4.2",
    )  # fmt: skip
    norm_epsilon: float = norm_epsilon_setting()
    tie: bool = tie_setting()

    @model_validator(mode="after")
    def _heads_fit(self) -> Self:
        if not self.head_width and self.width % self.heads:
            raise ValueError(f"width {self.width} is not a multiple of heads {self.heads}: set head_width")
        if self.kv_heads and self.heads % self.kv_heads:
            raise ValueError(f"heads {self.heads} are not a multiple of kv_heads {self.kv_heads}")
        if self.each_head % 2:
            raise ValueError(f"rotary positions turn pairs of channels, not {self.each_head}: change heads")
        return self

    @model_validator(mode="after")
    def _a_block_has_experts(self) -> Self:
        if not any(map(self.is_sparse, range(self.layers))):
            what = f"none of {self.layers} layers has experts"
            if self.every > self.layers:
                raise ValueError(f"{what}: every {self.every} is more, at most {self.layers} is allowed")
            raise ValueError(f"{what}: dense_first {self.dense_first} leaves none over, lower it")
        return self

    @classmethod
    def unused(cls, values: Mapping[str, Any]) -> frozenset[str]:
        """Return the settings that the router does not read, and the units of dense layers where there are none."""
        without = values.get("every", 1) == 1 and not values.get("dense_first", 0)
        return super().unused(values) | (frozenset({"dense_hidden"}) if without else frozenset())

    def is_sparse(self, layer: int) -> bool:
        """Return True if a block (counted from 0) has a layer of experts, even of one expert."""
        return layer >= self.dense_first and (layer + 1) % self.every == 0

    @property
    def each_head(self) -> int:
        """Channels of each head."""
        return self.head_width or self.width // self.heads

    @property
    def key_value_heads(self) -> int:
        """Heads of keys and values."""
        return self.kv_heads or self.heads

    @property
    def dense_units(self) -> int:
        """Units of the dense feed-forward layers."""
        return self.dense_hidden or self.active_units(self.width)
