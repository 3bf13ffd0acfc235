"""The convolutional network on images."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, cast

import torch.nn.functional as F
from torch import Tensor, nn

from lab.api import BadInput
from lab.layers import LanguageModel
from lab_feedforward.layers import activation, image_norm, initialise, pieces
from lab_feedforward.network import outputs_of, widths_are_possible

if TYPE_CHECKING:
    from lab.api import Task
    from lab_feedforward.settings import ConvolutionalConfig

CHANNELS = 1
"""The axis of the channels in torch's images."""


class Convolution(nn.Module):
    """One convolution with padding, so that the image keeps its size; normalisation and activation.

    Args:
        config: The settings.
        inputs: Channels that it reads.
        channels: Channels that it gives.
    """

    def __init__(self, config: ConvolutionalConfig, inputs: int, channels: int) -> None:
        super().__init__()
        wide = channels * pieces(config)
        self.convolution = nn.Conv2d(inputs, wide, config.kernel, padding="same", bias=config.bias)
        self.norm = image_norm(config.norm, wide, config.groups)
        self.activation = activation(config, CHANNELS)
        initialise(self.convolution, config, config.activation)


class Dense(nn.Module):
    """One layer above the convolutions.

    Args:
        config: The settings.
        inputs: Numbers that it reads.
        units: Numbers that it gives.
    """

    def __init__(self, config: ConvolutionalConfig, inputs: int, units: int) -> None:
        super().__init__()
        self.linear = nn.Linear(inputs, units * pieces(config), bias=config.bias)
        self.activation = activation(config)
        initialise(self.linear, config, config.activation)


class ConvolutionalNetwork(LanguageModel):
    """Convolutions, each halving the image by the largest of four pixels, then layers on all numbers (LeNet).

    Args:
        config: The settings; dropout is read at each step.
        task: The task that the model is built for.
    """

    def __init__(self, config: ConvolutionalConfig, task: Task) -> None:
        super().__init__(config, task)
        if task.input_shape is None or len(task.input_shape) != 3:
            raise BadInput(
                "the convolutional network reads images",
                field="architecture.name",
                remedy="Choose a corpus of images, such as digits; or mlp, which reads vectors",
            )
        widths_are_possible(config.channels, "architecture.channels")
        widths_are_possible(config.widths, "architecture.widths")
        rows, columns, channels = task.input_shape
        sizes = [channels, *config.channels]
        self.convolutions = nn.ModuleList(Convolution(config, inputs, wide) for inputs, wide in pairwise(sizes))
        for _ in config.channels:
            rows, columns = (rows // 2, columns // 2) if min(rows, columns) > 1 else (rows, columns)
        dense = [sizes[-1] * rows * columns, *config.widths]
        self.layers = nn.ModuleList(Dense(config, inputs, units) for inputs, units in pairwise(dense))
        self.output = nn.Linear(dense[-1], outputs_of(task), bias=config.bias)
        initialise(self.output, config)

    def forward(self, tokens: Tensor, **given: Tensor) -> Tensor:
        """Return logits (B, classes) of images (B, H, W, C)."""
        del given
        x = tokens.movedim(-1, CHANNELS)
        dropout = cast("ConvolutionalConfig", self.config).dropout
        for number, each in enumerate(self.convolutions):
            layer = cast("Convolution", each)
            maps = layer.activation(layer.norm(layer.convolution(x)))
            maps = self.hook_point("maps", maps, ("batch", "unit", "channel", "state"))
            self.report("activation", maps.flatten(2).mean(2), axes=("batch", "unit"), layer=number)
            x = F.max_pool2d(maps, 2) if min(maps.shape[2:]) > 1 else maps
        x = x.flatten(1)
        for number, each in enumerate(self.layers, start=len(self.convolutions)):
            dense = cast("Dense", each)
            units = self.hook_point("units", dense.activation(dense.linear(x)), ("batch", "unit"))
            self.report("activation", units, axes=("batch", "unit"), layer=number)
            x = F.dropout(units, dropout, self.training)
        return self.output(x)  # type: ignore[no-any-return]


def build_convolutional(config: ConvolutionalConfig, task: Task) -> ConvolutionalNetwork:
    """Return a convolutional network."""
    return ConvolutionalNetwork(config, task)
