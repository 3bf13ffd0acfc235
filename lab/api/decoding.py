"""Decoding: filters of the next token's distribution, and strategies that choose how hypotheses continue.

A hypothesis is a text that may become the result. At each token the model gives logits for every live hypothesis; the
strategy lets the filters change them and chooses the continuations: which hypothesis goes on with which token.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from lab.api.registrations import Registration, Sampler

if TYPE_CHECKING:
    import torch
    from torch import Tensor

Histories: TypeAlias = Sequence[Sequence[int]]
"""The tokens of each hypothesis so far, those of the prompt first. They belong to the decoder: do not change them.

Numbers that the logits do not have are symbols that are never drawn, such as the one that begins a target."""
FilterFunction: TypeAlias = "Callable[[Tensor, Histories], Tensor]"
"""The type of a filter: (logits (H, V), histories of the H hypotheses) -> logits (H, V), −inf for a removed token."""


@dataclass(frozen=True)
class Filter(Registration):
    """The card of a filter. `build(config)` returns a FilterFunction, which reads live settings at each call.

    A filter works on each row alone, draws nothing, does not change its input, and never brings a removed token back.
    Its logits are those after the filters before it; beam search passes log-probabilities, which are logits too.

    Args:
        reads_text: Whether the factory gets the model's tokenizer as well: `build(config, tokenizer)`.
    """

    build: Callable[..., FilterFunction] | str
    reads_text: bool = field(default=False, kw_only=True)


def filter_of_sampler(sampler: Sampler) -> Filter:
    """Return a sampler, a card of version 1 of the API, as a filter that ignores the histories."""

    def build(config: Any) -> FilterFunction:
        change = sampler.make(config)
        return lambda logits, _histories: change(logits)

    return Filter(sampler.name, sampler.title, build, sampler.config, sampler.summary)


@dataclass(frozen=True)
class Hypothesis:
    """A text that may become the result.

    Args:
        tokens: Its tokens, those of the prompt first.
        prompt: Number of tokens of the prompt.
        score: The score that the strategy gave it; 0 at the start.
    """

    tokens: Sequence[int]
    prompt: int
    score: float = 0.0

    @property
    def length(self) -> int:
        """Number of generated tokens."""
        return len(self.tokens) - self.prompt


@dataclass(frozen=True)
class Draw:
    """The choice of a token from a distribution.

    Args:
        method: "inverse CDF", "exponential race", "largest", or a strategy's own.
        uniform: Of "inverse CDF": the uniform number, 0 ≤ u < 1, the only random number that was used.
        interval: Of "inverse CDF": the sums of the probabilities before and up to the token, which enclose it.
        times: Of "exponential race": (V,) exponentially distributed number of each token, divided by its probability;
            the token of the smallest one is drawn. No uniform number takes part.
    """

    method: str
    uniform: float | None = None
    interval: tuple[float, float] | None = None
    times: Tensor | None = None


@dataclass(frozen=True)
class Continuation:
    """A hypothesis that goes on with one more token.

    Args:
        hypothesis: Index of the hypothesis among the live ones.
        token: The token.
        score: While it lives, what the strategy gets back with it. The result is the ended hypothesis with the largest.
        ended: Whether it ends with this token. One that `DecodingStep.ends` names ends in any case.
        draw: How the token was drawn, to be shown; None if nothing is known.
    """

    hypothesis: int
    token: int
    score: float = 0.0
    ended: bool = False
    draw: Draw | None = None


@dataclass(frozen=True)
class DecodingStep:
    """All that a strategy sees when it chooses the next tokens. H live hypotheses, V symbols.

    Args:
        logits: (H, V) in float32 on the CPU, before any filter.
        hypotheses: The live hypotheses, one for each row, in the order in which the strategy chose them.
        filters: Applies the filters that the user chose, in their order, to logits (H, V); call it once.
        ends: (index of a hypothesis, token) -> True if a text ends there: at a stop symbol, a stop string, the end of a
            text, or because `left` is 1.
        left: Number of tokens that may still come, this one included; None for no limit.
        generator: The source of random numbers of this text.
    """

    logits: Tensor
    hypotheses: Sequence[Hypothesis]
    filters: Callable[[Tensor], Tensor]
    ends: Callable[[int, int], bool]
    left: int | None
    generator: torch.Generator


class Chooser(ABC):
    """The search of a strategy for one text; it selects the continuations of its hypotheses.

    Attributes:
        width: Most hypotheses that live at the same time.
    """

    width: int = 1

    @abstractmethod
    def next(self, step: DecodingStep) -> Sequence[Continuation]:
        """Return the continuations, best first: at most `width` that live on, and any number that end.

        A hypothesis without a continuation is given up; one with several branches. With none at all the text ends.
        """

    def is_done(self, live: Sequence[Hypothesis], ended: Sequence[Hypothesis], left: int | None) -> bool:
        """Return True if no live hypothesis needs to go on; by default once as many have ended as it keeps.

        Args:
            live: The live hypotheses, best first; never empty.
            ended: Those that have ended, by descending score.
            left: Number of tokens that may still come; None for no limit.
        """
        del live, left
        return len(ended) >= self.width


@dataclass(frozen=True)
class Strategy(Registration):
    """The card of a strategy. `build(config)` returns a Chooser, a new one for each text."""

    build: Callable[[Any], Chooser] | str
