"""Attention to the memory of an encoder."""

from __future__ import annotations

import math
from typing import NamedTuple

import torch.nn.functional as F
from torch import Tensor, nn

from lab.api import BadInput, Slot
from lab.layers.attention.masks import without_padding
from lab.layers.initial import GPT_2, Initialisation
from lab.layers.reports import Reports


class Memory(NamedTuple):
    """What a decoder's block reads of a source, computed once and part of its state.

    Args:
        keys: (B, H, S, D).
        values: (B, H, S, D).
        mask: (B, S) bool, False at padding; None if there is none.
    """

    keys: Tensor
    values: Tensor
    mask: Tensor | None


class CrossAttention(Reports, nn.Module):
    """softmax(Q Kᵀ / √D) V per head: queries of a decoder, keys and values of a memory (Vaswani et al. 2017, eq. 1).

    Dropout on the weights is read from the slot's config (`dropout`), live.

    Args:
        slot: Its position in the decoder's stack.
        heads: H.
        head_width: D; 0 means width / H.
        memory_width: Channels of the memory; 0 means the slot's width.
        scaled: Whether scores are divided by √D; T5 does not divide.
        bias: Whether the projections have a bias.
        initialisation: The initial weights.

    Raises:
        BadInput: The heads do not divide the width.
    """

    def __init__(
        self,
        slot: Slot,
        *,
        heads: int,
        head_width: int = 0,
        memory_width: int = 0,
        scaled: bool = True,
        bias: bool = False,
        initialisation: Initialisation = GPT_2,
    ) -> None:
        super().__init__()
        if not head_width and slot.width % heads:
            what = "does not divide the width"
            raise BadInput(what, field="heads", value=heads, allowed=f"a divisor of {slot.width}")
        width, memory_width = head_width or slot.width // heads, memory_width or slot.width
        self.config, self.heads, self.head_width = slot.config, heads, width
        self.divisor = math.sqrt(width) if scaled else 1.0
        rows = [heads * width, heads * width]  # keys, values
        self.query = nn.Linear(slot.width, heads * width, bias=bias)
        self.project = nn.Linear(memory_width, sum(rows), bias=bias)
        self.output = nn.Linear(heads * width, slot.width, bias=bias)
        self.part_names = {"project": dict(zip(("key", "value"), rows, strict=True))}
        initialisation.linear(self.query, slot.width)
        initialisation.linear(self.project, memory_width, rows)
        initialisation.linear(self.output, slot.width, layers=slot.layers)

    def memory(self, read: Tensor, mask: Tensor | None = None) -> Memory:
        """Return keys and values of what an encoder read, (B, S, C), and the mask (B, S) of its padding."""
        every = self.project(read).view(*read.shape[:2], 2 * self.heads, self.head_width)
        keys, values = (part.transpose(1, 2) for part in every.split(self.heads, dim=2))
        return Memory(keys, values, mask)

    def forward(self, x: Tensor, memory: Memory) -> Tensor:
        """Read a memory, (B, T, C) -> (B, T, C)."""
        B, T, _ = x.shape
        q = self.query(x).view(B, T, self.heads, self.head_width).transpose(1, 2)
        self.report(
            "cross attention", lambda: _weights(q, memory, self.divisor), axes=("batch", "head", "query", "source")
        )
        dropout = self.config.dropout if self.training else 0.0
        mask = without_padding(None, memory.mask)
        y = F.scaled_dot_product_attention(
            q, memory.keys, memory.values, mask, dropout_p=dropout, scale=1 / self.divisor
        )
        y = self.hook_point("heads", y, ("batch", "head", "token", "unit"))
        return self.output(y.transpose(1, 2).flatten(2))  # type: ignore[no-any-return]


def _weights(q: Tensor, memory: Memory, divisor: float) -> Tensor:
    """Return the softmax computed explicitly, (B, H, T, S)."""
    scores = q @ memory.keys.transpose(-1, -2) / divisor
    mask = without_padding(None, memory.mask)
    return (scores if mask is None else scores.masked_fill(~mask, -math.inf)).softmax(dim=-1)
