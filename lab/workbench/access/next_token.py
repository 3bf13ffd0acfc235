"""The next token after a prompt, stage by stage: any decoding on logits that the model gave once."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from lab.recipes import Choice, Decoding
from lab.workbench.access.decoding import DecodingParts
from lab.workbench.access.threads import one_thread

if TYPE_CHECKING:
    from torch import Tensor

    from lab.api import Draw
    from lab.decoding.pipeline import NamedFilter, Stage
    from lab.decoding.request import Request

LEFT = 3
"""Number of likeliest tokens of the last stage that are shown in any case."""
LEAST = -700.0
"""Nearly the least logarithm of a number of float64, in place of −∞, which times 0 is no number."""
CLOSE = 1e-6
"""Difference of two sums of probabilities, one in float32, that are the same."""


@dataclass(frozen=True)
class ShownStage:
    """The distribution of the next token at one stage.

    Args:
        name: The filter after which it holds; "model" before the first one.
        left: Number of tokens that are left.
        probabilities: Of each of the shown tokens; 0 for a removed one.
        logits: Of each of them; −inf for a removed one.
        entropy: Of the distribution of all tokens, in bits.
        retained: The sum of the probabilities before they are renormalised: what filters have left that only remove
            tokens, since the last one that changes logits.
    """

    name: str
    left: int
    probabilities: tuple[float, ...]
    logits: tuple[float, ...]
    entropy: float
    retained: float


@dataclass(frozen=True)
class LinePiece:
    """A piece of the line from 0 to 1 on which the probabilities lie one after the other, in the vocabulary's order.

    Args:
        start: The sum of the probabilities before it.
        end: That sum and its own probability.
        token: The index of the shown token whose piece it is; None for a piece of several others.
    """

    start: float
    end: float
    token: int | None


@dataclass(frozen=True)
class TokenStages:
    """The next token after a prompt, stage by stage.

    Args:
        step: Optimizer updates that the model had; 0 is untrained.
        labels: The shown tokens, as the tokenizer shows them: the likeliest under the model and, where they are not
            among them, the likeliest of the last stage and the chosen one.
        texts: What each of them adds to the text; "" where a token is only part of a character.
        picked: Index of the chosen token among them.
        stages: The model, then each filter in order.
        draw: How the token was chosen, with `times` of these tokens only; None if the strategy does not say so.
        line: Of a draw by a uniform number: the pieces of the line; () of other draws.
    """

    step: int
    labels: tuple[str, ...]
    texts: tuple[str, ...]
    picked: int
    stages: tuple[ShownStage, ...]
    draw: Draw | None
    line: tuple[LinePiece, ...] = ()


class NextToken:
    """The prediction of a model after a prompt. It holds the logits, and not the model.

    Args:
        logits: (symbols,) of the next token.
        request: How the model was asked; its model is not retained.
        parts: Makes strategies and filters.
        names_of: Returns label and text of a token.
        step: Optimizer updates that the model had.
    """

    def __init__(
        self,
        logits: Tensor,
        request: Request,
        parts: DecodingParts,
        names_of: Callable[[int], tuple[str, str]],
        step: int,
    ) -> None:
        self._request = replace(request, model=_Known(logits))
        self._parts, self._names_of, self._step = parts, names_of, step
        self._filters: dict[str, NamedFilter] = {}  # by their settings: some take long to make

    def stages(
        self, decoding: Decoding, settings: Mapping[str, Any] | None = None, *, seed: int, count: int
    ) -> TokenStages:
        """Return the distribution after each filter, and the draw. The model is not asked again.

        Args:
            decoding: Strategy and filters.
            settings: The first setting of filters, by their names.
            seed: Of a text; the token is the first one that is written with it.
            count: Number of likeliest tokens that are shown.

        Raises:
            BadInput: A strategy, filter or setting cannot be used.
            LabError: The logits are not finite, filters leave no token, or a plugin's code raised.
        """
        from lab.decoding.stream import generate

        request, parts = self._request, self._parts
        filters = self._made_filters(decoding) if not settings else parts.filters(decoding, settings)
        with one_thread():
            stream = generate(
                request.model,
                request.prompt,
                strategy=parts.strategy(decoding),
                filters=filters,
                stops=request.stops(parts.stops(decoding), end_of_text=decoding.end_of_text),
                symbols=request.symbols,
                seed=seed,
                count=1,
                alternatives=count,
                stages=True,
            )
            token = next(stream)
            last = token.stages[-1].probabilities
            likeliest = [number for number, _ in token.alternatives]
            left = last.topk(min(LEFT, len(last)))
            more = [n for n, share in zip(left.indices.tolist(), left.values.tolist(), strict=True) if share > 0]
            numbers = list(dict.fromkeys([*likeliest, *more, token.token]))
            draw = token.draw
            if draw is not None and draw.times is not None:
                draw = replace(draw, times=draw.times[numbers])
            shown = _shown(token.stages, numbers)
            line = _line(last, numbers, numbers.index(token.token), draw)
        labels, texts = zip(*map(self._names_of, numbers), strict=True)
        return TokenStages(self._step, labels, texts, numbers.index(token.token), shown, draw, line)

    def _made_filters(self, decoding: Decoding) -> list[NamedFilter]:
        """Return the filters; those with the settings of the last call are not made again."""
        before, self._filters = self._filters, {}
        for choice in decoding.filters:
            key = choice.model_dump_json()
            self._filters[key] = before.get(key) or self._made(choice)
        return list(self._filters.values())

    def _made(self, choice: Choice) -> NamedFilter:
        (made,) = self._parts.filters(Decoding(filters=[choice]), {})
        return made


class _Known:
    """A model that knows one answer."""

    causal, reach = True, 1  # of a long prompt only one token is handed over

    def __init__(self, logits: Tensor) -> None:
        self._logits = logits

    def start(self, batch: int) -> None:
        """Return the state before the prompt."""

    def step(self, tokens: Tensor, state: None) -> tuple[Tensor, None]:
        """Return the logits (B, V) and a state."""
        del state
        return self._logits.expand(len(tokens), -1), None


def _shown(stages: Sequence[Stage], numbers: Sequence[int]) -> tuple[ShownStage, ...]:
    """Return the stages; half a millisecond each for 50,000 tokens, since they are computed while a slider moves."""
    shown: list[ShownStage] = []
    scale, before = 0.0, None
    for stage in stages:
        logits = stage.logits.double()
        best = float(logits.max())
        below = (logits - best).clamp_(min=LEAST)
        weights = below.exp()
        total = float(weights.sum())
        if before is None or not _only_removes(before, stage.logits):
            scale = best + math.log(total)
        own = logits[numbers].tolist()
        shares = (weights[numbers] / total).tolist()
        shown.append(
            ShownStage(
                stage.name,
                int((stage.logits > -math.inf).sum()),
                tuple(share if logit > -math.inf else 0.0 for share, logit in zip(shares, own, strict=True)),
                tuple(own),
                max(0.0, math.log(total) - float(weights.dot(below)) / total) / math.log(2),
                min(1.0, math.exp(best + math.log(total) - scale)),
            )
        )
        before = stage.logits
    return tuple(shown)


def _only_removes(before: Tensor, after: Tensor) -> bool:
    """Return True if the tokens that are left have the logits that they had."""
    return bool(((after == before) | (after == -math.inf)).all())


def _line(shares: Tensor, numbers: Sequence[int], picked: int, draw: Draw | None) -> tuple[LinePiece, ...]:
    """Return the line of a draw by a uniform number."""
    if draw is None or draw.uniform is None or draw.interval is None:
        return ()
    sums = shares.double().cumsum(dim=0)
    sums = sums / sums[-1]
    bounds = [(n, float(sums[n - 1]) if n else 0.0, float(sums[n])) for n in sorted(numbers)]
    low, high = next((start, end) for n, start, end in bounds if n == numbers[picked])
    if abs(low - draw.interval[0]) > CLOSE or abs(high - draw.interval[1]) > CLOSE:  # the strategy changed more
        bounds = [(numbers[picked], *draw.interval)]
    index = {number: at for at, number in enumerate(numbers)}
    pieces, end = [], 0.0
    for number, start, stop in bounds:
        if start > end:
            pieces.append(LinePiece(end, start, None))
        if stop > start:
            pieces.append(LinePiece(start, stop, index[number]))
        end = stop
    return (*pieces, LinePiece(end, 1.0, None)) if end < 1 - CLOSE else tuple(pieces)
