"""The input of a model for generation: a prompt, or a source and the symbol that begins its target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from numpy.typing import NDArray
from torch import Tensor

from lab.api import LanguageModel, Objective, State
from lab.decoding.stops import End, Stops

END_LABEL = "⏹"
"""The label of the symbol that ends a target."""


@dataclass(frozen=True)
class Request:
    """The arguments of `generate` for a prompt.

    Args:
        model: The model.
        prompt: The tokens that it reads first.
        symbols: The number of symbols that may be drawn.
        end: The symbol that ends the text; None if the text has no end.
    """

    model: Any
    prompt: Sequence[int]
    symbols: int
    end: int | None = None

    def between(self, before: Sequence[int], after: Sequence[int]) -> Request:
        """Return the request with symbols around its prompt that the lab puts there, such as the end of a turn.

        Filters see numbers from `symbols` on for them, and do not take them for symbols that were drawn.
        """
        added = list(dict.fromkeys([*before, *after]))
        if not added:
            return self
        number = {symbol: self.symbols + index for index, symbol in enumerate(added)}
        prompt = [*map(number.__getitem__, before), *self.prompt, *map(number.__getitem__, after)]
        return replace(self, model=WithAdded(self.model, self.symbols, added), prompt=prompt)

    def stops(self, stops: Stops | None = None, *, end_of_text: bool = True) -> Stops:
        """Return what ends the text: these stops and, unless the end of a text is ignored, the symbol that ends it."""
        stops = stops or Stops()
        if self.end is None or not end_of_text:
            return stops
        return replace(stops, symbols={**stops.symbols, self.end: End("end of text", END_LABEL)})


def request_for(model: LanguageModel, objective: Objective, tokens: Sequence[int] | NDArray[Any], size: int) -> Request:
    """Return how to ask a model to write: a sequence-to-sequence model reads the tokens, or a picture, as its source.

    Args:
        model: A model that writes.
        objective: The objective it was trained on.
        tokens: The prompt; a picture (H, W, C) for a model of captions.
        size: The number of symbols of the tokenizer.
    """
    if objective.needs != "sequence-to-sequence":
        return Request(model, list(tokens), size)
    begin = size + objective.symbols.index("begin")
    has_end = "end" in objective.symbols
    own = (["end"] if has_end else []) + list(objective.written_symbols)
    drawn = [*range(size), *(size + objective.symbols.index(name) for name in own)]
    return Request(AfterSource(model, tokens, drawn, begin), [len(drawn)], len(drawn), size if has_end else None)


class AfterSource:
    """A sequence-to-sequence model that has a source, as a model of its target alone.

    It numbers the symbols that are drawn from 0, and then the one that begins the target: filters see that number in
    the history, and must not take it for a symbol that was drawn.

    Args:
        model: The model.
        source: The tokens of the source, or a picture (H, W, C).
        symbols: The model's numbers of the symbols that the target is drawn from.
        begin: The model's number of the symbol that begins the target.

    Attributes:
        inner: The model itself.
    """

    causal = True

    def __init__(
        self,
        model: LanguageModel,
        source: Sequence[int] | NDArray[Any],
        symbols: Sequence[int],
        begin: int,
    ) -> None:
        self._model, self._source, self._symbols = model, torch.tensor(source), list(symbols)
        self.inner = model
        self._numbers = torch.tensor([*symbols, begin])
        self.reach = model.reach

    def start(self, batch: int) -> State:
        """Return the state before the target, after the source was read once."""
        device = next((tensor.device for tensor in self._model.tables().values()), None)
        source = self._source.to(device)
        return self._model.start(batch, source=source.expand(batch, *source.shape))

    def extend(self, tokens: Tensor, state: State, last: int | None = None) -> tuple[Tensor, State]:
        """Read (B, T) tokens of the target; return logits (B, T or last, symbols) and the new state."""
        logits, state = self._model.extend(self._numbers.to(tokens.device)[tokens], state, last)
        return logits[..., self._symbols], state

    def step(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read one token (B,) of the target; return logits (B, symbols) and the new state."""
        logits, state = self._model.step(self._numbers.to(tokens.device)[tokens], state)
        return logits[..., self._symbols], state


class WithAdded:
    """A model that reads the symbols that the lab adds to a prompt under numbers that are not drawn.

    Args:
        model: The model.
        symbols: The number of symbols that may be drawn; they keep their numbers.
        added: The model's numbers of the added symbols, which are numbered from `symbols` on.

    Attributes:
        inner: The model itself.
    """

    causal = True

    def __init__(self, model: Any, symbols: int, added: Sequence[int]) -> None:
        self._model, self._numbers = model, torch.tensor([*range(symbols), *added])
        self.inner = getattr(model, "inner", model)
        self.reach = model.reach

    def start(self, batch: int) -> State:
        """Return the state before the prompt."""
        return self._model.start(batch)

    def extend(self, tokens: Tensor, state: State, last: int | None = None) -> tuple[Tensor, State]:
        """Read (B, T) tokens; return logits (B, T or last, V) and the new state."""
        return self._model.extend(self._numbers.to(tokens.device)[tokens], state, last)  # type: ignore[no-any-return]

    def step(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read one token (B,); return logits (B, V) and the new state."""
        return self._model.step(self._numbers.to(tokens.device)[tokens], state)  # type: ignore[no-any-return]
