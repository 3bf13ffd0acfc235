"""The input of probes: a text, or a pair of source and target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lab.api import LanguageModel, Objective, Reading, State, Tokenizer

TOKEN_OF = "<{name}>"
"""The label of a symbol of an objective."""


class WithSource:
    """A sequence-to-sequence model that is called with the tokens of a target, and always reads the same source.

    All else is that of the model: its modules, its task, its steps. Interventions on it act on the model.

    Args:
        model: The model.
        source: The tokens of the source.
    """

    def __init__(self, model: LanguageModel, source: Sequence[int]) -> None:
        self._model, self._source = model, torch.tensor([source])

    def __getattr__(self, name: str) -> Any:
        """Return what the model has of this name."""
        if name.startswith("__") or name in ("_model", "_source"):  # of an object that is being copied
            raise AttributeError(name)
        return getattr(self._model, name)

    def __call__(self, tokens: Tensor) -> Tensor:
        """Return logits (B, T, V) of the tokens (B, T) of a target."""
        logits: Tensor = self._model(tokens, source=self._rows(tokens))
        return logits

    forward = __call__

    def score(self, tokens: Tensor, targets: Tensor) -> Tensor:
        """Return log p of the targets (B, T) after the tokens (B, T) of a target."""
        return self._model.score(tokens, targets, source=self._rows(tokens))

    def start(self, batch: int) -> State:
        """Return the state before the target, after the source was read once."""
        device = next((tensor.device for tensor in self._model.tables().values()), None)
        return self._model.start(batch, source=self._source.to(device).expand(batch, -1))

    def _rows(self, tokens: Tensor) -> Tensor:
        return self._source.to(tokens.device).expand(len(tokens), -1)


def labelled(
    readings: Sequence[Reading], model: Any, source: tuple[str, ...], target: tuple[str, ...]
) -> list[Reading]:
    """Return the readings with the labels of source and target along the axes of their positions.

    Args:
        readings: What a probe found.
        model: The model; its modules that read the source have `of_source`.
        source: The label of each token of the source.
        target: The label of each token of the target that was read.
    """
    modules = dict(model.named_modules())
    found = []
    for reading in readings:
        of_source = getattr(modules.get(reading.path), "of_source", False)
        of_axis = {"source": source, **dict.fromkeys(("token", "query", "key"), source if of_source else target)}
        sizes = dict(zip(reading.axes, reading.values.shape, strict=True))
        labels = {axis: one for axis, one in of_axis.items() if sizes.get(axis) == len(one)}
        found.append(replace(reading, coordinates={**labels, **reading.coordinates}))
    return found


@dataclass(frozen=True)
class ProbeInput:
    """The tokens that a probe reads.

    Args:
        tokens: What the model reads token by token: a text, or the symbol that begins a target and the target.
        labels: The label of each of these tokens.
        source: The tokens of the source; () for a model without one.
        source_labels: The label of each of them.
    """

    tokens: list[int]
    labels: tuple[str, ...]
    source: tuple[int, ...] = ()
    source_labels: tuple[str, ...] = ()

    def batch(self, device: torch.device) -> Tensor:
        """Return what a probe is called with, (1, T)."""
        return torch.tensor([self.tokens], device=device)

    def bound(self, model: LanguageModel) -> Any:
        """Return the model as probes call it."""
        return WithSource(model, self.source) if self.source else model

    def labelled(self, readings: Sequence[Reading], model: LanguageModel) -> list[Reading]:
        """Return the readings of a probe, with the labels of source and target if there are two texts."""
        return labelled(readings, model, self.source_labels, self.labels) if self.source else list(readings)


def first_pair(source: Any, objective: Objective) -> tuple[list[int], list[int]]:
    """Return the tokens of source and target of the first row of a split, as the objective makes them."""
    batch = objective.batch(source.ordered(), np.zeros(1, np.int64), 0)
    read, target = batch.inputs["source"][0], batch.targets[0]
    mask = batch.inputs.get("source_mask", read[None] >= 0)[0]
    written = target[target >= 0]
    if "end" in objective.symbols:
        written = written[:-1]
    return read[mask].tolist(), written.tolist()


def symbol_label(token: int, tokenizer: Tokenizer, objective: Objective) -> str:
    """Return the label of a symbol: the tokenizer's, or the name of one of the objective's own in angle brackets."""
    own = token - tokenizer.vocabulary_size
    return TOKEN_OF.format(name=objective.symbols[own]) if 0 <= own < len(objective.symbols) else tokenizer.label(token)


def input_of_pair(pair: tuple[list[int], list[int]], tokenizer: Tokenizer, objective: Objective) -> ProbeInput:
    """Return what probes read of the tokens of a source and its target: the target after the symbol that begins it."""
    source, target = pair
    tokens = [tokenizer.vocabulary_size + objective.symbols.index("begin"), *target]
    labels = tuple(symbol_label(token, tokenizer, objective) for token in tokens)
    read = tuple(symbol_label(token, tokenizer, objective) for token in source)
    return ProbeInput(tokens, labels, tuple(source), read)
