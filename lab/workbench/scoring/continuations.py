"""Continuations scored after what stands before them, many at once: the question that all tests of a run ask."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lab.api import BadInput
from lab.base.jobs import Cancelled
from lab.workbench.access.text_use import TextUse
from lab.workbench.launch.summary import reads_later

if TYPE_CHECKING:
    from lab.workbench.access.model_access import BorrowedModel, ModelAccess

NUMBERS_AT_ONCE = 1 << 22
"""Logits that are computed at once."""


@dataclass(frozen=True)
class Continuation:
    """The scores of the N tokens of a continuation.

    Args:
        nats: (N,) surprisal of each token.
        ranks: (N,) 1 where it was the likeliest token.
    """

    nats: NDArray[np.float64]
    ranks: NDArray[np.int64]

    @property
    def total(self) -> float:
        """The log-probability of the continuation, in nats."""
        return -float(self.nats.sum())

    @property
    def mean(self) -> float:
        """The log-probability per token, in nats."""
        return self.total / len(self.nats)

    @property
    def is_greedy(self) -> bool:
        """True if greedy decoding writes exactly this continuation."""
        return bool((self.ranks == 1).all())


def check_continues(access: ModelAccess, borrowed: BorrowedModel) -> None:
    """Refuse a run that gives the tokens of a text no probabilities after what stands before them.

    Raises:
        BadInput: It is one.
    """
    remedy = "Choose a run that was trained to continue text"
    if access.text_use is not TextUse.PROMPT:
        name = access.recipe.objective.name
        raise BadInput("this run continues no text", field="objective.name", value=name, remedy=remedy)
    if reads_later(borrowed.model):
        raise BadInput("this model reads the tokens that it is to predict", remedy=remedy)


def score_continuations(
    borrowed: BorrowedModel,
    questions: Sequence[tuple[Sequence[int] | NDArray[np.int64], Sequence[int] | NDArray[np.int64]]],
    *,
    progress: Callable[[float], object] = lambda _share: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> list[Continuation]:
    """Return the scores of continuations.

    Args:
        borrowed: The model.
        questions: (tokens before, tokens of the continuation), at least one of each. The beginning of what a model has
            no room for is left out; a continuation that it cannot read at once is scored in pieces, each after as much
            before it as there is room for.
        progress: Called with the share that is done.
        cancelled: Called between batches.

    Raises:
        Cancelled: It was cancelled.
        LabError: The model's logits are not finite numbers.
    """
    reach = borrowed.model.reach
    pieces: list[tuple[NDArray[np.int64], int]] = []  # what is read with the target after it, and targets at its end
    counts = []
    for before, after in questions:
        whole = np.concatenate([np.asarray(before, np.int64), np.asarray(after, np.int64)])
        at_once = len(after) if reach is None or len(after) <= reach else max(1, reach // 2)
        ends = range(len(before) + at_once, len(whole) + at_once, at_once)
        for end in ends:
            count = min(at_once, len(whole) - (end - at_once))
            read = whole[: min(end, len(whole))]
            pieces.append((read if reach is None else read[-reach - 1 :], count))
        counts.append(len(ends))
    scored = iter(_scored(borrowed, pieces, progress, cancelled))
    found = []
    for count in counts:
        own = [next(scored) for _ in range(count)]
        nats, ranks = np.concatenate([one.nats for one in own]), np.concatenate([one.ranks for one in own])
        found.append(Continuation(nats, ranks))
    return found


def _scored(
    borrowed: BorrowedModel,
    pieces: Sequence[tuple[NDArray[np.int64], int]],
    progress: Callable[[float], object],
    cancelled: Callable[[], bool],
) -> list[Continuation]:
    """Return the scores of the last tokens of each piece."""
    import torch

    from lab.diagnostics.texts.surprisal import TokenScores

    model = borrowed.model
    found: dict[int, Continuation] = {}
    texts = [text for text, _ in pieces]
    order = sorted(range(len(pieces)), key=lambda index: len(texts[index]))
    while order:
        if cancelled():
            raise Cancelled
        length = len(texts[order[-1]]) - 1
        rows = max(1, min(NUMBERS_AT_ONCE // (length * model.task.vocabulary_size), 16384 // length, 256))
        some, order = order[-rows:], order[:-rows]
        read = torch.zeros(len(some), length, dtype=torch.long)
        for row, index in enumerate(some):
            read[row, : len(texts[index]) - 1] = torch.from_numpy(texts[index][:-1])
        with torch.no_grad():
            logits = model(read.to(borrowed.device))
        for row, index in enumerate(some):
            count, end = pieces[index][1], len(texts[index]) - 1
            scores = TokenScores.empty(count, 1)
            targets = torch.from_numpy(texts[index][-count:]).to(logits.device)
            at = np.arange(count)
            scores.take(at, logits[row, end - count : end], targets, at)
            found[index] = Continuation(scores.nats, scores.ranks)
        progress(len(found) / len(pieces))
    return [found[index] for index in range(len(pieces))]
