"""Attention of a recurrent decoder to the states of an encoder: additive, dot, general and concat scores."""

from __future__ import annotations

import math
from typing import Literal, TypeAlias

import torch
from torch import Tensor, nn

Score: TypeAlias = Literal["additive", "dot", "general", "concat"]


class Alignment(nn.Module):
    """Weights softmax_j(score(q, h_j)) of a decoder's state q over an encoder's states h_j.

    - additive, concat: v · tanh(W q + U h_j) (Bahdanau et al. 2015, appendix A.1.2; Luong et al. 2015, eq. 8, whose W_a
      is our W and U side by side);
    - dot: q · h_j; general: q · W h_j (Luong et al. 2015, eq. 8).

    Args:
        score: The score.
        width: Units of q.
        memory_width: Units of h_j; with dot as many as those of q.
    """

    def __init__(self, score: Score, width: int, memory_width: int) -> None:
        super().__init__()
        self.has_energy = score in ("additive", "concat")
        self.query = nn.Linear(width, width, bias=False) if self.has_energy else None
        self.key = None if score == "dot" else nn.Linear(memory_width, width, bias=False)
        self.energy = nn.Linear(width, 1, bias=False) if self.has_energy else None
        for each in (self.query, self.key, self.energy):
            if each is not None:
                nn.init.xavier_uniform_(each.weight)

    def keys(self, memory: Tensor) -> Tensor:
        """Return what of the memory (B, S, M) every query is compared with, (B, S, H); computed once per source."""
        return memory if self.key is None else self.key(memory)

    def forward(self, query: Tensor, keys: Tensor, mask: Tensor | None) -> Tensor:
        """Return the weights, (B, T, S), each row of which adds up to 1.

        Args:
            query: (B, T, H).
            keys: (B, S, H), from `keys`.
            mask: (B, S) bool, False at padding, which gets no weight; None if there is none.
        """
        if self.query is not None and self.energy is not None:
            scores = self.energy(torch.tanh(self.query(query)[:, :, None] + keys[:, None]))[..., 0]
        else:
            scores = query @ keys.transpose(1, 2)
        if mask is not None:
            scores = scores.masked_fill(~mask[:, None], -math.inf)
        weights: Tensor = scores.softmax(dim=-1)
        return weights
