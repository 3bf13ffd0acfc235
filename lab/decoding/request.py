"""What a model reads before it writes: a prompt, or a source and the symbol that begins its target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from lab.api import LanguageModel, Objective, State


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


def request_for(model: LanguageModel, objective: Objective, tokens: Sequence[int], size: int) -> Request:
    """Return how to ask a model to write: a sequence-to-sequence model reads the tokens as its source.

    Args:
        model: A model that writes.
        objective: The objective it was trained on.
        tokens: The prompt.
        size: The number of symbols of the tokenizer.
    """
    if objective.needs != "sequence-to-sequence":
        return Request(model, tokens, size)
    begin = size + objective.symbols.index("begin")
    if "end" not in objective.symbols:
        return Request(AfterSource(model, tokens, range(size)), [begin], size)
    order = [*range(size), size + objective.symbols.index("end")]
    return Request(AfterSource(model, tokens, order), [begin], size + 1, size)


class AfterSource:
    """A sequence-to-sequence model that has a source, as a model of its target alone.

    Args:
        model: The model.
        source: The tokens of the source.
        symbols: The symbols that the target is drawn from; logits come in this order.
    """

    causal = True

    def __init__(self, model: LanguageModel, source: Sequence[int], symbols: Sequence[int]) -> None:
        self._model, self._source, self._symbols = model, list(source), list(symbols)
        self.reach = model.reach

    def start(self, batch: int) -> State:
        """Return the state before the target, after the source was read once."""
        device = next((tensor.device for tensor in self._model.tables().values()), None)
        return self._model.start(batch, source=torch.tensor([self._source] * batch, device=device))

    def extend(self, tokens: Tensor, state: State, last: int | None = None) -> tuple[Tensor, State]:
        """Read (B, T) tokens of the target; return logits (B, T or last, symbols) and the new state."""
        logits, state = self._model.extend(tokens, state, last)
        return logits[..., self._symbols], state

    def step(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read one token (B,) of the target; return logits (B, symbols) and the new state."""
        logits, state = self._model.step(tokens, state)
        return logits[..., self._symbols], state
