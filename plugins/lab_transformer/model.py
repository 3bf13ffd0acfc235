"""The transformer: decoder or encoder, with all published variants of attention, positions, norms and feed-forward."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

from torch import nn

from lab.layers import (
    Alibi,
    Attention,
    FeedForward,
    Initialisation,
    LayerNorm,
    NoNorm,
    RelativeBias,
    ResidualStack,
    RMSNorm,
    Rotary,
    Window,
)

if TYPE_CHECKING:
    from lab.api import Slot, Task
    from lab_transformer.settings import TransformerConfig


class Transformer(ResidualStack):
    """Blocks of attention and feed-forward layers, as configured.

    Args:
        config: The settings.
        task: The task that the model is built for.
    """

    def __init__(self, config: TransformerConfig, task: Task) -> None:
        initialisation = Initialisation(config.initialisation, config.residual_scaling)
        rotary: Rotary | None = None
        position_bias: Alibi | RelativeBias | None = None
        if config.positions == "rotary":
            rotary = Rotary(
                base=config.rotary_base,
                share=config.rotary_share,
                pairs=config.rotary_pairs,
                scaling=config.rotary_scaling,
                factor=config.rotary_factor,
                original=config.rotary_original,
            )
        elif config.positions == "alibi":
            position_bias = Alibi(config.heads)
        elif config.positions == "t5":
            position_bias = RelativeBias(
                config.heads, buckets=config.relative_buckets, farthest=config.relative_distance, causal=task.causal
            )

        def attention(slot: Slot) -> Attention:
            return Attention(
                slot,
                heads=config.heads,
                head_width=config.head_width,
                kv_heads=config.kv_heads,
                rotary=rotary,
                position_bias=position_bias,
                window=config.window,
                dilation=config.dilation,
                global_tokens=config.global_tokens,
                sink=config.sink,
                qk_norm=config.norm_epsilon if config.qk_norm else None,
                cap=config.attention_cap,
                bias=config.bias,
                initialisation=initialisation,
            )

        def feed_forward(slot: Slot) -> FeedForward:
            return FeedForward(
                slot,
                hidden=config.hidden,
                activation=config.feed_forward,
                bias=config.bias,
                initialisation=initialisation,
            )

        def norm(slot: Slot) -> nn.Module:
            if config.norm == "layer":
                return LayerNorm(slot, bias=config.bias, eps=config.norm_epsilon)
            return RMSNorm(slot, eps=config.norm_epsilon) if config.norm == "rms" else NoNorm(slot)

        super().__init__(
            config,
            task,
            token_mixer=attention,
            channel_mixer=feed_forward,
            norm=norm,
            positions=config.positions if config.positions in ("learned", "sinusoidal") else "none",
            tie=config.tie,
            parallel=config.parallel,
            norm_place=config.norm_place,
            output_cap=config.output_cap,
            initialisation=initialisation,
        )
        if isinstance(position_bias, RelativeBias):
            self.relative = position_bias
        if config.positions == "sinusoidal":  # they have no end, but only the context was trained
            self.reach = task.context_length


def build(config: TransformerConfig, task: Task) -> Transformer:
    """Return the transformer of a config, with new weights."""
    return Transformer(config, task)


def attention(slot: Slot) -> Attention:
    """Return the mixer "attention" of a pattern."""
    config = slot.config
    return Attention(
        slot,
        heads=config.heads,
        head_width=config.head_width,
        kv_heads=config.kv_heads,
        rotary=Rotary(base=config.rotary_base) if config.positions == "rotary" else None,
        window=config.window,
        qk_norm=1e-5 if config.qk_norm else None,
        bias=config.bias,
    )


def feed_forward(slot: Slot) -> FeedForward:
    """Return the mixer "mlp" of a pattern."""
    return FeedForward(slot, hidden=slot.config.hidden, activation=slot.config.activation, bias=slot.config.bias)


def without_order(model: Transformer) -> Transformer:
    """Return a copy whose positions add nothing and whose tokens read all others: outputs permute as inputs do.

    Args:
        model: A transformer; it is not changed.

    Returns:
        A copy with the same weights and embedding scale.
    """
    plain = copy.deepcopy(model)
    plain.positions, plain.causal = "none", False
    for module in plain.modules():
        if isinstance(module, Attention):
            module.rotary = module.position_bias = None
            module.window, module.causal = Window(causal=False), False
    return plain
