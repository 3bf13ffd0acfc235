"""Filters that look at the distribution alone: temperature, and cut-offs of what is unlikely."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from lab.api import FilterFunction, Histories
from lab.decoding.builtins import (
    EpsilonConfig,
    EtaConfig,
    MinPConfig,
    TemperatureConfig,
    TopAConfig,
    TopKConfig,
    TopPConfig,
    TypicalConfig,
)


def temperature_filter(config: TemperatureConfig) -> FilterFunction:
    """Return the filter that divides logits by the temperature."""
    return _without_history(lambda logits: at_temperature(logits, config.temperature))


def top_k_filter(config: TopKConfig) -> FilterFunction:
    """Return the filter that leaves the k likeliest tokens."""
    return _without_history(lambda logits: top_k(logits, config.k))


def top_p_filter(config: TopPConfig) -> FilterFunction:
    """Return the filter that leaves the nucleus."""
    return _without_history(lambda logits: top_p(logits, config.p))


def min_p_filter(config: MinPConfig) -> FilterFunction:
    """Return the filter that leaves tokens with a share of the largest probability."""
    return _without_history(lambda logits: min_p(logits, config.share))


def typical_filter(config: TypicalConfig) -> FilterFunction:
    """Return the filter that leaves the locally typical tokens."""
    return _without_history(lambda logits: typical(logits, config.mass))


def epsilon_filter(config: EpsilonConfig) -> FilterFunction:
    """Return the filter that leaves tokens above a probability."""
    return _without_history(lambda logits: epsilon_cutoff(logits, config.epsilon))


def eta_filter(config: EtaConfig) -> FilterFunction:
    """Return the filter that leaves tokens above a probability that depends on the entropy."""
    return _without_history(lambda logits: eta_cutoff(logits, config.epsilon))


def top_a_filter(config: TopAConfig) -> FilterFunction:
    """Return the filter that leaves tokens above a share of the largest probability's square."""
    return _without_history(lambda logits: top_a(logits, config.a))


def _without_history(change: Callable[[Tensor], Tensor]) -> FilterFunction:
    def filtered(logits: Tensor, _histories: Histories) -> Tensor:
        return change(logits)

    return filtered


def at_temperature(logits: Tensor, temperature: float) -> Tensor:
    """Divide the logits; temperature 0 removes all but the best."""
    return only_the_best(logits) if temperature == 0 else logits / temperature


def only_the_best(logits: Tensor) -> Tensor:
    """Remove all but the first of the largest logits: greedy decoding."""
    best = logits.argmax(dim=-1, keepdim=True)
    return torch.full_like(logits, -math.inf).scatter(-1, best, 0.0)


def top_k(logits: Tensor, k: int) -> Tensor:
    """Remove all but the k largest logits; ties with the k-th stay (Fan et al. 2018). 0 removes none."""
    if k == 0 or k >= logits.shape[-1]:
        return logits
    least = logits.topk(k, dim=-1).values[..., -1:]
    return logits.masked_fill(logits < least, -math.inf)


def top_p(logits: Tensor, p: float) -> Tensor:
    """Return the nucleus: the fewest likeliest tokens with total probability p (Holtzman et al. 2019, eq. 2)."""
    if p >= 1:
        return logits
    ranked, order = logits.sort(dim=-1, descending=True)
    probabilities = ranked.softmax(dim=-1)
    before = probabilities.cumsum(dim=-1) - probabilities  # of the likelier ones; 0 for the first
    dropped = torch.zeros_like(logits, dtype=torch.bool).scatter(-1, order, before >= p)
    return logits.masked_fill(dropped, -math.inf)


def min_p(logits: Tensor, share: float) -> Tensor:
    """Remove tokens with less than a share of the largest probability (Nguyen et al. 2024, section 3)."""
    probabilities = logits.softmax(dim=-1)
    return logits.masked_fill(probabilities < share * probabilities.amax(dim=-1, keepdim=True), -math.inf)


def epsilon_cutoff(logits: Tensor, epsilon: float) -> Tensor:
    """Remove tokens less likely than epsilon, but never the likeliest (Hewitt et al. 2022, section 4)."""
    return _without_unlikely(logits, logits.softmax(dim=-1), epsilon)


def eta_cutoff(logits: Tensor, epsilon: float) -> Tensor:
    """Remove tokens less likely than min(ε, √ε · exp(−entropy)), never the likeliest (Hewitt et al. 2022, eq. 5)."""
    logs = logits.log_softmax(dim=-1)
    bound = (math.sqrt(epsilon) * torch.exp(-_entropy(logs))).clamp(max=epsilon)
    return _without_unlikely(logits, logs.exp(), bound)


def top_a(logits: Tensor, a: float) -> Tensor:
    """Remove tokens less likely than a · (the largest probability)²."""
    probabilities = logits.softmax(dim=-1)
    return _without_unlikely(logits, probabilities, a * probabilities.amax(dim=-1, keepdim=True).square())


def _without_unlikely(logits: Tensor, probabilities: Tensor, bound: float | Tensor) -> Tensor:
    """Remove tokens whose probability is below a bound, except those with the largest logit."""
    return logits.masked_fill((probabilities < bound) & (logits < logits.amax(dim=-1, keepdim=True)), -math.inf)


def _entropy(logs: Tensor) -> Tensor:
    """Return the entropy of log-probabilities (H, V) in nats, (H, 1); a removed token adds nothing."""
    return -(logs * logs.exp()).nansum(dim=-1, keepdim=True)  # 0 · −inf is NaN


def typical(logits: Tensor, mass: float) -> Tensor:
    """Leave the tokens whose surprisal is nearest to the entropy, up to a mass (Meister et al. 2022, eq. 11).

    The token that reaches the mass stays, and so do ties with it.
    """
    if mass >= 1:
        return logits
    logs = logits.log_softmax(dim=-1)
    distances = (-logs - _entropy(logs)).abs()
    ranked, order = distances.sort(dim=-1)
    sums = logits.gather(-1, order).softmax(dim=-1).cumsum(dim=-1)
    last = (sums < mass).sum(dim=-1, keepdim=True).clamp(max=logits.shape[-1] - 1)
    return logits.masked_fill(distances > ranked.gather(-1, last), -math.inf)
