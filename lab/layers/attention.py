"""Multi-head scaled dot-product attention with a cache of keys and values."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lab.api import BadInput, Slot, State
from lab.layers.mixers import TokenMixer
from lab.layers.positions import rotate


class Attention(TokenMixer):
    """softmax(Q Kᵀ / √D) V per head (Vaswani et al. 2017, eq. 1). State: keys and values, (B, H, T, D) each.

    Dropout on the weights is read from the slot's config (`dropout`), live.

    Args:
        slot: Where it sits; its width must be a multiple of `heads`, and with rotary positions of twice as many.
        heads: H.
        rotary_base: θ of rotary positions (Su et al. 2021); None for none.
        bias: Whether the projections have one.

    Raises:
        BadInput: The heads do not divide the width, or with rotary positions half of it.
    """

    def __init__(self, slot: Slot, *, heads: int, rotary_base: float | None = None, bias: bool = False) -> None:
        super().__init__()
        if slot.width % heads:
            raise BadInput(
                "does not divide the width", field="heads", value=heads, allowed=f"a divisor of {slot.width}"
            )
        if rotary_base is not None and slot.width // heads % 2:
            what = "gives each head an odd width, and rotary positions turn pairs of channels"
            raise BadInput(what, field="heads", value=heads, allowed=f"a divisor of {slot.width / 2:g}")
        self.config, self.heads, self.causal, self.rotary_base = slot.config, heads, slot.causal, rotary_base
        self.reach = slot.context_length
        self.project = nn.Linear(slot.width, 3 * slot.width, bias=bias)  # queries, keys, values
        self.output = nn.Linear(slot.width, slot.width, bias=bias)
        nn.init.normal_(self.project.weight, std=0.02)
        nn.init.normal_(self.output.weight, std=0.02 / math.sqrt(2 * slot.layers))  # Radford et al. 2019, section 2.3
        for linear in (self.project, self.output):
            if linear.bias is not None:
                nn.init.zeros_(linear.bias)

    def forward(self, x: Tensor) -> Tensor:
        """(B, T, C) -> (B, T, C)."""
        q, k, v = self._heads(x, 0)
        return self._attend(q, k, v, None, causal=self.causal)

    def start(self, batch: int) -> State:
        """No keys and values yet."""
        width = self.output.in_features // self.heads
        empty = self.output.weight.new_empty(batch, self.heads, 0, width)  # (B, H, 0, D)
        return empty, empty

    def extend(self, x: Tensor, state: State) -> tuple[Tensor, State]:
        """(B, T, C) and the cache -> (B, T, C) and a longer cache; keys are cached after rotation."""
        past_k, past_v = state
        past = past_k.shape[2]
        q, k, v = self._heads(x, past)
        if not past:
            return self._attend(q, k, v, None, causal=True), (k, v)
        k, v = torch.cat([past_k, k], dim=2), torch.cat([past_v, v], dim=2)  # (B, H, S, D)
        T, S = q.shape[2], k.shape[2]
        # SDPA's is_causal is aligned top-left: one new token needs no mask, several need one aligned bottom-right
        mask = None if T == 1 else torch.ones(T, S, dtype=torch.bool, device=x.device).tril(S - T)
        return self._attend(q, k, v, mask, causal=False), (k, v)

    def mixing_map(self, x: Tensor) -> Tensor:
        """The attention weights (B, head, query, key), which the fused kernel does not return."""
        q, k, _ = self._heads(x, 0)
        scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
        if self.causal:
            T = x.shape[1]
            scores = scores.masked_fill(~torch.ones(T, T, dtype=torch.bool, device=x.device).tril(), -math.inf)
        return scores.softmax(dim=-1)

    def _heads(self, x: Tensor, position: int) -> tuple[Tensor, Tensor, Tensor]:
        B, T, C = x.shape
        q, k, v = (
            part.view(B, T, self.heads, C // self.heads).transpose(1, 2)  # (B, H, T, D)
            for part in self.project(x).split(C, dim=2)
        )
        if self.rotary_base is not None:
            q, k = rotate(q, position, self.rotary_base), rotate(k, position, self.rotary_base)
        return q, k, v

    def _attend(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, *, causal: bool) -> Tensor:
        dropout = self.config.dropout if self.training else 0.0  # the functional does not switch it off in eval
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=causal, dropout_p=dropout)
        return self.output(y.transpose(1, 2).flatten(2))  # type: ignore[no-any-return]  # (B, T, C)
