"""The encoder-decoder transformer of Vaswani et al. 2017, for texts and for images as sources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lab.layers import Attention, CrossAttention, Encoder, EncoderDecoder, FeedForward, Initialisation, LayerNorm

if TYPE_CHECKING:
    from lab.api import Slot, Task
    from lab_transformer.encoder_decoder_card import EncoderDecoderConfig

INITIALISATION = Initialisation("xavier", residual_scaling=False)
"""The initial weights: tables with variance 1 / C, as sinusoidal positions need."""


def build(config: EncoderDecoderConfig, task: Task) -> EncoderDecoder:
    """Return the encoder-decoder of a config, with new weights.

    Raises:
        BadInput: The patches do not divide the images.
    """

    def attention(slot: Slot) -> Attention:
        return Attention(slot, heads=config.heads, bias=True, initialisation=INITIALISATION)

    def cross(slot: Slot) -> CrossAttention:
        return CrossAttention(slot, heads=config.heads, bias=True, initialisation=INITIALISATION)

    def feed_forward(slot: Slot) -> FeedForward:
        return FeedForward(
            slot,
            hidden=config.hidden or None,
            activation=config.feed_forward,
            bias=True,
            initialisation=INITIALISATION,
        )

    def norm(slot: Slot) -> LayerNorm:
        return LayerNorm(slot, bias=True, eps=config.norm_epsilon)

    stack: dict[str, Any] = {
        "token_mixer": attention,
        "channel_mixer": feed_forward,
        "norm": norm,
        "norm_place": config.norm_place,
        "initialisation": INITIALISATION,
    }
    layers = config.encoder_layers or config.layers
    encoder = Encoder(config, task, layers=layers, positions=config.positions, patch=config.patch, **stack)
    model = EncoderDecoder(
        config, task, encoder=encoder, cross=cross, positions=config.positions, tie=config.tie, **stack
    )
    if config.tie and task.source_vocabulary_size == task.vocabulary_size:
        encoder.embedding.weight = model.embedding.weight
    model.reach = task.context_length  # sinusoids have no end, but only the context was trained
    return model
