"""Text of nested brackets: a random walk over stacks, which determine every closing bracket."""

from __future__ import annotations

import math

from pydantic import model_validator

from lab.api import ENTROPY_RATE, Text, setting
from lab.sources.texts.lengths import GeneratedConfig

BRACKETS = ("()", "[]", "{}", "<>", *(letter + letter.upper() for letter in "abcdefghijklmnopqrstuvwxyz"))
"""The kinds of brackets in order, each as opening and closing."""

SHALLOW = 0.49
"""Largest probability of opening without a maximum depth: near 1/2 the depth never settles."""


class DyckConfig(GeneratedConfig):
    """The kinds of brackets and how deep they nest."""

    kinds: int = setting(
        2,
        ge=1,
        le=len(BRACKETS),
        unit="kinds",
        help="Kinds of brackets, all equally frequent: ( ) [ ] { } < >, then a letter and its capital.",
        cite="Chomsky & Schützenberger 1963",
    )
    maximum_depth: int = setting(
        8,
        ge=0,
        le=100,
        unit="brackets",
        help="Largest number of open brackets; 0 means no maximum.",
        cite="Hewitt et al. 2020",
    )
    opening: float = setting(
        0.4,
        gt=0,
        lt=1,
        help="Probability that the next bracket opens where it could also close; at most 0.49 without a maximum depth.",
    )

    @model_validator(mode="after")
    def _depth_settles(self) -> DyckConfig:
        if not self.maximum_depth and self.opening > SHALLOW:
            raise ValueError(f"without a maximum depth, opening is at most {SHALLOW}: the depth would not settle")
        return self


def dyck(config: DyckConfig) -> Text:
    """Return brackets from an empty stack on, with their entropy rate. The last ones may stay open."""
    _, draws = config.draws()
    deepest = config.maximum_depth or math.inf
    text: list[str] = []
    stack: list[str] = []
    for kind, open_ in draws.random((config.length, 2)).tolist():
        if not stack or (open_ < config.opening and len(stack) < deepest):
            pair = BRACKETS[int(kind * config.kinds)]
            text.append(pair[0])
            stack.append(pair[1])
        else:
            text.append(stack.pop())
    return Text("".join(text), "Dyck language", floors={ENTROPY_RATE: entropy_rate(config)})


def entropy_rate(config: DyckConfig) -> float:
    """Return the nats per bracket: ln k if it must open, 0 if it must close, else H(p) + p ln k, weighted by depth.

    The depth is a birth-death chain, so upward and downward moves between neighbouring depths balance.
    """
    p, D, kind = config.opening, config.maximum_depth, math.log(config.kinds)
    free = -p * math.log(p) - (1 - p) * math.log1p(-p) + p * kind
    if D == 1:
        return kind / 2
    growth = math.log(p) - math.log1p(-p)  # log ratio of the shares of neighbouring free depths
    # shares of depth 0, of all free depths and of the maximum, in one unit
    if D == 0:
        empty, between, full = 1 - p, 1 / -math.expm1(growth), 0.0
    else:
        unit = max(0.0, (D - 2) * growth)  # the largest share of a free depth is 1, so none overflows
        empty = (1 - p) * math.exp(-unit)
        between = math.fsum(math.exp(d * growth - unit) for d in range(D - 1))
        full = p * math.exp((D - 2) * growth - unit)
    return (empty * kind + between * free) / (empty + between + full)
