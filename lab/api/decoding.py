"""Decoding: filters of the next token's distribution, and strategies that choose how hypotheses continue.

A hypothesis is a text that may become the result. At each token the model gives logits for every live hypothesis; the
strategy lets the filters change them and chooses the continuations: which hypothesis goes on with which token.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
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


class RunReader(ABC):
    """The model of another run of the same vocabulary, which reads the texts that the decoder's own model reads.

    A config names the run in a setting declared with `setting(…, run=True)`. The factory of its card gets the readers
    as its last argument, one for each such setting by its name: `build(config, readers)`.
    """

    @abstractmethod
    def logits(self, texts: Histories) -> Tensor:
        """Return logits (H, V) in float32 on the CPU after each of H texts of one length, before any filter.

        They depend on the texts alone. A text that continues one of the last ones costs only its new tokens.

        Args:
            texts: At least one, of at least one token each: histories, with or without more tokens behind them.
        """


class Constraint(ABC):
    """A FilterFunction that also knows when a text is complete. The factory of a filter may return one."""

    @abstractmethod
    def __call__(self, logits: Tensor, histories: Histories) -> Tensor:
        """Return logits (H, V), −inf for a removed token."""

    @abstractmethod
    def is_complete(self, history: Sequence[int]) -> bool:
        """Return True if nothing may follow these tokens: the text then ends."""


@dataclass(frozen=True)
class Filter(Registration):
    """The card of a filter. `build(config)` returns a FilterFunction, which reads live settings at each call.

    A filter works on each row alone, draws nothing, does not change its input, and never brings a removed token back.
    Its logits are those after the filters before it; beam search passes log-probabilities, which are logits too. Where
    settings name runs, the factory gets a RunReader for each as its last argument.

    Args:
        reads_text: Whether the factory gets the model's tokenizer as well: `build(config, tokenizer)`.
        after_prompt: Whether the factory then gets the number of tokens of the prompt, which begin each history.
    """

    build: Callable[..., FilterFunction] | str
    reads_text: bool = field(default=False, kw_only=True)
    after_prompt: bool = field(default=False, kw_only=True)


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


def _no_peek(continuations: Sequence[tuple[int, int]]) -> tuple[Tensor, Tensor | None]:
    raise RuntimeError(f"no model can read the {len(continuations)} tokens ahead")


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
        hidden: For a strategy that `reads_hidden`: (H, n, D) in float32 on the CPU, the hidden states after the n
            tokens that the model read for these logits; after the first reading these are those of the prompt.
        peek: Reads tokens ahead, without choosing them: [(index of a hypothesis, token), …] of C continuations ->
            logits (C, V) after each, and with `reads_hidden` their hidden states (C, D), else None. What is then chosen
            among them is not read again. Call it once.
    """

    logits: Tensor
    hypotheses: Sequence[Hypothesis]
    filters: Callable[[Tensor], Tensor]
    ends: Callable[[int, int], bool]
    left: int | None
    generator: torch.Generator
    hidden: Tensor | None = None
    peek: Callable[[Sequence[tuple[int, int]]], tuple[Tensor, Tensor | None]] = field(kw_only=True, default=_no_peek)


@dataclass(frozen=True)
class Ahead:
    """All that a strategy of one hypothesis sees when it may propose tokens to read ahead.

    Args:
        hypothesis: The live hypothesis, whose last token is about to be read.
        filters: The user's filters: (logits (1, V), history) -> logits (1, V).
        most: Most tokens that can be read ahead, at least 1.
        generator: The source of random numbers of this text.
    """

    hypothesis: Hypothesis
    filters: Callable[[Tensor, Sequence[int]], Tensor]
    most: int
    generator: torch.Generator


class Chooser(ABC):
    """The search of a strategy for one text; it selects the continuations of its hypotheses.

    Attributes:
        width: Most hypotheses that live at the same time.
        reads_hidden: Whether its steps have the hidden states; a model that reports none is then refused.
    """

    width: int = 1
    reads_hidden: bool = False

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

    def propose(self, ahead: Ahead) -> Sequence[int]:
        """Return tokens that the text may go on with, at most `ahead.most`; only asked of a strategy of `width` 1.

        The model reads them in one pass together with the last token. `next` is called for each token as always, and
        needs no further pass as long as the text goes on with the proposed tokens.
        """
        del ahead
        return ()

    def figures(self) -> Mapping[str, float]:
        """Return figures about the text so far by their names, to be reported at its end."""
        return {}


@dataclass(frozen=True)
class Strategy(Registration):
    """The card of a strategy. `build(config)` returns a Chooser, a new one for each text.

    Where settings name runs, the factory gets a RunReader for each by the setting: `build(config, readers)`.
    """

    build: Callable[..., Chooser] | str
