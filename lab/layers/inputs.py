"""Embeddings of inputs that are not tokens: images in patches, vectors feature by feature."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from lab.api import BadInput, Role
from lab.layers.initial import GPT_2, Initialisation

FEW = 64
"""Most patches of an image, unless their side is given."""


class Patches(nn.Module):
    """The embedding of an image cut into squares, row by row (Dosovitskiy et al. 2021, eq. 1).

    Args:
        shape: (height, width, channels).
        width: C.
        patch: Side of a square in pixels; 0 means the smallest with which there are at most 64, if there is one.
        initialisation: The initial weights.
        has_positions: Whether each square has a learned position; without, the model adds positions of its own.
        bias: Whether the projection has a bias.

    Raises:
        BadInput: The squares do not fill the image.
    """

    roles: Mapping[str, Role] = {"project.weight": "embedding", "project.bias": "embedding", "position": "embedding"}

    def __init__(
        self,
        shape: tuple[int, ...],
        width: int,
        *,
        patch: int = 0,
        initialisation: Initialisation = GPT_2,
        has_positions: bool = True,
        bias: bool = True,
    ) -> None:
        super().__init__()
        rows, columns, channels = shape
        patch = patch or patch_side(rows, columns)
        if rows % patch or columns % patch:
            raise BadInput(
                f"does not divide the images of {rows} × {columns} pixels",
                field="patch",
                value=patch,
                allowed=f"a divisor of {rows} and of {columns}",
            )
        self.patch = patch
        self.project = nn.Linear(patch**2 * channels, width, bias=bias)
        initialisation.linear(self.project, width)
        self.position: nn.Parameter | None = None
        if has_positions:
            self.position = nn.Parameter(torch.empty((rows // patch) * (columns // patch), width))
            initialisation.table(self.position)

    def forward(self, images: Tensor) -> Tensor:
        """Return (B, S, C) of images (B, H, W, channels)."""
        B, rows, columns, channels = images.shape
        p = self.patch
        cut = images.view(B, rows // p, p, columns // p, p, channels).transpose(2, 3)
        embedded: Tensor = self.project(cut.flatten(3).flatten(1, 2))
        return embedded if self.position is None else embedded + self.position


def patch_side(rows: int, columns: int) -> int:
    """Return the smallest side of squares that fill an image with at most 64 of them, or the largest that fill it."""
    sides = [side for side in range(1, min(rows, columns) + 1) if rows % side == 0 == columns % side]
    return next((side for side in sides if rows * columns <= FEW * side**2), sides[-1])


class Features(nn.Module):
    """The embedding of each feature f of a vector at a position of its own: x_f w_f + b_f (Gorishniy et al. 2021).

    Args:
        features: F.
        width: C.
        initialisation: The initial weights of w and b.
    """

    roles: Mapping[str, Role] = {"weight": "embedding", "bias": "embedding"}
    no_decay = ("bias",)

    def __init__(self, features: int, width: int, *, initialisation: Initialisation = GPT_2) -> None:
        super().__init__()
        self.weight, self.bias = (nn.Parameter(torch.empty(features, width)) for _ in range(2))
        initialisation.table(self.weight)
        initialisation.table(self.bias)

    def forward(self, vectors: Tensor) -> Tensor:
        """Return (B, F, C) of vectors (B, F)."""
        return vectors[..., None] * self.weight + self.bias
