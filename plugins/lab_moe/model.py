"""The stack of attention and experts, and the layer of experts in the blocks of a pattern."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lab.layers import Attention, FeedForward, ResidualStack, RMSNorm, Rotary
from lab_moe.experts import Experts

if TYPE_CHECKING:
    from lab.api import Slot, Task
    from lab_moe.settings import MoeConfig


class MixtureOfExperts(ResidualStack):
    """Blocks of attention and experts, or a dense feed-forward layer where the config has no experts.

    Args:
        config: The settings.
        task: The task that the model is built for.
    """

    def __init__(self, config: MoeConfig, task: Task) -> None:
        rotary = Rotary(base=config.rotary_base)

        def attention(slot: Slot) -> Attention:
            return Attention(
                slot,
                heads=config.heads,
                head_width=config.head_width,
                kv_heads=config.kv_heads,
                rotary=rotary,
                window=config.window,
                bias=config.bias,
            )

        def channel(slot: Slot) -> Experts | FeedForward:
            return experts(slot) if config.is_sparse(slot.layer) else _dense(slot, config.dense_units)

        def norm(slot: Slot) -> RMSNorm:
            return RMSNorm(slot, eps=config.norm_epsilon)

        super().__init__(config, task, token_mixer=attention, channel_mixer=channel, norm=norm, tie=config.tie)


def build(config: MoeConfig, task: Task) -> MixtureOfExperts:
    """Return the mixture of experts of a config, with new weights."""
    return MixtureOfExperts(config, task)


def experts(slot: Slot) -> Experts | FeedForward:
    """Return a layer of experts, also as the mixer "moe" of a pattern; with one expert it is a feed-forward layer."""
    config = slot.config
    if config.experts == 1:
        return _dense(slot, config.active_units(slot.width))
    return Experts(
        slot,
        experts=config.experts,
        active=config.chosen,
        hidden=config.units(slot.width),
        activation=config.activation,
        bias=config.bias,
        routing=config.routing,
        scores=config.scores,
        renormalise=config.renormalise,
        scale=config.scale,
        shared=config.shared,
    )


def _dense(slot: Slot, units: int) -> FeedForward:
    config = slot.config
    return FeedForward(slot, hidden=units, activation=config.activation, bias=config.bias)
