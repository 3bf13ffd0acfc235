"""Strategies of several hypotheses: beam search, with diverse groups, and stochastic beam search."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from lab.api import Chooser, Continuation, DecodingStep, Hypothesis
from lab.decoding.builtins import BeamSearchConfig, StochasticBeamsConfig


@dataclass
class _Group:
    """Hypotheses that compete with each other alone.

    Args:
        rows: Where they are among the live ones.
        ended: The scores of those that have ended, the best `width` of the group, best first.
    """

    rows: list[int]
    ended: list[float] = field(default_factory=list)


class BeamSearch(Chooser):
    """Continues the hypotheses with the largest log-probabilities, and takes the ended one with the best per length.

    Filters get log-probabilities, and their results are added up as they are. The likeliest `width` candidates may
    end; those that live on are the likeliest `width` that do not. Wu et al. 2016, section 7; the order of these steps
    is that of transformers.

    With several groups, each keeps its share of the width, and they choose one after another: the log-probability of a
    token is diminished by the diversity for each hypothesis of the groups before that has taken it now (Vijayakumar et
    al. 2018, algorithm 1, with the Hamming diversity of its section 5.1).

    Args:
        config: Its settings.
    """

    def __init__(self, config: BeamSearchConfig) -> None:
        self._config, self.width = config, config.width
        self._of_group = config.width // config.groups
        self._groups = [_Group([0]) for _ in range(config.groups)]

    def next(self, step: DecodingStep) -> list[Continuation]:
        """Return the best continuations of the hypotheses of each group."""
        scores = torch.tensor([one.score for one in step.hypotheses])  # (H,)
        logs = step.filters(step.logits.log_softmax(dim=-1))  # (H, V)
        sums, used = logs + scores[:, None], torch.zeros(logs.shape[-1])
        divisor = self._divisor(step.hypotheses[0].length + 1)
        going: list[Continuation] = []
        done: list[Continuation] = []
        for group in self._groups:
            if not group.rows:
                continue
            live, ended = self._continued(step, group, sums[group.rows] - self._config.diversity * used, divisor)
            for one in [*live, *ended]:
                used[one.token] += 1
            group.rows = list(range(len(going), len(going) + len(live)))
            group.ended = sorted([*group.ended, *(one.score for one in ended)], reverse=True)[: self._of_group]
            going += live
            done += ended
        return [*going, *done]

    def _continued(
        self, step: DecodingStep, group: _Group, sums: Tensor, divisor: float
    ) -> tuple[list[Continuation], list[Continuation]]:
        """Return the continuations of a group that live on, and those that end, of the sums (h, V) of its rows."""
        live: list[Continuation] = []
        ended: list[Continuation] = []
        for rank, (at, score) in enumerate(_descending(sums.flatten(), 2 * self._of_group)):
            if rank >= self._of_group and (len(live) == self._of_group or step.left == 1):
                break
            index, token = divmod(at, sums.shape[-1])
            row = group.rows[index]
            if not step.ends(row, token):
                if len(live) < self._of_group:
                    live.append(Continuation(row, token, score))
            elif rank < self._of_group:
                ended.append(Continuation(row, token, score / divisor, ended=True))
        return live, ended

    def is_done(self, live: Sequence[Hypothesis], ended: Sequence[Hypothesis], left: int | None) -> bool:
        """Return True if no group goes on: one is done if none of its hypotheses is expected to score more."""
        del ended
        for group in self._groups:
            if group.rows and self._has_best(group, live[group.rows[0]], left):
                group.rows = []  # given up at the next token
        return not any(group.rows for group in self._groups)

    def _has_best(self, group: _Group, best: Hypothesis, left: int | None) -> bool:
        """Return True if the best live hypothesis of a group is not expected to score more than those that ended."""
        if len(group.ended) < self._of_group:
            return False
        if self._config.stop == "first":
            return True
        length = best.length
        if self._config.stop == "never" and self._config.length_penalty > 0:
            if left is None:
                return False
            length += left
        return best.score / self._divisor(length) <= group.ended[-1]

    def _divisor(self, length: int) -> float:
        """Return the length penalty lp of a number of generated tokens (Wu et al. 2016, eq. 14)."""
        base = (5 + length) / 6 if self._config.length == "wu" else length
        return float(base**self._config.length_penalty)


class StochasticBeams(Chooser):
    """Draws `width` different texts as by sampling without replacement, and takes the first one drawn.

    Each hypothesis has the log-probability φ of its tokens and a score G that is Gumbel distributed around it; those
    with the largest G go on. The G of the continuations of a hypothesis are drawn on condition that their maximum is
    its own, so that the G of all texts are as if they were drawn at once, and the text of the largest one is a sample
    of the model (Kool et al. 2019, algorithm 1 and appendix B.3).

    Args:
        config: Its settings.
    """

    def __init__(self, config: StochasticBeamsConfig) -> None:
        self.width = config.width
        self._logs = torch.zeros(1, dtype=torch.float64)  # φ of the live hypotheses
        self._ended: list[float] = []  # G of the ended ones among the best

    def next(self, step: DecodingStep) -> list[Continuation]:
        """Return the continuations that are among the `width` best, ended ones before them included."""
        logs = self._logs[:, None] + step.filters(step.logits).double().log_softmax(dim=-1)  # (H, V)
        parents = torch.tensor([one.score for one in step.hypotheses], dtype=torch.float64)
        if step.hypotheses[0].length == 0:
            parents = gumbel(torch.zeros(1, dtype=torch.float64), step.generator)
        scores = gumbel_with_maximum(logs, parents, step.generator)
        picked = list(_descending(scores.flatten(), self.width))[: self.width]
        least = sorted([*self._ended, *(score for _, score in picked)], reverse=True)[: self.width][-1]
        live: list[Continuation] = []
        ended: list[Continuation] = []
        phis: list[float] = []
        for at, score in picked:
            row, token = divmod(at, scores.shape[-1])
            if score < least:
                break
            if step.ends(row, token):
                ended.append(Continuation(row, token, score, ended=True))
            else:
                live.append(Continuation(row, token, score))
                phis.append(float(logs[row, token]))
        self._logs = torch.tensor(phis, dtype=torch.float64)
        self._ended = [score for score in (*self._ended, *(one.score for one in ended)) if score >= least]
        return [*live, *ended]

    def is_done(self, live: Sequence[Hypothesis], ended: Sequence[Hypothesis], left: int | None) -> bool:
        """Return False: what lives is among the best."""
        del live, ended, left
        return False


def gumbel(logs: Tensor, generator: torch.Generator) -> Tensor:
    """Return Gumbel distributed numbers around log-probabilities (…)."""
    return logs - torch.empty_like(logs).exponential_(generator=generator).log()


def gumbel_with_maximum(logs: Tensor, maxima: Tensor, generator: torch.Generator) -> Tensor:
    """Return Gumbel numbers around log-probabilities (H, V), on condition that the maximum of each row is a given one.

    Args:
        logs: (H, V), −inf for a removed token.
        maxima: (H,).
        generator: The source of random numbers.
    """
    drawn = gumbel(logs, generator)
    v = maxima[:, None] - drawn + torch.log1p(-(drawn - drawn.amax(dim=-1, keepdim=True)).exp())
    found = maxima[:, None] - v.clamp(min=0) - torch.log1p((-v.abs()).exp())
    return found.masked_fill(logs == -math.inf, -math.inf)


def _descending(values: Tensor, count: int) -> Iterator[tuple[int, float]]:
    """Yield (index, value), the largest first, without removed ones; `count` are sorted first, then more as needed."""
    yielded: set[int] = set()  # of equal values, topk returns others if it is asked for more
    while len(yielded) < len(values):
        best = values.topk(min(count, len(values)))
        for at, value in zip(best.indices.tolist(), best.values.tolist(), strict=True):
            if value == -math.inf:
                return
            if at not in yielded:
                yielded.add(at)
                yield at, value
        count *= 2
