"""Checks of what decodes a text: filters, samplers (filters of version 1 of the API), and strategies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from lab.api import (
    Ahead,
    Chooser,
    Continuation,
    DecodingStep,
    Histories,
    Hypothesis,
    ModelConfig,
    RunReader,
    settings_of,
)
from lab.decoding.stops import End, Stops
from lab.decoding.stream import Token, generate
from lab.testing.check import remedied, require
from lab.testing.checks.learning import change_to_another
from lab.testing.registration_case import RegistrationCase, registration_check, use_of
from lab.testing.tiny import VOCABULARY, models
from lab.text.tokenizers.units import CharacterTokenizer

HISTORIES = [[3, 5, 3, 3], [0, 16, 2, 3, 5], [7], [5, 4, 5, 4, 5, 4]]
"""The texts so far, one for each row of `logits`."""
LENGTH = 12
"""Tokens of the texts that strategies write."""
STOP = 3
"""The symbol that ends these texts, or some of them."""


class _Bigrams(RunReader):
    """The reader of a run whose model knows the last token alone; it reads any symbol."""

    def logits(self, texts: Histories) -> Tensor:
        """Return arbitrary logits (H, V) for each last token."""
        table = torch.randn(VOCABULARY, VOCABULARY, generator=torch.Generator().manual_seed(1))
        return table[[text[-1] % VOCABULARY if text else 0 for text in texts]]


def further_arguments(card: Any) -> list[Any]:
    """Return what the factory of a filter or a strategy gets after the config."""
    tokenizer = [CharacterTokenizer("abcdefghijklmnopq")] if getattr(card, "reads_text", False) else []
    prompt = [0] if getattr(card, "after_prompt", False) else []
    runs = [one.name for one in settings_of(card.config, nested=False) if one.run]
    return [*tokenizer, *prompt, *([{name: _Bigrams() for name in runs}] if runs else [])]


# ---- filters and samplers


def logits() -> Tensor:
    """Return logits (4, V): arbitrary numbers, some tokens removed, all equal, and one nearly certain."""
    rows = torch.randn(4, VOCABULARY, generator=torch.Generator().manual_seed(0))
    rows[1, ::2] = -torch.inf
    rows[2] = 0.0
    rows[3, 5] = 100.0
    return rows


def made(case: RegistrationCase, config: ModelConfig | None = None) -> Callable[..., Any]:
    """Return the filter as a function of logits and of the numbers of the rows, whose histories it gets."""
    built = case.make(*further_arguments(case.card), config=config)
    require(callable(built), f"the factory returns a {type(built).__name__}", f"return a function of {_inputs(case)}")
    if case.kind == "samplers":
        return lambda given, _rows=range(4): built(given)
    return lambda given, rows=range(4): built(given, [list(HISTORIES[row]) for row in rows])


def _inputs(case: RegistrationCase) -> str:
    return "logits (B, V)" if case.kind == "samplers" else "(logits (H, V), histories)"


@use_of("samplers")
@use_of("filters")
def filtered(case: RegistrationCase, config: ModelConfig | None = None) -> Tensor:
    """Return the result of a filter for `logits`."""
    return made(case, config)(logits())  # type: ignore[no-any-return]


@registration_check("samplers", "filters", name="contract", after="card")
def gives_logits(case: RegistrationCase) -> None:
    """Logits become logits of the same shape with a token left in every row; the input is not changed."""
    given, change = logits(), made(case)
    found = change(given)
    shape = f"{tuple(found.shape)} {found.dtype}" if isinstance(found, Tensor) else f"a {type(found).__name__}"
    right = isinstance(found, Tensor) and found.shape == given.shape and found.is_floating_point()
    require(right, f"logits (4, 17) become {shape}", "return logits of the same shape, not probabilities or a token")
    remedy = "work on a copy: masked_fill instead of masked_fill_, torch.where instead of logits[…] = …"
    require(torch.equal(given, logits()), "it changes its input", remedy)
    remedy = "remove tokens with −inf, and return no NaN or +inf: look for a division by zero"
    require(not bool((found.isnan() | (found == torch.inf)).any()), "it returns NaN or +inf", remedy)
    empty = (~found.isfinite().any(dim=-1)).nonzero().flatten().tolist()
    remedy = "always keep the likeliest token"
    require(not empty, f"no token is left in row {empty[0] if empty else ''} of its logits", remedy)


@registration_check("filters", name="removed")
def brings_nothing_back(case: RegistrationCase) -> None:
    """A token that is removed already stays removed."""
    raised = (filtered(case) > -torch.inf) & (logits() == -torch.inf)
    remedy = "add to logits, multiply them by positive numbers, or mask them: −inf then stays −inf"
    require(not bool(raised.any()), f"the removed token {_first(raised)} has a logit again", remedy)


@registration_check("samplers", "filters", name="pure")
def draws_nothing(case: RegistrationCase) -> None:
    """The same logits give the same result, and nothing is drawn: the strategy draws, with the text's own seed."""
    change, before = made(case), torch.get_rng_state()
    first, second = change(logits()), change(logits())
    require(torch.equal(first, second), "the same logits give different results", "store nothing between calls")
    drawn = not torch.equal(before, torch.get_rng_state())
    require(not drawn, "it draws from torch's default generator", "only filter the logits; the lab draws the token")


@registration_check("filters", name="histories")
def leaves_the_histories(case: RegistrationCase) -> None:
    """It does not change the histories, and takes empty and long ones."""
    change = case.make(*further_arguments(case.card))
    for history in ([], [1], list(range(VOCABULARY)) * 20):
        histories: list[list[int]] = [history]
        before = [list(one) for one in histories]
        with remedied(f"a history of {len(histories[0])} tokens", "take a history of any length"):
            change(logits()[:1], histories)
        require(histories == before, "it changes the histories", "work on a copy: list(history)")


@registration_check("samplers", "filters", name="rows")
def treats_rows_alone(case: RegistrationCase) -> None:
    """A row gives the same result alone as in its batch."""
    change = made(case)
    whole = change(logits())
    remedy = "accept any number of rows, and reduce over the last axis only: dim=-1, keepdim=True"
    for row in range(len(whole)):
        with remedied(f"row {row} alone", remedy):
            same = torch.allclose(change(logits()[row : row + 1], [row])[0], whole[row], atol=1e-5)
        require(same, f"row {row} gives different results in a batch and alone", remedy)


@registration_check("samplers", "filters", name="live")
def follows_live_settings(case: RegistrationCase) -> None:
    """A live setting acts at once."""
    for setting in settings_of(type(case.given)):
        config = case.config()
        change = made(case, config)
        if not setting.live or not change_to_another(config, setting):
            continue
        same = torch.allclose(change(logits()), filtered(case, config.model_copy(deep=True)), atol=1e-5)
        remedy = f"read config.{setting.name} inside the filter function, at each call"
        require(same, f"a change of {setting.name} has no effect on an existing {case.kind.removesuffix('s')}", remedy)


def _first(found: Tensor) -> int:
    """Return the token of the first True in (H, V); 0 if there is none."""
    return int(found.any(dim=0).nonzero()[0]) if bool(found.any()) else 0


# ---- strategies


class _Watched(Chooser):
    """A strategy that checks each call of the one inside."""

    def __init__(self, inner: Chooser) -> None:
        self.inner, self.width, self.reads_hidden = inner, inner.width, inner.reads_hidden

    def next(self, step: DecodingStep) -> Sequence[Continuation]:
        """Return its continuations, after checking that they can be, and that it changed nothing."""
        before, texts = step.logits.clone(), [list(one.tokens) for one in step.hypotheses]
        found = self.inner.next(step)
        same = torch.equal(step.logits, before) and texts == [list(one.tokens) for one in step.hypotheses]
        require(same, "it changes the logits or the tokens of a hypothesis", "work on a copy: clone(), list(…)")
        for one in found:
            fits = 0 <= one.hypothesis < len(texts) and 0 <= one.token < before.shape[-1]
            what = f"token {one.token} of hypothesis {one.hypothesis} does not exist"
            require(fits, what, f"choose from {len(texts)} hypotheses and {before.shape[-1]} symbols")
            removed = bool(before[one.hypothesis, one.token] == -torch.inf)
            remedy = "choose among the tokens that step.filters(step.logits) leaves"
            require(not removed, "it chooses a token that a filter has removed", remedy)
        going = sum(not one.ended and not step.ends(one.hypothesis, one.token) for one in found)
        remedy = "return at most `width` continuations that live on"
        require(going <= self.width, f"{going} hypotheses live on, and its width is {self.width}", remedy)
        return found

    def is_done(self, live: Sequence[Hypothesis], ended: Sequence[Hypothesis], left: int | None) -> bool:
        """Return its answer."""
        return self.inner.is_done(live, ended, left)

    def propose(self, ahead: Ahead) -> Sequence[int]:
        """Return its proposals, after checking that they can be."""
        found = list(self.inner.propose(ahead))
        fit = len(found) <= ahead.most and all(0 <= token < VOCABULARY for token in found)
        require(fit, f"it proposes {found}", f"propose at most ahead.most tokens, here {ahead.most}, of the vocabulary")
        return found


def text_of(
    case: RegistrationCase, config: ModelConfig | None = None, *, seed: int = 0, count: int | None = LENGTH
) -> list[Token]:
    """Return a text of a tiny model that has removed every odd symbol but STOP."""

    class Even(torch.nn.Module):
        """The tiny model without odd symbols."""

        model = models()["a causal model"].eval()
        inner, reach, start = model, model.reach, staticmethod(model.start)

        def extend(self, tokens: Tensor, state: Any, last: int | None = None) -> tuple[Tensor, Any]:
            found, state = self.model.extend(tokens, state, last)
            return self._removed(found), state

        def step(self, tokens: Tensor, state: Any) -> tuple[Tensor, Any]:
            found, state = self.model.step(tokens, state)
            return self._removed(found), state

        def _removed(self, found: Tensor) -> Tensor:
            odd = torch.arange(VOCABULARY) % 2 == 1
            odd[STOP] = False
            return 4 * found.masked_fill(odd, -torch.inf)

    built = case.make(*further_arguments(case.card), config=config)
    stops = Stops({STOP: End("stop symbol")})
    model: Any = Even()
    stream = generate(
        model, [0, 2], strategy=_Watched(built), stops=stops, seed=seed, symbols=VOCABULARY, count=count
    )  # fmt: skip
    return list(stream)


@use_of("strategies")
def used(case: RegistrationCase, config: ModelConfig | None = None) -> None:
    """Let a strategy write a text."""
    text_of(case, config)


@registration_check("strategies", name="contract", after="card")
def chooses_tokens(case: RegistrationCase) -> None:
    """It continues live hypotheses with tokens that the filters leave, keeps at most `width`, and changes nothing."""
    built = case.make(*further_arguments(case.card))
    require(isinstance(built, Chooser), f"the factory returns a {type(built).__name__}", "return a lab.api.Chooser")
    width = built.width
    right = type(width) is int and width >= 1
    require(right, f"its width is {width}", "set the attribute width to the number of hypotheses it keeps")
    text_of(case)


@registration_check("strategies", name="ends")
def ends_its_texts(case: RegistrationCase) -> None:
    """A text ends at the latest after the wanted number of tokens, and at the first symbol that ends it."""
    for count in (1, 2, LENGTH):
        for seed in range(5):
            found = [token.token for token in text_of(case, seed=seed, count=count)]
            remedy = "return a continuation of some hypothesis until it has ended"
            require(0 < len(found) <= count, f"{len(found)} tokens come where {count} are wanted", remedy)
            require(STOP not in found[:-1], "the text goes on after a stop symbol", "let step.ends decide")


@registration_check("strategies", name="seeded")
def draws_by_the_seed(case: RegistrationCase) -> None:
    """The same seed gives the same text, and all random numbers come from the step's generator."""
    before = torch.get_rng_state()
    first, second = text_of(case), text_of(case)
    drawn = not torch.equal(before, torch.get_rng_state())
    require(not drawn, "it draws from torch's default generator", "pass generator=step.generator")
    same = [token.token for token in first] == [token.token for token in second]
    require(same, "the same seed gives different texts", "store nothing outside the strategy of one text")
