"""The key-value cache of attention."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from lab.layers.attention.masks import Window

LONG = 512
"""Number of tokens from which copying all of them on a CPU costs more than reading them in two parts."""

LATE = 128
"""Number of tokens that are collected before they are copied to the others."""


class KeysValues(NamedTuple):
    """The state of an attention layer: the keys and values that a later token can read, (B, heads, tokens, D) each.

    Appending would copy the entire past for every token, so on a CPU single tokens after a long past are stored
    separately.

    Args:
        keys: Keys after rotation.
        values: Values of the same tokens.
        late_keys: Keys of the tokens after them.
        late_values: Values of the tokens after them.
        position: Number of tokens read.
    """

    keys: Tensor
    values: Tensor
    late_keys: Tensor
    late_values: Tensor
    position: int

    def followed_by(self, k: Tensor, v: Tensor, window: Window) -> KeysValues:
        """Return the state with keys and values (B, heads, T, D) of T more tokens, before anything is dropped."""
        if not self.position:
            return KeysValues(k, v, self.late_keys, self.late_values, k.shape[2])
        position = self.position + k.shape[2]
        if self.late_keys.shape[2]:
            k, v = torch.cat([self.late_keys, k], dim=2), torch.cat([self.late_values, v], dim=2)
        separate = position - self.position == 1 and k.is_cpu and self.keys.shape[2] >= LONG
        if separate and k.shape[2] < LATE and not window.drops(position):
            return KeysValues(self.keys, self.values, k, v, position)
        k, v = torch.cat([self.keys, k], dim=2), torch.cat([self.values, v], dim=2)
        return KeysValues(k, v, k[:, :, :0], v[:, :, :0], position)

    def within(self, window: Window) -> KeysValues:
        """Return the state without the tokens that no later one can read."""
        if not window.drops(self.position):
            return self
        return self._replace(keys=window.trimmed(self.keys), values=window.trimmed(self.values))
