"""Initialisation of the weights of a model."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class Initialisation:
    """The scheme of a model's initial weights; biases are zero.

    Args:
        scheme: "normal": normal(0, 0.02) (Radford et al. 2019). "small": normal with variance 2 / (5 C) (Nguyen &
            Salazar 2019). "xavier": uniform with variance 2 / (inputs + outputs) (Glorot & Bengio 2010), and tables
            and the head normal with variance 1 / C, as for sinusoidal positions. "mup": matrices normal with variance 1
            / inputs, the head 1 / C², tables 0.02², so that one learning rate fits all widths (Yang et al. 2022, table
            3).
        residual_scaling: Whether projections into the residual stream are divided by √(2 layers) (Radford et al. 2019,
            section 2.3).
    """

    scheme: Literal["normal", "small", "xavier", "mup"] = "normal"
    residual_scaling: bool = True

    def linear(self, linear: nn.Linear, width: int, rows: Sequence[int] = (), *, layers: int = 0) -> None:
        """Initialise a projection.

        Args:
            linear: The projection.
            width: C.
            rows: The rows of each of several projections in one matrix.
            layers: Number of blocks of the model if this projection writes into the residual stream.
        """
        self.matrix(linear.weight, width, rows, layers=layers)
        if linear.bias is not None:
            nn.init.zeros_(linear.bias)

    def matrix(self, weight: Tensor, width: int, rows: Sequence[int] = (), *, layers: int = 0) -> None:
        """Initialise the weight (outputs, inputs) of a projection, as `linear` does."""
        shrink = 1 / math.sqrt(2 * layers) if layers and self.residual_scaling else 1.0
        for part in torch.split(weight, list(rows) or len(weight)):
            if self.scheme == "xavier":
                nn.init.xavier_uniform_(part, gain=shrink)
            elif self.scheme == "mup":
                nn.init.normal_(part, std=shrink * part.shape[1] ** -0.5)
            else:
                nn.init.normal_(part, std=shrink * self._spread(width))

    def table(self, weight: Tensor) -> None:
        """Initialise an embedding or positions, (rows, C)."""
        width = weight.shape[1]
        nn.init.normal_(weight, std=width**-0.5 if self.scheme == "xavier" else self._spread(width))

    def head(self, weight: Tensor) -> None:
        """Initialise the head, (rows, C)."""
        if self.scheme == "mup":
            nn.init.normal_(weight, std=1 / weight.shape[1])
        else:
            self.table(weight)

    def _spread(self, width: int) -> float:
        return math.sqrt(2 / (5 * width)) if self.scheme == "small" else 0.02


GPT_2 = Initialisation()
"""The scheme of GPT-2, the default."""
