"""The pieces of networks on vectors and images: activations, normalisations, initial weights."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

from torch import Tensor, nn

from lab.api import BadInput
from lab.layers import ACTIVATIONS

if TYPE_CHECKING:
    from lab_feedforward.settings import Activation, HiddenConfig, Norm

EPSILON = 1e-5


class Function(nn.Module):
    """An activation that has neither weights nor settings.

    Args:
        name: Its name in lab.layers.ACTIVATIONS.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def forward(self, x: Tensor) -> Tensor:
        """Return f(x)."""
        return ACTIVATIONS[self.name](x)


class ParametricReLU(nn.PReLU):
    """max(0, x) + a min(0, x) with one learned slope a, which does not decay (He et al. 2015, section 2.1)."""

    no_decay = ("weight",)


class Maxout(nn.Module):
    """The largest of k weighted sums, (…, k n) -> (…, n): piece j of unit i is at j n + i (Goodfellow et al. 2013).

    Args:
        pieces: k.
        axis: The axis of the units.
    """

    def __init__(self, pieces: int, axis: int) -> None:
        super().__init__()
        self.pieces, self.axis = pieces, axis

    def forward(self, x: Tensor) -> Tensor:
        """Return the largest piece of each unit."""
        axis = self.axis % x.ndim
        each = x.shape[axis] // self.pieces
        return x.reshape(*x.shape[:axis], self.pieces, each, *x.shape[axis + 1 :]).amax(axis)


def activation(config: HiddenConfig, axis: int = -1) -> nn.Module:
    """Return the activation of a config; `axis` is that of the units."""
    if config.activation == "prelu":
        return ParametricReLU(init=config.slope)
    if config.activation == "leaky-relu":
        return nn.LeakyReLU(config.slope)
    if config.activation == "maxout":
        return Maxout(config.pieces, axis)
    return Function(config.activation)


def pieces(config: HiddenConfig) -> int:
    """Return how many weighted sums each unit needs."""
    return config.pieces if config.activation == "maxout" else 1


def vector_norm(kind: Norm, units: int, groups: int) -> nn.Module:
    """Return the normalisation of vectors (B, units)."""
    match kind:
        case "batch":
            return nn.BatchNorm1d(units, eps=EPSILON)
        case "layer":
            return nn.LayerNorm(units, eps=EPSILON)
        case "group":
            return nn.GroupNorm(_dividing(groups, units), units, eps=EPSILON)
        case "rms":
            return nn.RMSNorm(units, eps=EPSILON)
    return nn.Identity()


class ChannelRMSNorm(nn.RMSNorm):
    """Root mean square norm over the channels of each pixel, (B, C, H, W) (Zhang & Sennrich 2019, eq. 4)."""

    def forward(self, x: Tensor) -> Tensor:
        """Normalise, and return the same shape."""
        return super().forward(x.movedim(1, -1)).movedim(-1, 1)


def image_norm(kind: Norm, channels: int, groups: int) -> nn.Module:
    """Return the normalisation of images (B, channels, H, W); "layer" takes all numbers of an image together."""
    match kind:
        case "batch":
            return nn.BatchNorm2d(channels, eps=EPSILON)
        case "layer":
            return nn.GroupNorm(1, channels, eps=EPSILON)
        case "group":
            return nn.GroupNorm(_dividing(groups, channels), channels, eps=EPSILON)
        case "instance":
            return nn.GroupNorm(channels, channels, eps=EPSILON)
        case "rms":
            return ChannelRMSNorm(channels, eps=EPSILON)
    return nn.Identity()


def _dividing(groups: int, units: int) -> int:
    if units % groups:
        raise BadInput(
            f"does not divide {units} units",
            field="groups",
            value=groups,
            allowed=f"a divisor of {units}",
            remedy="Choose another number of groups, or of units",
        )
    return groups


def initialise(layer: nn.Module, config: HiddenConfig, name: Activation | None = None) -> None:
    """Draw the initial weights of a linear or convolutional layer; biases are zeros.

    Args:
        layer: The layer, with `weight` and `bias`.
        config: Scheme, gain and spread.
        name: The activation above it, which decides the factor of He's scheme: √2, or √(2 / (1 + a²)) with a slope a
            below 0 (He et al. 2015, eqs. 10 and 15); 1 at the output, where None is given.
    """
    weight, bias = cast("Tensor", layer.weight), cast("Tensor | None", layer.bias)
    inputs = weight[0].numel()
    match config.initialisation:
        case "zeros":
            nn.init.zeros_(weight)
        case "normal":
            nn.init.normal_(weight, std=config.spread)
        case "uniform":
            nn.init.uniform_(weight, -config.spread, config.spread)
        case "xavier":
            nn.init.xavier_uniform_(weight, gain=config.gain)
        case "orthogonal":
            nn.init.orthogonal_(weight, gain=config.gain)
        case "lecun":
            nn.init.normal_(weight, std=config.gain * inputs**-0.5)
        case "he":
            nn.init.normal_(weight, std=config.gain * he_factor(config, name) * inputs**-0.5)
    if bias is not None:
        nn.init.zeros_(bias)


def he_factor(config: HiddenConfig, name: Activation | None) -> float:
    """Return the factor by which He's scheme enlarges weights so that signals survive an activation."""
    if name is None or name == "identity":
        return 1.0
    slope = config.slope if name in ("leaky-relu", "prelu") else 0.0
    return math.sqrt(2 / (1 + slope**2))
