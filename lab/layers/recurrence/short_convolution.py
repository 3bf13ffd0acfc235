"""The short causal convolution before linear-time mixers, over the last few tokens of each channel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lab.api import Role
from lab.layers.recurrence.kernels import fast_kernel

EVEN = 8
"""Number of channels that the kernel of `causal-conv1d` reads at once: each token must start at a multiple of it."""


class ShortConvolution(nn.Module):
    """A depthwise causal convolution over time, with a state of kernel − 1 tokens.

    Args:
        channels: C.
        kernel: Number of tokens that one output depends on, the current one included.
        bias: Whether it has a bias.
        activation: The activation of the output.
    """

    roles: Mapping[str, Role] = {"weight": "vector"}

    def __init__(
        self, channels: int, kernel: int = 4, *, bias: bool = True, activation: Literal["silu", "none"] = "silu"
    ) -> None:
        super().__init__()
        self.channels, self.kernel, self.activation = channels, kernel, activation
        bound = kernel**-0.5  # the initialisation of nn.Conv1d
        self.weight = nn.Parameter(torch.empty(channels, 1, kernel).uniform_(-bound, bound))
        self.bias = nn.Parameter(torch.empty(channels).uniform_(-bound, bound)) if bias else None

    def start(self, batch: int) -> Tensor:
        """Return the state before the first token: zeros (B, kernel − 1, C)."""
        return self.weight.new_zeros(batch, self.kernel - 1, self.channels)

    def forward(self, x: Tensor, state: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Convolve (B, T, C) after `state` (B, kernel − 1, C); return (B, T, C) and the new state in its dtype."""
        state = self.start(len(x)) if state is None else state
        seen = torch.cat([state.to(x.dtype), x], dim=1)
        behind = seen[:, x.shape[1] :].to(state.dtype)
        convolve = self._kernel(x)
        if convolve is not None:
            if any(step % EVEN for step in (x.stride(0), x.stride(1), x.storage_offset())):  # a view of a projection
                x = x.contiguous()
            y = convolve(
                x.transpose(1, 2), self.weight[:, 0], self.bias,
                initial_states=seen[:, : self.kernel - 1].transpose(1, 2),
                activation="silu" if self.activation == "silu" else None,
            )  # fmt: skip
            return y.transpose(1, 2), behind
        y = F.conv1d(seen.transpose(1, 2), self.weight, self.bias, groups=self.channels).transpose(1, 2)
        return (F.silu(y) if self.activation == "silu" else y), behind

    def _kernel(self, x: Tensor) -> Callable[..., Tensor] | None:
        """Return the kernel of `causal-conv1d` if it supports this input."""
        if self.kernel not in (2, 3, 4) or self.channels % EVEN or x.shape[1] == 1 or x.dtype == torch.float64:
            return None
        return fast_kernel(x, "causal_conv1d", "causal_conv1d_fn")
