"""The vision transformer: an image cut into squares, each a token, read in all directions by a transformer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

import torch
from torch import Tensor, nn

from lab.api import BadInput, Role
from lab.layers import Attention, FeedForward, Initialisation, LayerNorm, Patches, ResidualStack

if TYPE_CHECKING:
    from lab.api import Slot, Task
    from lab_vision.settings import VisionTransformerConfig

BASE = 10_000.0
"""The base of the sinusoids: their wavelengths grow from 2π to 2π · BASE patches."""


class VisionTransformer(ResidualStack):
    """z_0 = [class; E x_1; …; E x_N] + P, blocks of attention and feed-forward layers, norm, linear head (ViT).

    Dosovitskiy et al. 2021, eqs. 1 to 4. The head is one layer with a bias, as in the paper's fine-tuning.

    Args:
        config: The settings.
        task: The task: images in, classes or numbers out.
        embedding_norm: Whether the tokens are normalised before the first block.
        bias: Whether the embedding of the patches and the head have a bias.

    Attributes:
        side: Side of a patch in pixels.
        rows: Rows of patches.
        columns: Columns of patches.

    Raises:
        BadInput: The task has no images, the patches do not fill them, or the width cannot be divided as needed.
    """

    roles: Mapping[str, Role] = {"class_token": "embedding", "places": "embedding", "output.weight": "head"}

    def __init__(
        self, config: VisionTransformerConfig, task: Task, *, embedding_norm: bool = False, bias: bool = True
    ) -> None:
        if task.input_shape is None or len(task.input_shape) != 3:
            raise BadInput(
                "the vision transformer reads images",
                field="architecture.name",
                remedy="Choose a corpus of images, such as digits; or transformer, which reads texts",
            )

        def attention(slot: Slot) -> Attention:
            return Attention(slot, heads=config.heads, bias=True)

        def feed_forward(slot: Slot) -> FeedForward:
            return FeedForward(slot, hidden=config.hidden, activation=config.activation, bias=True)

        def norm(slot: Slot) -> nn.Module:
            return LayerNorm(slot, bias=True, eps=config.norm_epsilon)

        has_token, initialisation = config.pool == "class-token", Initialisation()
        super().__init__(
            config,
            task,
            token_mixer=attention,
            channel_mixer=feed_forward,
            norm=norm,
            tie=False,
            pool="first" if has_token else "mean",
            embedding_norm=norm if embedding_norm else None,
        )
        self.inputs = Patches(task.input_shape, config.width, patch=config.patch, has_positions=False, bias=bias)
        height, wide, _ = task.input_shape
        self.side = self.squares.patch
        self.rows, self.columns = height // self.side, wide // self.side
        self.class_token = nn.Parameter(torch.empty(1, config.width)) if has_token else None
        count = self.rows * self.columns + has_token
        self.places = nn.Parameter(torch.empty(count, config.width)) if config.positions == "learned" else None
        for table in (self.class_token, self.places):
            if table is not None:
                initialisation.table(table)
        if config.positions == "sinusoidal":
            self.register_buffer("sinusoids", sinusoids_2d(self.rows, self.columns, config.width), persistent=False)
        self.output = nn.Linear(config.width, self.output.out_features, bias=bias)
        initialisation.head(self.output.weight)
        if bias:
            nn.init.zeros_(self.output.bias)

    @property
    def squares(self) -> Patches:
        """The embedding of the squares."""
        return cast("Patches", self.inputs)

    def embed(self, inputs: Tensor, position: int = 0) -> Tensor:
        """Return the tokens of images, (B, H, W, channels) -> (B, N, C), with the class token before the patches.

        Raises:
            BadInput: They have another size, or other channels.
        """
        del position
        check_images(inputs, self.task)
        x = self.squares(inputs)
        if hasattr(self, "sinusoids"):
            x = x + self.sinusoids.to(x.dtype)  # of the patches alone: the class token has no place
        if self.class_token is not None:
            first = self.class_token.expand(x.shape[0], 1, -1)
            x = torch.cat([first.to(x.dtype), x], dim=1)
        return x if self.places is None else x + self.places  # type: ignore[no-any-return]


def check_images(images: Tensor, task: Task) -> None:
    """Refuse images (B, H, W, channels) of another size than the task has.

    Raises:
        BadInput: They have another size, or other channels.
    """
    if images.shape[1:] != task.input_shape:
        found, wanted = (" × ".join(map(str, shape)) for shape in (images.shape[1:], task.input_shape or ()))
        raise BadInput(
            "images have another size, or other channels, than this model reads",
            field="source",
            value=found,
            allowed=f"{wanted} (height, width, channels)",
            remedy="Resize them; for pictures of a folder, set corpus.size",
        )


def sinusoids_2d(rows: int, columns: int, width: int) -> Tensor:
    """Return sinusoids of row and column of each patch, half of the channels for either, (rows · columns, width).

    Channels, with D = width / 4 and wavelengths λ_i = 10000^(i/D), i = 0 … D−1: sin(row / λ), cos(row / λ),
    sin(column / λ), cos(column / λ); the encoding of Vaswani et al. 2017, section 3.5, once for each axis.

    Raises:
        BadInput: The width is no multiple of 4.
    """
    if width % 4:
        raise BadInput(
            "does not divide into sines and cosines of rows and columns",
            field="architecture.width",
            value=width,
            allowed="a multiple of 4",
            remedy="Choose another width, or learned positions",
        )
    quarter = width // 4
    rates = BASE ** -(torch.arange(quarter, dtype=torch.float64) / quarter)
    row, column = torch.meshgrid(torch.arange(rows), torch.arange(columns), indexing="ij")
    angles = [each.flatten()[:, None] * rates for each in (row, column)]
    parts = [part for angle in angles for part in (angle.sin(), angle.cos())]
    return torch.cat(parts, dim=1).to(torch.get_default_dtype())


def build(config: VisionTransformerConfig, task: Task) -> VisionTransformer:
    """Return a vision transformer with new weights."""
    return VisionTransformer(config, task)
