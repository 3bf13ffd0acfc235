"""Tiny inputs for the checks of registrations: a text, models, and a source for each kind of objective."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from lab.api import Objective, Source, StackConfig, Task, uniforms
from lab.layers import Attention, LanguageModel, ResidualStack
from lab.text.streams import TokenSource

VOCABULARY = 17
CONTEXT = 8
ROWS = 6
PLAIN = (
    "It was the best of times, it was the worst of times.\n"
    "\tOnce more: the end of the text (the 2nd of 3) — was it the best?\n\n"
)
TEXT = 12 * (PLAIN + "Zoë naïvely ate 3 crêpes; “ça va?”, 東京, Ελλάδα, e\u0301 and 🐈 were the best of times.\n")
"""Repeated words in several scripts, with a character of four bytes."""

ASCII = 12 * PLAIN.replace("—", "-")
STRANGE = "☃ Ж \U0001d54f\x07"
"""Characters that TEXT does not contain."""


class Small(ResidualStack):
    """Two blocks of attention and feed-forward layers, for every task of an objective."""

    def __init__(self, task: Task) -> None:
        config = StackConfig(layers=2, width=16)
        super().__init__(config, task, token_mixer=lambda slot: Attention(slot, heads=2, bias=True), tie=False)
        if task.input_shape is not None:
            self.patches = nn.Linear(task.input_shape[-1], config.width)

    def embed(self, inputs: Tensor, position: int = 0) -> Tensor:
        """Return embedded inputs (B, T, C)."""
        return super().embed(inputs, position) if self.task.input_shape is None else self.patches(inputs)


class Counts(LanguageModel):
    """A table of pairs: a model that learns by counting."""

    learns = "counting"
    history = 0

    def __init__(self, task: Task) -> None:
        super().__init__(StackConfig(), task)
        V = task.vocabulary_size
        self.register_buffer("pairs", torch.ones(V, V))
        self.pairs: Tensor

    def count(self, tokens: Any) -> None:
        """Add the pairs of one slice."""
        pairs = self.pairs.clone()
        pairs.index_put_((torch.from_numpy(tokens[:-1]), torch.from_numpy(tokens[1:])), torch.ones(()), accumulate=True)
        self.pairs = pairs

    def forward(self, tokens: Tensor, **given: Tensor) -> Tensor:
        """Return log-probabilities (B, T, V) of tokens (B, T)."""
        del given
        return (self.pairs / self.pairs.sum(dim=1, keepdim=True)).log()[tokens]


def models() -> dict[str, LanguageModel]:
    """Return a model of each kind by its description, with VOCABULARY symbols."""
    with torch.random.fork_rng():
        torch.default_generator.manual_seed(0)
        causal, both = Small(Task(VOCABULARY, CONTEXT)), Small(Task(VOCABULARY, CONTEXT, causal=False))
    counting = Counts(Task(VOCABULARY, CONTEXT))
    counting.count(symbols(400))
    return {"a causal model": causal, "a bidirectional model": both, "a model that counts": counting}


def tokens_for(model: Any, length: int) -> Tensor:
    """Return tokens (1, length) of a model's vocabulary."""
    return torch.from_numpy(symbols(length, seed=1)[None] % model.task.vocabulary_size)


def symbols(count: int, seed: int = 0) -> np.ndarray:
    """Return symbols (count,) below VOCABULARY, low ones more often; the same for the same arguments."""
    draws = uniforms(seed, np.arange(count), 1)[:, 0]
    return np.asarray((draws**2 * VOCABULARY).astype(np.int64))


class Pairs:
    """Pairs of a short word and its reverse; the target of odd examples is one symbol shorter."""

    vocabulary_size, context_length, examples = VOCABULARY, CONTEXT, 32

    def rows(self, examples: np.ndarray, seed: int) -> dict[str, np.ndarray]:
        """Return {"source": (B, T), "target": (B, T)}, −1 after the end."""
        words = (uniforms(seed, examples, CONTEXT) * VOCABULARY).astype(np.int64)
        target = words[:, ::-1].copy()
        target[examples % 2 == 1, -1] = -1
        return {"source": words, "target": target}

    def ordered(self) -> Source:
        """Return this source itself, as it has few examples."""
        return self


class Pictures:
    """Pictures of four patches with three channels; the class is the index of the bright patch."""

    vocabulary_size, context_length, examples = 1, 4, 32
    input_shape, classes = (4, 3), 4

    def rows(self, examples: np.ndarray, seed: int) -> dict[str, np.ndarray]:
        """Return {"inputs": (B, 4, 3), "label": (B,)}."""
        label = examples % self.classes
        inputs = uniforms(seed, examples, 12).reshape(-1, *self.input_shape).astype(np.float32)
        inputs[np.arange(len(examples)), label] += 2
        return {"inputs": inputs, "label": label}

    def ordered(self) -> Source:
        """Return this source itself, as it has few examples."""
        return self


def source_for(objective: Objective) -> Source:
    """Return a source for this objective: text, unless it needs another kind."""
    if objective.needs == "sequence-to-sequence":
        return Pairs()
    if objective.needs == "classification":
        return Pictures()
    tokens = symbols(403)  # so that the last window is shorter than the others
    if objective.carries:
        return TokenSource(tokens, VOCABULARY, CONTEXT, "lanes", ROWS)
    return TokenSource(tokens, VOCABULARY, CONTEXT)
