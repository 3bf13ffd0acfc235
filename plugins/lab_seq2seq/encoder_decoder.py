"""The encoder-decoder transformer: of Vaswani et al. 2017, T5 and BART, for texts and for images as sources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from lab.layers import (
    Attention,
    CrossAttention,
    Encoder,
    EncoderDecoder,
    FeedForward,
    Initialisation,
    LayerNorm,
    RelativeBias,
    RMSNorm,
)

if TYPE_CHECKING:
    from lab.api import Slot, Task
    from lab_seq2seq.encoder_decoder_card import EncoderDecoderConfig

INITIALISATION = Initialisation("xavier", residual_scaling=False)
"""The initial weights: tables with variance 1 / C, as sinusoidal positions need."""


class SourceEncoder(Encoder):
    """The encoder: a stack that reads the source both ways.

    Args:
        config: The settings.
        task: The task of the model that it is part of.
        relative: The bias of its scores by distance; None for none.
        **stack: As for Encoder.
    """

    def __init__(self, config: EncoderDecoderConfig, task: Task, relative: RelativeBias | None, **stack: Any) -> None:
        super().__init__(config, task, **stack)
        self.relative = relative


class TransformerEncoderDecoder(EncoderDecoder):
    """The encoder-decoder of a config.

    Args:
        config: The settings.
        task: The task that the model is built for.
        relative: The bias of the decoder's scores by distance; None for none.
        **stack: As for EncoderDecoder.
    """

    def __init__(self, config: EncoderDecoderConfig, task: Task, relative: RelativeBias | None, **stack: Any) -> None:
        super().__init__(config, task, **stack)
        self.relative = relative
        self.head_bias = nn.Parameter(torch.zeros(task.vocabulary_size)) if config.head_bias else None

    def head(self, x: Tensor) -> Tensor:
        """Return logits (B, T, V) of the residual stream (B, T, C)."""
        x = self.norm(x)
        logits: Tensor = self.output(x * self.config.width**-0.5 if self.config.scaled_head else x)
        return logits if self.head_bias is None else logits + self.head_bias


def build(config: EncoderDecoderConfig, task: Task) -> TransformerEncoderDecoder:
    """Return the encoder-decoder of a config, with new weights.

    Raises:
        BadInput: The patches do not divide the images.
    """
    encoder_bias, decoder_bias = _relative(config, causal=False), _relative(config, causal=True)
    heads: dict[str, Any] = {
        "heads": config.heads, "head_width": config.head_width, "scaled": config.scaled, "bias": config.bias,
        "initialisation": INITIALISATION,
    }  # fmt: skip

    def attention(slot: Slot) -> Attention:
        return Attention(slot, position_bias=decoder_bias if slot.causal else encoder_bias, **heads)

    def cross(slot: Slot) -> CrossAttention:
        return CrossAttention(slot, **heads)

    def feed_forward(slot: Slot) -> FeedForward:
        return FeedForward(
            slot,
            hidden=config.hidden or None,
            activation=config.feed_forward,
            bias=config.bias,
            initialisation=INITIALISATION,
        )

    def norm(slot: Slot) -> nn.Module:
        if config.norm == "rms":
            return RMSNorm(slot, eps=config.norm_epsilon)
        return LayerNorm(slot, bias=config.bias, eps=config.norm_epsilon)

    stack: dict[str, Any] = {
        "token_mixer": attention,
        "channel_mixer": feed_forward,
        "norm": norm,
        "norm_place": config.norm_place,
        "embedding_norm": norm if config.embedding_norm else None,
        "positions": "none" if config.positions == "t5" else config.positions,
        "initialisation": INITIALISATION,
    }
    layers = config.encoder_layers or config.layers
    encoder = SourceEncoder(config, task, encoder_bias, layers=layers, patch=config.patch, **stack)
    model = TransformerEncoderDecoder(config, task, decoder_bias, encoder=encoder, cross=cross, tie=config.tie, **stack)
    if (config.tie or config.share) and task.source_vocabulary_size == task.vocabulary_size:
        encoder.embedding.weight = model.embedding.weight
    if config.scaled_head:
        nn.init.normal_(model.embedding.weight)
    if not config.scaled:
        _shrink_queries(model)
    if config.positions == "sinusoidal":
        model.reach = task.context_length  # sinusoids have no end, but only the context was trained
    return model


def _relative(config: EncoderDecoderConfig, *, causal: bool) -> RelativeBias | None:
    if config.positions != "t5":
        return None
    buckets, farthest = config.relative_buckets, config.relative_distance
    return RelativeBias(config.heads, buckets=buckets, farthest=farthest, causal=causal)


@torch.no_grad()
def _shrink_queries(model: nn.Module) -> None:
    """Divide the initial queries by √D, where scores are not."""
    for module in model.modules():
        if isinstance(module, Attention):
            module.project.weight[: module.heads * module.head_width] *= module.head_width**-0.5
        elif isinstance(module, CrossAttention):
            module.query.weight *= module.head_width**-0.5
