"""What a strategy with several hypotheses kept besides the text that it wrote: the beams, token by token."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lab.api import Ahead, Chooser, Continuation, DecodingStep, Hypothesis

if TYPE_CHECKING:
    from torch import Tensor

MOST = 20
"""Most beams that are kept, the best ones."""


@dataclass(frozen=True)
class BeamToken:
    """A token of a beam.

    Args:
        token: Its number.
        probability: Under the model, before the filters.
        entropy: Of the model's distribution there, in bits.
        rank: Its place by the probability, 1 for the likeliest.
        before: The token before it; None for the first one after the prompt.
    """

    token: int
    probability: float
    entropy: float
    rank: int
    before: BeamToken | None


class BeamRecorder(Chooser):
    """A strategy that does what another one does, and records the hypotheses if there may be several.

    Args:
        strategy: The other one.
    """

    def __init__(self, strategy: Chooser) -> None:
        self._strategy, self.width, self.reads_hidden = strategy, strategy.width, strategy.reads_hidden
        self._live: list[tuple[float, BeamToken | None]] = [(0.0, None)]
        self._ended: list[tuple[float, BeamToken]] = []

    def next(self, step: DecodingStep) -> Sequence[Continuation]:
        """Return the continuations that the strategy chooses."""
        found = self._strategy.next(step)
        if self.width > 1:
            self._record(step, found)
        return found

    def is_done(self, live: Sequence[Hypothesis], ended: Sequence[Hypothesis], left: int | None) -> bool:
        """Return the strategy's answer."""
        return self._strategy.is_done(live, ended, left)

    def propose(self, ahead: Ahead) -> Sequence[int]:
        """Return the tokens that the strategy proposes."""
        return self._strategy.propose(ahead)

    def figures(self) -> Mapping[str, float]:
        """Return the strategy's figures."""
        return self._strategy.figures()

    def beams(self) -> list[list[BeamToken]]:
        """Return the ended hypotheses by descending score, then those that live, at most MOST; [] of one hypothesis."""
        chains: list[BeamToken | None] = [chain for _, chain in self._ended]
        chains += [chain for _, chain in self._live if self.width > 1]
        return [_tokens(chain) for chain in chains[:MOST] if chain is not None]

    def _record(self, step: DecodingStep, found: Sequence[Continuation]) -> None:
        import torch

        shares = step.logits.softmax(dim=-1)
        entropies = (torch.special.entr(shares).sum(dim=-1) / math.log(2)).tolist()
        live: list[tuple[float, BeamToken | None]] = []
        for picked in found:
            row, token = picked.hypothesis, picked.token
            chain = _token(shares[row], token, entropies[row], self._live[row][1])
            if picked.ended or step.ends(row, token):
                self._ended.append((picked.score, chain))
            else:
                live.append((picked.score, chain))
        self._live = live
        self._ended = sorted(self._ended, key=lambda one: -one[0])[:MOST]


def _token(shares: Tensor, token: int, entropy: float, before: BeamToken | None) -> BeamToken:
    share = shares[token]
    return BeamToken(token, float(share), entropy, 1 + int((shares > share).sum()), before)


def _tokens(chain: BeamToken) -> list[BeamToken]:
    found: list[BeamToken] = []
    at: BeamToken | None = chain
    while at is not None:
        found.append(at)
        at = at.before
    return found[::-1]
