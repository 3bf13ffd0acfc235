"""The keys and values that attention keeps of what it has read."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from lab.layers.attention.masks import Window

LONG = 512
"""Tokens from which on, on a CPU, copying all of them costs more than reading them in two parts."""

LATE = 128
"""Tokens that gather before they are copied to the others."""


class KeysValues(NamedTuple):
    """State of an attention layer: what a later token can read, (B, heads, tokens, D) each.

    Every new token would copy all before it. So on a CPU those that come one by one behind a long past gather apart.

    Args:
        keys: After rotation.
        values: Of the same tokens.
        late_keys: Of the tokens behind them.
        late_values: Of the tokens behind them.
        position: Tokens read.
    """

    keys: Tensor
    values: Tensor
    late_keys: Tensor
    late_values: Tensor
    position: int

    def followed_by(self, k: Tensor, v: Tensor, window: Window) -> KeysValues:
        """With the keys and values (B, heads, T, D) of T more tokens, before anything is dropped."""
        if not self.position:
            return KeysValues(k, v, self.late_keys, self.late_values, k.shape[2])
        position = self.position + k.shape[2]
        if self.late_keys.shape[2]:
            k, v = torch.cat([self.late_keys, k], dim=2), torch.cat([self.late_values, v], dim=2)
        apart = position - self.position == 1 and k.is_cpu and self.keys.shape[2] >= LONG
        if apart and k.shape[2] < LATE and not window.drops(position):
            return KeysValues(self.keys, self.values, k, v, position)
        k, v = torch.cat([self.keys, k], dim=2), torch.cat([self.values, v], dim=2)
        return KeysValues(k, v, k[:, :, :0], v[:, :, :0], position)

    def within(self, window: Window) -> KeysValues:
        """Without the tokens that no later one can read."""
        if not window.drops(self.position):
            return self
        return self._replace(keys=window.trimmed(self.keys), values=window.trimmed(self.values))
