"""Strategies of one hypothesis: sampling, Mirostat, and greedy decoding."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from lab.api import Chooser, Continuation, DecodingStep, Draw
from lab.decoding.builtins import GreedyConfig, MirostatConfig, SamplingConfig


class Sampling(Chooser):
    """Draws each token from the distribution after the filters.

    Args:
        config: Its settings.
    """

    def __init__(self, config: SamplingConfig) -> None:
        self._config = config

    def next(self, step: DecodingStep) -> list[Continuation]:
        """Return the only hypothesis with the token that was drawn."""
        probabilities = step.filters(step.logits).softmax(dim=-1)  # (1, V)
        drawn = exponential_race if self._config.draw == "race" else inverse_cdf
        token, draw = drawn(probabilities, step.generator)
        score = step.hypotheses[0].score + math.log(float(probabilities[0, token]))
        return [Continuation(0, token, score, draw=draw)]


def exponential_race(probabilities: Tensor, generator: torch.Generator) -> tuple[int, Draw]:
    """Draw a token: exponential numbers over probabilities (1, V) are times of arrival, and the first one wins.

    These are the tokens, and the random numbers, of torch.multinomial on the CPU.
    """
    times = torch.empty_like(probabilities).exponential_(1, generator=generator)
    token = int((probabilities / times).argmax())
    return token, Draw("exponential race", times=(times / probabilities)[0])


def inverse_cdf(probabilities: Tensor, generator: torch.Generator) -> tuple[int, Draw]:
    """Draw a token: the first one up to which probabilities (1, V) sum to more than a uniform number."""
    sums = probabilities[0].double().cumsum(dim=0)
    sums /= sums[-1].clone()
    uniform = torch.rand(1, dtype=torch.float64, generator=generator)
    token = int(torch.searchsorted(sums, uniform, right=True))
    below = float(sums[token - 1]) if token else 0.0
    return token, Draw("inverse CDF", uniform=float(uniform), interval=(below, float(sums[token])))


class Mirostat(Chooser):
    """Draws tokens below a bound of surprisal, which moves so that the mean surprisal approaches the target.

    The bound μ starts at twice the target τ. At each token those more surprising than μ are removed (never the
    likeliest), one of the others is drawn, and μ becomes μ − rate · (S − τ), S being its surprisal among all tokens
    after the filters (Basu et al. 2021, "Mirostat", algorithm 2 of the authors' second version, which needs no estimate
    of Zipf's exponent).

    Args:
        config: Its settings.
    """

    def __init__(self, config: MirostatConfig) -> None:
        self._config = config
        self._bound = 2 * config.surprisal

    def next(self, step: DecodingStep) -> list[Continuation]:
        """Return the only hypothesis with the token that was drawn."""
        bits = -step.filters(step.logits).log_softmax(dim=-1) / math.log(2)  # (1, V)
        removed = (bits > self._bound) & (bits > bits.min())
        token, draw = inverse_cdf((-math.log(2) * bits).masked_fill(removed, -math.inf).softmax(dim=-1), step.generator)
        surprisal = float(bits[0, token])
        self._bound -= self._config.rate * (surprisal - self._config.surprisal)
        return [Continuation(0, token, step.hypotheses[0].score - math.log(2) * surprisal, draw=draw)]


class Greedy(Chooser):
    """Takes the first of the likeliest tokens after the filters.

    Args:
        config: It has no settings.
    """

    def __init__(self, config: GreedyConfig) -> None:
        del config

    def next(self, step: DecodingStep) -> list[Continuation]:
        """Return the only hypothesis with its likeliest token."""
        logs = step.filters(step.logits).log_softmax(dim=-1)  # (1, V)
        token = int(logs.argmax())
        return [Continuation(0, token, step.hypotheses[0].score + float(logs[0, token]), draw=Draw("largest"))]
