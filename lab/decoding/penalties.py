"""Filters that look at the tokens so far: penalties, and no repeated n-grams."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from lab.api import FilterFunction, Histories
from lab.decoding.builtins import FrequencyConfig, NoRepeatConfig, PresenceConfig, RepetitionConfig


def repetition_filter(config: RepetitionConfig) -> FilterFunction:
    """Return the penalised sampling of CTRL, with the sign of the logits taken into account."""

    def filtered(logits: Tensor, histories: Histories) -> Tensor:
        less = torch.where(logits < 0, logits * config.penalty, logits / config.penalty)
        return torch.where(counts(histories, logits) > 0, less, logits)

    return filtered


def presence_filter(config: PresenceConfig) -> FilterFunction:
    """Return the filter that subtracts a penalty from the logit of each token of the history."""

    def filtered(logits: Tensor, histories: Histories) -> Tensor:
        return logits - config.penalty * (counts(histories, logits) > 0)

    return filtered


def frequency_filter(config: FrequencyConfig) -> FilterFunction:
    """Return the filter that subtracts a penalty for each occurrence in the history."""

    def filtered(logits: Tensor, histories: Histories) -> Tensor:
        return logits - config.penalty * counts(histories, logits)

    return filtered


def no_repeat_filter(config: NoRepeatConfig) -> FilterFunction:
    """Return the filter that removes each token that would complete an n-gram of the history once more."""

    def filtered(logits: Tensor, histories: Histories) -> Tensor:
        removed = torch.zeros_like(logits, dtype=torch.bool)
        for row, history in enumerate(histories):
            again = [token for token in repeating(history, config.length) if token < logits.shape[-1]]
            removed[row, again] = True
        return logits.masked_fill(removed, -math.inf)

    return filtered


def counts(histories: Histories, like: Tensor) -> Tensor:
    """Return how often each symbol occurs in each history, in shape and type of `like`; others are not counted."""
    symbols = like.shape[-1]
    rows = [
        torch.bincount(torch.tensor(history, dtype=torch.long), minlength=symbols)[:symbols] for history in histories
    ]
    return torch.stack(rows).to(like)


def repeating(history: Sequence[int], length: int) -> list[int]:
    """Return the tokens that followed the last `length` − 1 tokens wherever these occur in the history."""
    if len(history) < length:
        return []
    tokens = torch.tensor(history)
    windows = tokens.unfold(0, length, 1)  # (N, length)
    same = (windows[:, :-1] == tokens[len(tokens) - length + 1 :]).all(dim=-1)
    return windows[same, -1].tolist()
