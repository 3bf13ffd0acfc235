"""A stream of generated tokens, each with its probability, its likeliest alternatives and its stages."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from lab.api import Ahead, Chooser, Constraint, Continuation, DecodingStep, Draw, Hypothesis
from lab.base import LabError
from lab.decoding.pipeline import NamedFilter, Pipeline, Stage
from lab.decoding.reader import Read, Reader
from lab.decoding.stops import End, Stops

if TYPE_CHECKING:
    from lab.api import LanguageModel


DIVERGED = "The training has diverged: train again with a lower learning rate, or choose an earlier checkpoint"


@dataclass(frozen=True)
class EndedText:
    """A text that a strategy wrote to its end.

    Args:
        tokens: Its generated tokens.
        score: The score by which the strategy compares ended texts.
        end: Why it ended.
    """

    tokens: tuple[int, ...]
    score: float
    end: End


@dataclass(frozen=True)
class Token:
    """One generated token.

    Args:
        token: Its number.
        probability: Its probability under the model, before any filter.
        alternatives: (token, probability under the model) of the likeliest tokens at this position, likeliest first.
        reread: Whether only the end of the preceding text was read for it: the model was full and started again from
            the last half of its reach, or the prompt was longer than its reach.
        entropy: Of the model's distribution at this position, in bits.
        rank: Its place among all tokens by that probability, 1 for the likeliest.
        end: Why the text ends with this token; None if it goes on.
        stages: The distribution (V,) of the model and after each filter, if they were asked for.
        draw: How the strategy chose it; None if it does not say so.
        texts: Of the last token: the best texts that ended, best first, this one and at most as many as the strategy
            has hypotheses.
        figures: Of the last token: the figures of the strategy about the text.
        state_bytes: Size of the model's state of all hypotheses when it was chosen; 0 in texts that are written
            together.
    """

    token: int
    probability: float
    alternatives: tuple[tuple[int, float], ...]
    reread: bool
    entropy: float
    rank: int
    end: End | None = None
    stages: tuple[Stage, ...] = ()
    draw: Draw | None = None
    texts: tuple[EndedText, ...] = ()
    figures: Mapping[str, float] = field(default_factory=dict)
    state_bytes: int = 0


def generate(
    model: LanguageModel,
    prompt: Sequence[int],
    *,
    strategy: Chooser,
    filters: Sequence[NamedFilter] = (),
    stops: Stops | None = None,
    seed: int,
    symbols: int,
    count: int | None = None,
    alternatives: int = 5,
    stages: bool = False,
    device: Any = "cpu",
) -> Iterator[Token]:
    """Yield the tokens after a prompt. The prompt is read at once, each further token in one step.

    A token is yielded as soon as it is certain: that of the only hypothesis at once, and of several hypotheses those
    that all have in common. A model with a limited number of positions (`reach`) starts again from the last half of
    them when it is full.

    Args:
        model: In eval mode, and not used elsewhere at the same time.
        prompt: At least one token.
        strategy: Chooses the tokens; of this text alone.
        filters: What it may apply to the logits, in this order.
        stops: What ends the text; None for nothing.
        seed: Seed of the generator of this stream.
        symbols: Number of first symbols that tokens are chosen from; an objective's own symbols never come.
        count: Most tokens; None for no limit.
        alternatives: Number of alternatives per token.
        stages: Whether tokens come with their stages.
        device: The device of the model.

    Yields:
        One token after another; the last one has an `end`.

    Raises:
        ValueError: The prompt is empty.
        BadInput: The strategy needs hidden states, and the model reports none.
        LabError: The model's logits are not finite numbers, filters leave no token, or a strategy breaks its contract.
    """
    if not prompt:
        raise ValueError("a prompt needs at least one token")
    reader = Reader(model, device, symbols, hidden=strategy.reads_hidden)
    search = _Search(reader, strategy, filters, stops or Stops(), seed, prompt, count, alternatives, stages)
    while search.live:
        with torch.no_grad():
            search.advance()
        yield from search.certain()


def generate_together(
    model: LanguageModel,
    prompts: Sequence[Sequence[int]],
    strategies: Sequence[Chooser],
    *,
    filters: Sequence[NamedFilter] = (),
    seeds: Sequence[int],
    symbols: int,
    count: int,
    device: Any = "cpu",
) -> Iterator[list[list[Token]]]:
    """Write texts after several prompts at once: the model reads all of them in one batch. Each is that of `generate`.

    Args:
        model: In eval mode, and not used elsewhere at the same time.
        prompts: Of one length, at least one token each.
        strategies: One for each text.
        filters: As of `generate`.
        seeds: The seed of each text.
        symbols: As of `generate`.
        count: Tokens of each text.
        device: The device of the model.

    Yields:
        After each step the new certain tokens of each text.

    Raises:
        ValueError: A prompt is empty, or they differ in length.
        LabError: As of `generate`.
    """
    if len({len(prompt) for prompt in prompts}) != 1 or not prompts[0]:
        raise ValueError("prompts that are continued together have one length, of at least one token")
    if any(strategy.reads_hidden for strategy in strategies):  # they read ahead, each with its own state
        alone = [
            generate(model, prompt, strategy=strategy, filters=filters, seed=seed, symbols=symbols, count=count,
                     alternatives=0, device=device)
            for prompt, strategy, seed in zip(prompts, strategies, seeds, strict=True)
        ]  # fmt: skip
        yield [list(stream) for stream in alone]
        return
    reader = Reader(model, device, symbols)
    given = [_Rows() for _ in strategies]
    searches = [
        _Search(rows, strategy, filters, Stops(), seed, prompt, count, 0, stages=False)
        for rows, prompt, strategy, seed in zip(given, prompts, strategies, seeds, strict=True)
    ]
    live = list(zip(searches, given, strict=True)) if count else []
    firsts = list(range(len(live)))  # the first row of each in the last step
    while live:
        texts = [one.tokens for search, _ in live for one in search.live]
        parents = [first + parent for (search, _), first in zip(live, firsts, strict=True) for parent in search.parents]
        with torch.no_grad():
            read = reader.read(texts, parents)
            starts = [0, *itertools.accumulate(len(search.live) for search, _ in live)]
            for (search, rows), (start, end) in zip(live, itertools.pairwise(starts), strict=True):
                rows.known = Read(read.logits[start:end], read.reread)
                search.advance()
        going = [search for search, _ in live]
        yield [list(search.certain()) if search in going else [] for search in searches]
        left = [(one, first) for one, first in zip(live, starts, strict=False) if one[0].live]
        live, firsts = [one for one, _ in left], [first for _, first in left]


class _Rows:
    """The part of a joint reading that belongs to one of the texts.

    Attributes:
        known: What follows its hypotheses.
        state_bytes: 0: the state belongs to all texts.
    """

    known: Read
    state_bytes = 0

    def read(
        self, texts: Sequence[Sequence[int]], parents: Sequence[int], propose: Callable[[int], Sequence[int]]
    ) -> Read:
        """Return what follows the hypotheses; nothing is read ahead of them."""
        del texts, parents, propose
        return self.known

    def peek(self, texts: Sequence[Sequence[int]], parents: Sequence[int]) -> tuple[Tensor, Tensor | None]:
        """Refuse to read ahead.

        Raises:
            LabError: Always.
        """
        del texts, parents
        raise LabError("this strategy reads ahead, which texts that are written together cannot")


def next_logits(model: LanguageModel, prompt: Sequence[int], *, symbols: int, device: Any = "cpu") -> Tensor:
    """Return the logits (symbols,) of the token after a prompt, in float32 on the CPU.

    Args:
        model: In eval mode, and not used elsewhere at the same time.
        prompt: At least one token.
        symbols: As of `generate`.
        device: The device of the model.
    """
    with torch.no_grad():
        return Reader(model, device, symbols).read([prompt], [0]).logits[0]


@dataclass
class _Chain:
    """A token of a hypothesis and those before it that are not certain; hypotheses share what they have in common."""

    token: Token
    before: _Chain | None
    length: int


@dataclass(frozen=True)
class _Live(Hypothesis):
    """A hypothesis with its own list of tokens."""

    tokens: list[int]
    chain: _Chain | None = None


class _Search:
    """The hypotheses of one text.

    Attributes:
        live: Those that go on, best first.
        parents: For each, its row in the last step.
    """

    def __init__(
        self,
        reader: Reader | _Rows,
        strategy: Chooser,
        filters: Sequence[NamedFilter],
        stops: Stops,
        seed: int,
        prompt: Sequence[int],
        count: int | None,
        alternatives: int,
        stages: bool,
    ) -> None:
        self._reader, self._strategy, self._filters, self._stops = reader, strategy, filters, stops
        self._constraints = [(one.name, one.apply) for one in filters if isinstance(one.apply, Constraint)]
        self._generator = torch.Generator().manual_seed(seed & (2**63 - 1))
        self._left, self._alternatives, self._stages = count, alternatives, stages
        self.live = [_Live(list(prompt), len(prompt))] if count != 0 else []
        self.parents: Sequence[int] = [0]
        self._ended: list[_Live] = []  # by descending score
        self._yielded = 0  # tokens

    def advance(self) -> None:
        """Read the live hypotheses, and let the strategy continue them."""
        read = self._reader.read([one.tokens for one in self.live], self.parents, self._propose)
        shares = read.logits.softmax(dim=-1)
        if not shares.isfinite().all():
            raise LabError("the model gives no probabilities: its logits are not finite", remedy=DIVERGED)
        pipeline = Pipeline(self._filters, [one.tokens for one in self.live], records=self._stages)
        step = DecodingStep(
            read.logits, tuple(self.live), pipeline, self._ends, self._left, self._generator, read.hidden,
            peek=self._peek,
        )  # fmt: skip
        best = shares.topk(min(self._alternatives, shares.shape[-1]))
        entropies = torch.special.entr(shares).sum(dim=-1) / math.log(2)
        size = self._reader.state_bytes

        def chain_of(picked: Continuation, end: End | None) -> _Chain:
            row, before = picked.hypothesis, self.live[picked.hypothesis].chain
            others = tuple(zip(best.indices[row].tolist(), best.values[row].tolist(), strict=True))
            seen = tuple(Stage(stage.name, stage.probabilities[row], stage.logits[row]) for stage in pipeline.stages)
            share = float(shares[row, picked.token])
            entropy, rank = float(entropies[row]), 1 + int((shares[row] > share).sum())
            token = Token(
                picked.token, share, others, read.reread, entropy, rank, end, seen, picked.draw, state_bytes=size
            )
            return _Chain(token, before, 1 + (before.length if before else 0))

        going: list[Continuation] = []
        for picked in self._strategy.next(step):
            end = self._end_of(picked.hypothesis, picked.token) or (End("strategy") if picked.ended else None)
            if end is None:
                going.append(picked)
                continue
            before = self.live[picked.hypothesis]
            tokens = [*before.tokens, picked.token]
            self._ended.append(_Live(tokens, before.prompt, picked.score, chain_of(picked, end)))
        self._ended.sort(key=lambda one: -one.score)  # stable: of equals the earlier one
        self._check(len(going))
        chains = [chain_of(picked, None) for picked in going]
        self._go_on(going, chains)

    def _go_on(self, going: Sequence[Continuation], chains: Sequence[_Chain]) -> None:
        """Let these continuations live, unless the strategy is done."""
        children = Counter(picked.hypothesis for picked in going)
        live = []
        for picked, chain in zip(going, chains, strict=True):
            before = self.live[picked.hypothesis]
            if children[picked.hypothesis] == 1:  # a long text is not copied for each of its tokens
                before.tokens.append(picked.token)
                tokens = before.tokens
            else:
                tokens = [*before.tokens, picked.token]
            live.append(_Live(tokens, before.prompt, picked.score, chain))
        self._left = None if self._left is None else self._left - 1
        self.parents = [picked.hypothesis for picked in going]
        self.live = live
        if live and self._strategy.is_done(live, self._ended, self._left):
            if not self._ended:
                chains[0].token = replace(chains[0].token, end=End("strategy"))
                self._ended = live[:1]
            self.live = []

    def certain(self) -> Iterator[Token]:
        """Yield the tokens that are certain by now and were not yielded before."""
        possible = [one.chain for one in (*self.live, *self._ended[:1])]
        shared = possible[0]
        for other in possible[1:]:
            shared = _common(shared, other, self._yielded)
        new: list[_Chain] = []
        while shared is not None and shared.length > self._yielded:
            new.append(shared)
            shared = shared.before
        if not self.live and new:
            texts = tuple(map(_ended_text, self._ended[: self._strategy.width]))
            new[0].token = replace(new[0].token, texts=texts, figures=self._strategy.figures())
        for chain in reversed(new):
            chain.before = None  # what is certain need not be compared any more
            yield chain.token
        self._yielded += len(new)

    def _propose(self, most: int) -> Sequence[int]:
        """Return the tokens that the strategy wants to be read ahead of the only hypothesis, at most so many."""
        most = most if self._left is None else min(most, self._left - 1)
        if self._strategy.width > 1 or most < 1:
            return ()

        def filtered(logits: Tensor, history: Sequence[int]) -> Tensor:
            return Pipeline(self._filters, [history])(logits)

        return list(self._strategy.propose(Ahead(self.live[0], filtered, most, self._generator)))[:most]

    def _peek(self, continuations: Sequence[tuple[int, int]]) -> tuple[Tensor, Tensor | None]:
        """Read continuations of the live hypotheses ahead."""
        texts = [[*self.live[row].tokens, token] for row, token in continuations]
        return self._reader.peek(texts, [row for row, _ in continuations])

    def _ends(self, hypothesis: int, token: int) -> bool:
        return self._end_of(hypothesis, token) is not None

    def _end_of(self, hypothesis: int, token: int) -> End | None:
        """Return why a live hypothesis ends with a token; None if it goes on."""
        one, reach = self.live[hypothesis], self._stops.reach
        before = one.tokens[max(one.prompt, len(one.tokens) - reach) :] if reach else ()
        end = self._stops.end_of(before, token)
        if end is None and self._constraints:
            text = [*one.tokens, token]
            complete = (name for name, constraint in self._constraints if constraint.is_complete(text))
            end = next((End("filter", name) for name in complete), None)
        return end or (End("length") if self._left == 1 else None)

    def _check(self, going: int) -> None:
        """Check how many hypotheses a strategy lets live on."""
        width = self._strategy.width
        if going > width:
            what = f"the strategy keeps {going} hypotheses, more than its width of {width}"
            raise LabError(what, remedy="Return at most `width` continuations that live on")
        if not going and not self._ended:
            remedy = "Return a continuation of at least one hypothesis"
            raise LabError("the strategy gives up every hypothesis, and none has ended", remedy=remedy)


def _ended_text(one: _Live) -> EndedText:
    assert one.chain is not None
    assert one.chain.token.end is not None
    return EndedText(tuple(one.tokens[one.prompt :]), one.score, one.chain.token.end)


def _common(one: _Chain | None, other: _Chain | None, least: int) -> _Chain | None:
    """Return the last token that two hypotheses share; None if it is not among those after the first `least`."""
    while one is not None and other is not None and one is not other:
        if min(one.length, other.length) <= least:
            return None
        if one.length >= other.length:
            one = one.before
        else:
            other = other.before
    return one if one is other else None
