"""Speculative decoding: a small model proposes tokens, and the large one reads all of them in one pass."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from lab.api import Ahead, Chooser, Continuation, DecodingStep, Draw, LabError, RunReader
from lab.decoding.builtins import SpeculativeConfig
from lab.decoding.strategies import inverse_cdf


class Speculative(Chooser):
    """Samples from the distribution p that the filters leave, with proposals that are drawn from a draft's q.

    A proposed token x is taken with the probability min(1, p(x) / q(x)). If it is not, the token is drawn from
    max(0, p − q), normalised, and the proposals behind it are given up. After the last proposal, a token is drawn from
    p. The text then has the distribution of sampling (Leviathan et al. 2023, algorithm 1 and appendix A.1; Chen et al.
    2023, algorithm 2), whatever the draft is. q is what the same filters leave of the draft's logits.

    Args:
        config: Its settings.
        readers: The draft, by the name "draft".
    """

    def __init__(self, config: SpeculativeConfig, readers: Mapping[str, RunReader]) -> None:
        self._config, self._draft = config, readers["draft"]
        self._proposed: list[tuple[int, Tensor]] = []  # tokens that were not judged, each with its q (V,)
        self._tokens = self._judged = self._accepted = self._passes = 0
        self._is_read = False  # the pass that judged the last token also read what follows it

    def propose(self, ahead: Ahead) -> Sequence[int]:
        """Return tokens drawn from the draft, one after another."""
        text = list(ahead.hypothesis.tokens)
        self._proposed = []
        for _ in range(min(self._config.tokens, ahead.most)):
            logits = self._draft.logits([text])
            try:
                left = ahead.filters(logits, text)
            except LabError:  # nothing is left after a token that the model itself may not take
                break
            q = left.double().softmax(dim=-1)  # (1, V)
            token, _ = inverse_cdf(q, ahead.generator)
            self._proposed.append((token, q[0]))
            text.append(token)
        return [token for token, _ in self._proposed]

    def next(self, step: DecodingStep) -> list[Continuation]:
        """Return the only hypothesis with the next proposed token, or with one that is drawn in its place."""
        self._passes += not self._is_read
        self._is_read = False
        p = step.filters(step.logits).double().softmax(dim=-1)  # (1, V)
        token, draw = self._judge(p, step.generator) if self._proposed else inverse_cdf(p, step.generator)
        self._tokens += 1
        return [Continuation(0, token, step.hypotheses[0].score + math.log(float(p[0, token])), draw=draw)]

    def _judge(self, p: Tensor, generator: torch.Generator) -> tuple[int, Draw]:
        """Take the next proposed token, or draw another one."""
        token, q = self._proposed.pop(0)
        self._judged += 1
        uniform = float(torch.rand(1, dtype=torch.float64, generator=generator))
        if uniform * float(q[token]) < float(p[0, token]):
            self._accepted += 1
            self._is_read = True
            return token, Draw("proposal, accepted")
        self._proposed = []
        rest = (p - q).clamp(min=0)  # positive where q(x) > p(x) for some x
        return inverse_cdf(rest, generator)

    def figures(self) -> Mapping[str, float]:
        """Return the share of the judged proposals that were accepted, and the tokens per pass of the model."""
        if not self._judged:
            return {}
        return {"acceptance rate": self._accepted / self._judged, "tokens per pass": self._tokens / self._passes}
