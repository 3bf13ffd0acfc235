"""Counts of all contexts up to a longest one, in one sorted array, interpolated by absolute discounting.

Node 0 is the empty context. The n-gram that `keys[i]` = parent · V + token spells is node i + 1; its parent is the
n-gram without its last token. Shorter n-grams come first, so `keys` is sorted throughout and all that followed a
context is contiguous: its counts are differences of `sums`. A node of −1 is a context that was never seen.
"""

import numpy as np
import torch
from torch import Tensor

from lab.api import Architecture, ModelConfig, Register, State, Task, hookimpl, setting
from lab.layers import LanguageModel

LAB_API_VERSION = 1


class SuffixCountsConfig(ModelConfig):
    order: int = setting(5, ge=1, le=64, unit="tokens", help="Tokens of the longest context that is counted.")
    discount: float = setting(
        0.75, gt=0, le=1, live=True, help="Amount of every count that goes to shorter contexts.", cite="Ney et al. 1994"
    )


class SuffixCounts(LanguageModel):
    learns = "counting"
    text: Tensor
    keys: Tensor
    sums: Tensor

    def __init__(self, config: SuffixCountsConfig, task: Task) -> None:
        super().__init__(config, task)
        self.history = config.order - 1
        self.V = task.vocabulary_size
        self.register_buffer("text", torch.zeros(0, dtype=torch.int64))  # all that was counted
        self.register_buffer("keys", torch.zeros(0, dtype=torch.int64))
        self.register_buffer("sums", torch.zeros(1, dtype=torch.int64))  # of the counts of all keys before this one

    def count(self, tokens: np.ndarray) -> None:
        text = np.concatenate([self.text.numpy(), tokens])
        parents, nodes, keys, counts = np.zeros_like(text), 1, [], [np.zeros(1, np.int64)]
        for k in range(self.config.order + 1):
            key, index, times = np.unique(parents * self.V + text[k:], return_inverse=True, return_counts=True)
            parents, nodes = (nodes + index)[:-1], nodes + len(key)
            keys.append(key)
            counts.append(times)
        self.text, self.keys = torch.from_numpy(text), torch.from_numpy(np.concatenate(keys))
        self.sums = torch.from_numpy(np.concatenate(counts).cumsum())

    def start(self, batch: int, **given: Tensor) -> State:
        """Return the nodes of the last 0, 1, … tokens read, (B, order + 1)."""
        return torch.cat([self.keys.new_zeros(batch, 1), self.keys.new_full((batch, self.config.order), -1)], dim=1)

    def extend(self, tokens: Tensor, state: State, last: int | None = None) -> tuple[Tensor, State]:
        nodes = self.nodes(tokens, state)
        symbols = torch.arange(self.V, device=tokens.device)
        return self.probability(nodes[:, -(last or 0) :], symbols).log(), nodes[:, -1]

    def score(self, tokens: Tensor, targets: Tensor, **given: Tensor) -> Tensor:
        nodes = self.nodes(tokens, self.start(len(tokens)))
        p = self.probability(nodes, targets.clamp(min=0)[..., None])[..., 0]
        return p.log().masked_fill(targets < 0, 0)

    def nodes(self, tokens: Tensor, state: Tensor) -> Tensor:
        """Return the nodes of the last 0, 1, … tokens at every position: (B, T) -> (B, T, order + 1)."""
        found = [torch.zeros_like(tokens)]
        for k in range(self.config.order):  # one token more than the node of k tokens one position before
            key = torch.cat([state[:, k, None], found[k][:, :-1]], dim=1) * self.V + tokens
            end = torch.searchsorted(self.keys, key, right=True)
            found.append(torch.where(end > torch.searchsorted(self.keys, key), end, -1))
        return torch.stack(found, dim=-1)

    def probability(self, nodes: Tensor, symbols: Tensor) -> Tensor:
        """Return the probabilities (B, T, M) of symbols (…, M) after the contexts of nodes (B, T, order + 1)."""
        p = torch.full_like(symbols, 1, dtype=torch.float64) / self.V
        used = torch.full_like(nodes[..., 0], -1)
        for k in range(self.config.order + 1):
            child = nodes[..., k, None] * self.V  # its children's keys are from child to child + V − 1
            first, end = torch.searchsorted(self.keys, child), torch.searchsorted(self.keys, child + self.V)
            total = self.sums[end] - self.sums[first]
            own = child + symbols
            count = self.sums[torch.searchsorted(self.keys, own, right=True)]
            count = count - self.sums[torch.searchsorted(self.keys, own)]
            discounted = (count - self.config.discount).clamp(min=0)
            p = torch.where(total > 0, (discounted + self.config.discount * (end - first) * p) / total, p)
            used = used + (total[..., 0] > 0)
        self.report("order", used, axes=("batch", "token"), units="tokens")  # of the longest context; −1 if none
        return p


@hookimpl
def lab_register_architectures(register: Register[Architecture]) -> None:
    register(
        Architecture(
            name="suffix-counts",
            title="Suffix counts",
            family="n-gram",
            summary="Counts every context up to a longest one; longer ones discount, shorter ones get the rest.",
            config=SuffixCountsConfig,
            build=SuffixCounts,
            devices=frozenset({"cpu"}),
            equations=(r"p(w \mid h) = \frac{\max(c(hw) - D, 0) + D\, N_{1+}(h\,\cdot)\, p(w \mid h')}{\sum_v c(hv)}",),
            references=(
                "Ney, Essen & Kneser 1994, On structuring probabilistic dependences in stochastic language modelling",
                "Chen & Goodman 1998, An Empirical Study of Smoothing Techniques for Language Modeling, section 2.6",
            ),
        )
    )
