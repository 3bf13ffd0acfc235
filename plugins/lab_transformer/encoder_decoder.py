"""The encoder-decoder transformer of Vaswani et al. 2017, for texts and for images as sources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from lab.api import BadInput
from lab.layers import Attention, CrossAttention, Encoder, EncoderDecoder, FeedForward, Initialisation, LayerNorm

if TYPE_CHECKING:
    from lab.api import Slot, Task
    from lab_transformer.encoder_decoder_card import EncoderDecoderConfig

INITIALISATION = Initialisation("xavier", residual_scaling=False)
"""The initial weights: tables with variance 1 / C, as sinusoidal positions need."""


class ImageEncoder(Encoder):
    """An encoder of an image cut into square patches, each a position (Dosovitskiy et al. 2021, eq. 1).

    Args:
        config: The settings.
        task: The task, whose `input_shape` is (height, width, channels).
        **stack: As for Encoder.

    Raises:
        BadInput: The patches do not divide the image.
    """

    def __init__(self, config: EncoderDecoderConfig, task: Task, **stack: Any) -> None:
        super().__init__(config, task, **stack)
        height, width, channels = task.input_shape or (0, 0, 0)
        if height % config.patch or width % config.patch:
            raise BadInput(
                f"does not divide the images of {height} × {width} pixels",
                field="patch",
                value=config.patch,
                allowed=f"a divisor of {height} and {width}",
            )
        self.patches = nn.Linear(config.patch**2 * channels, config.width)
        count = (height // config.patch) * (width // config.patch)
        self.patch_positions = nn.Parameter(torch.empty(count, config.width))
        INITIALISATION.linear(self.patches, config.width)
        INITIALISATION.table(self.patch_positions)

    def embed(self, inputs: Tensor, position: int = 0) -> Tensor:
        """Return the embedded patches, row by row: (B, H, W, channels) -> (B, S, C)."""
        del position
        B, height, width, channels = inputs.shape
        p = self.config.patch
        cut = inputs.view(B, height // p, p, width // p, p, channels).transpose(2, 3)
        return self.patches(cut.flatten(3).flatten(1, 2)) + self.patch_positions  # type: ignore[no-any-return]


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
    encoder: Encoder
    if task.input_shape is None:
        encoder = Encoder(config, task, layers=layers, positions=config.positions, **stack)
    else:
        encoder = ImageEncoder(config, task, layers=layers, **stack)
    model = EncoderDecoder(
        config, task, encoder=encoder, cross=cross, positions=config.positions, tie=config.tie, **stack
    )
    if config.tie and task.source_vocabulary_size == task.vocabulary_size:
        encoder.embedding = model.embedding
    model.reach = task.context_length  # sinusoids have no end, but only the context was trained
    return model
