"""The surprisal of each token of a text under a model, with the entropy and the rank of what came."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from lab.api import LanguageModel, State
from lab.base import LabError
from lab.base.jobs import Cancelled

DIVERGED = "The training has diverged: train again with a lower learning rate, or choose an earlier checkpoint"
"""The remedy where a model gives no probabilities."""
NUMBERS_AT_ONCE = 1 << 22
"""Logits that are computed at once, of which several copies are made."""
PIECE = 512
"""Tokens that a model with a carried state reads at once."""


@dataclass(frozen=True)
class TokenScores:
    """The predictions of a model for each of N tokens, given those before it.

    Args:
        nats: (N,) −ln of the probability of the token; NaN where it was not scored.
        entropies: (N,) entropy in nats of the distribution from which it could have come; NaN where not scored.
        ranks: (N,) 1 if it was the likeliest token, and so on; of equal tokens that of the smaller number is first. 0
            where it was not scored.
        contexts: (N,) number of tokens before it that the model had read.
        likeliest: (N, K) the likeliest tokens instead of it.
        shares: (N, K) their probabilities.
    """

    nats: NDArray[np.float64]
    entropies: NDArray[np.float64]
    ranks: NDArray[np.int64]
    contexts: NDArray[np.int64]
    likeliest: NDArray[np.int64]
    shares: NDArray[np.float64]

    @classmethod
    def empty(cls, count: int, alternatives: int) -> TokenScores:
        """Return the scores of tokens of which none was scored."""
        return cls(
            np.full(count, np.nan), np.full(count, np.nan), np.zeros(count, np.int64), np.zeros(count, np.int64),
            np.zeros((count, alternatives), np.int64), np.zeros((count, alternatives)),
        )  # fmt: skip

    @property
    def scored(self) -> NDArray[np.bool_]:
        """(N,) which tokens were scored."""
        return self.ranks > 0

    def take(self, at: NDArray[np.int64], logits: Tensor, targets: Tensor, contexts: NDArray[np.int64]) -> None:
        """Store the scores of some tokens.

        Args:
            at: (M,) their positions.
            logits: (M, V) before them.
            targets: (M,) themselves.
            contexts: (M,) tokens that were read before each.

        Raises:
            LabError: The logits are not finite numbers.
        """
        logs = logits.double().log_softmax(dim=-1)
        if logs.isnan().any():
            raise LabError("the model gives no probabilities: its logits are not finite", remedy=DIVERGED)
        chances = logs.exp()
        own = logs.gather(1, targets[:, None])
        numbers = torch.arange(logs.shape[-1], device=logs.device)
        before = (logs > own) | ((logs == own) & (numbers < targets[:, None]))
        best = chances.topk(self.likeliest.shape[1], dim=-1)
        self.nats[at] = -own[:, 0].cpu().numpy() + 0.0  # no −0
        self.entropies[at] = torch.special.entr(chances).sum(dim=-1).cpu().numpy()
        self.ranks[at] = 1 + before.sum(dim=-1).cpu().numpy()
        self.contexts[at] = contexts
        self.likeliest[at] = best.indices.cpu().numpy()
        self.shares[at] = best.values.cpu().numpy()


Progress = Callable[[float], object]


@torch.no_grad()
def score_in_windows(
    model: LanguageModel,
    tokens: Sequence[int] | NDArray[Any],
    *,
    length: int,
    stride: int | None,
    alternatives: int = 5,
    device: Any = "cpu",
    progress: Progress = lambda _share: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> TokenScores:
    """Score all tokens but the first with windows that move by a stride; a token is scored once.

    After the first window each token has more than length − stride tokens before it.

    Args:
        model: In eval mode, causal.
        tokens: (N,) of the text.
        length: Tokens of a window, targets not counted.
        stride: Tokens by which the windows move, 1 to `length`; None for windows that do not overlap.
        alternatives: Number of likeliest tokens that are stored for each, no more than there are symbols.
        device: Where the model is.
        progress: Called with the share that is done.
        cancelled: Called between batches.

    Raises:
        Cancelled: It was cancelled.
        LabError: The model's logits are not finite numbers.
    """
    text = torch.as_tensor(np.asarray(tokens, np.int64))
    last, symbols = len(text) - 1, model.task.vocabulary_size
    scores = TokenScores.empty(len(text), min(alternatives, symbols))
    step = stride or length
    ends = [min(length, last), *range(length + step, last + step, step)] if last > 0 else []
    rows = max(1, min(NUMBERS_AT_ONCE // (length * symbols), 16384 // length))
    for first in range(0, len(ends), rows):
        if cancelled():
            raise Cancelled
        spans = []
        for number, wanted in enumerate(ends[first : first + rows], start=first):
            end = min(wanted, last)
            fresh = min(ends[number - 1], last) if number else 0
            spans.append((fresh if stride is None else max(0, end - length), end, fresh))
        read = torch.zeros(len(spans), max(end - start for start, end, _ in spans), dtype=torch.long)
        for row, (start, end, _) in enumerate(spans):
            read[row, : end - start] = text[start:end]
        logits = model(read.to(device))
        for row, (start, end, fresh) in enumerate(spans):
            at = np.arange(fresh + 1, end + 1)
            targets = text[fresh + 1 : end + 1].to(logits.device)
            scores.take(at, logits[row, fresh - start : end - start], targets, at - start)
        progress(min(1.0, (first + rows) / len(ends)))
    return scores


@torch.no_grad()
def score_in_stream(
    model: LanguageModel,
    tokens: Sequence[int] | NDArray[Any],
    *,
    alternatives: int = 5,
    device: Any = "cpu",
    progress: Progress = lambda _share: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> TokenScores:
    """Score all tokens but the first in one pass with a carried state, so that each has all before it as context.

    Args, and errors, are those of `score_in_windows`.
    """
    text = torch.as_tensor(np.asarray(tokens, np.int64))
    last, symbols = len(text) - 1, model.task.vocabulary_size
    scores = TokenScores.empty(len(text), min(alternatives, symbols))
    piece = max(1, min(PIECE, NUMBERS_AT_ONCE // symbols))
    state: State = model.start(1)
    for start in range(0, last, piece):
        if cancelled():
            raise Cancelled
        end = min(start + piece, last)
        logits, state = model.extend(text[None, start:end].to(device), state)
        at = np.arange(start + 1, end + 1)
        scores.take(at, logits[0], text[start + 1 : end + 1].to(logits.device), at)
        progress(end / last)
    return scores


@torch.no_grad()
def score_hidden(
    model: LanguageModel,
    tokens: Sequence[int] | NDArray[Any],
    mask: int,
    *,
    length: int,
    alternatives: int = 5,
    device: Any = "cpu",
    progress: Progress = lambda _share: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> TokenScores:
    """Score each token with it alone hidden and all others of its window shown: pseudo-log-likelihoods.

    Their sum is not the log-probability of the text (Salazar et al. 2020, equation 1).

    Args:
        model: In eval mode; it predicts hidden tokens.
        tokens: (N,) of the text.
        mask: The number of the symbol that hides a token.
        length: Tokens of a window; windows do not overlap, and the last one reaches back.
        alternatives: As of `score_in_windows`.
        device: As of `score_in_windows`.
        progress: As of `score_in_windows`.
        cancelled: As of `score_in_windows`.

    Raises:
        Cancelled: It was cancelled.
        LabError: The model's logits are not finite numbers.
    """
    text = torch.as_tensor(np.asarray(tokens, np.int64))
    symbols = model.task.vocabulary_size
    scores = TokenScores.empty(len(text), min(alternatives, symbols))
    length = min(length, len(text))
    rows = max(1, min(NUMBERS_AT_ONCE // (max(1, length) * symbols), 64))
    for window, first in _windows(len(text), length):
        for start in range(first, window + length, rows):
            if cancelled():
                raise Cancelled
            at = torch.arange(start, min(start + rows, window + length))
            read = text[window : window + length].repeat(len(at), 1)
            read[torch.arange(len(at)), at - window] = mask
            logits = model(read.to(device))
            numbers = at.numpy()
            own = logits[torch.arange(len(at)), at - window]
            scores.take(numbers, own, text[at].to(own.device), np.full(len(at), length - 1))
            progress(int(at[-1] + 1) / len(text))
    return scores


def _windows(count: int, length: int) -> Iterator[tuple[int, int]]:
    """Yield (start of a window, first token in it that no window before it had)."""
    for first in range(0, count, max(1, length)):
        yield min(first, count - length), first
