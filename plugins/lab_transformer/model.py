"""The pre-norm transformer: GPT-2 with learned positions, LayerNorm, GELU; LLaMA with rotary ones, RMSNorm, SwiGLU."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lab.layers import Attention, FeedForward, LayerNorm, ResidualStack, RMSNorm

if TYPE_CHECKING:
    from lab.api import Slot, Task
    from lab_transformer import TransformerConfig


def build(config: TransformerConfig, task: Task) -> ResidualStack:
    """Blocks of x ← x + Attention(norm(x)); x ← x + FeedForward(norm(x)), then norm and head."""

    def attention(slot: Slot) -> Attention:
        base = config.rotary_base if config.positions == "rotary" else None
        return Attention(slot, heads=config.heads, rotary_base=base, bias=config.bias)

    def feed_forward(slot: Slot) -> FeedForward:
        gated = config.feed_forward == "swiglu"
        return FeedForward(slot, activation="silu" if gated else "gelu", gated=gated, bias=config.bias)

    def norm(slot: Slot) -> LayerNorm | RMSNorm:
        return LayerNorm(slot, bias=config.bias) if config.norm == "layer" else RMSNorm(slot)

    return ResidualStack(
        config,
        task,
        token_mixer=attention,
        channel_mixer=feed_forward,
        norm=norm,
        positions="learned" if config.positions == "learned" else "none",
        tie=config.tie,
    )
