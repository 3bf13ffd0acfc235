"""Contrastive decoding, which compares two models, and contrastive search, which compares hidden states."""

from __future__ import annotations

import math
from collections.abc import Mapping

import torch
import torch.nn.functional as F
from torch import Tensor

from lab.api import Chooser, Continuation, DecodingStep, Draw, FilterFunction, Histories, RunReader
from lab.decoding.builtins import ContrastiveDecodingConfig, ContrastiveSearchConfig

SURE = 1e4
"""The most nats by which an amateur's log-probability counts: one that excludes a token altogether says no more."""


def contrastive_filter(config: ContrastiveDecodingConfig, readers: Mapping[str, RunReader]) -> FilterFunction:
    """Return the filter whose logits are log p_expert − log p_amateur among the tokens that are plausible.

    Plausible are those with p_expert ≥ α · max p_expert (Li et al. 2023, equations 2 and 3).
    """
    amateur = readers["amateur"]

    def filtered(logits: Tensor, histories: Histories) -> Tensor:
        logs = logits.log_softmax(dim=-1)
        other = (amateur.logits(histories) / config.temperature).log_softmax(dim=-1).clamp(min=-SURE)
        implausible = logs.exp() < config.alpha * logs.exp().amax(dim=-1, keepdim=True)
        return (logs - other).masked_fill(implausible, -math.inf)

    return filtered


class ContrastiveSearch(Chooser):
    """Takes, of the k likeliest tokens, one whose hidden state is unlike those of the text so far.

    The token has the largest (1 − α) · p(v) − α · max cos(h_v, h_j), the last over the tokens j before it; h_v is the
    hidden state after reading v (Su et al. 2022, equation 5).

    Args:
        config: Its settings.
    """

    reads_hidden = True

    def __init__(self, config: ContrastiveSearchConfig) -> None:
        self._config = config
        self._before = torch.empty(0)  # (T, D) of the text so far, of length 1 each

    def next(self, step: DecodingStep) -> list[Continuation]:
        """Return the only hypothesis with the token of the best score."""
        hypothesis = step.hypotheses[0]
        assert step.hidden is not None
        new = F.normalize(step.hidden[0], dim=-1)  # of the last tokens: after a rereading more than one
        self._before = torch.cat([self._before[: len(hypothesis.tokens) - len(new)].view(-1, new.shape[-1]), new])
        logs = step.filters(step.logits)[0].log_softmax(dim=-1)
        best = logs.topk(min(self._config.k, int((logs > -math.inf).sum())))
        _, hidden = step.peek([(0, token) for token in best.indices.tolist()])
        assert hidden is not None
        alike = (F.normalize(hidden, dim=-1) @ self._before.T).amax(dim=-1)
        scores = (1 - self._config.alpha) * best.values.exp() - self._config.alpha * alike
        at = int(scores.argmax())
        score = hypothesis.score + float(best.values[at])
        return [Continuation(0, int(best.indices[at]), score, draw=Draw("contrastive search"))]
