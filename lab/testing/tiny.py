"""What the checks of parts are tried on: a text, tiny models, and a tiny source for each kind of objective."""

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
"""Words that come again and again, in several scripts, with a character of four bytes."""

ASCII = 12 * PLAIN.replace("—", "-")
STRANGE = "☃ Ж \U0001d54f\x07"
"""Characters that TEXT does not have."""


class Small(ResidualStack):
    """Two blocks of attention and feed-forward layers, for every task an objective may set."""

    def __init__(self, task: Task) -> None:
        config = StackConfig(layers=2, width=16)
        super().__init__(config, task, token_mixer=lambda slot: Attention(slot, heads=2, bias=True), tie=False)
        if task.input_shape is not None:
            self.patches = nn.Linear(task.input_shape[-1], config.width)

    def embed(self, inputs: Tensor, position: int = 0) -> Tensor:
        """Inputs -> (B, T, C)."""
        return super().embed(inputs, position) if self.task.input_shape is None else self.patches(inputs)

    def head(self, x: Tensor) -> Tensor:
        """Logits of each position; of the whole input where there are classes."""
        return super().head(x.mean(dim=1) if self.task.classes else x)


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
        """Adds the pairs of one slice."""
        pairs = self.pairs.clone()
        pairs.index_put_((torch.from_numpy(tokens[:-1]), torch.from_numpy(tokens[1:])), torch.ones(()), accumulate=True)
        self.pairs = pairs

    def forward(self, tokens: Tensor, **given: Tensor) -> Tensor:
        """(B, T) -> log-probabilities (B, T, V)."""
        del given
        return (self.pairs / self.pairs.sum(dim=1, keepdim=True)).log()[tokens]


def models() -> dict[str, LanguageModel]:
    """A model of each kind that there is, by what a person calls it, for VOCABULARY symbols."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        causal, both = Small(Task(VOCABULARY, CONTEXT)), Small(Task(VOCABULARY, CONTEXT, causal=False))
    counting = Counts(Task(VOCABULARY, CONTEXT))
    counting.count(symbols(400))
    return {"a causal model": causal, "a bidirectional model": both, "a model that counts": counting}


def tokens_for(model: Any, length: int) -> Tensor:
    """(1, length) tokens that a model knows."""
    return torch.from_numpy(symbols(length, seed=1)[None] % model.task.vocabulary_size)


def symbols(count: int, seed: int = 0) -> np.ndarray:
    """(count,) symbols below VOCABULARY, the low ones more often; the same for the same arguments."""
    draws = uniforms(seed, np.arange(count), 1)[:, 0]
    return np.asarray((draws**2 * VOCABULARY).astype(np.int64))


class Pairs:
    """Pairs of a short word and the same word backwards; the target of odd examples is one symbol shorter."""

    vocabulary_size, context_length, examples = VOCABULARY, CONTEXT, 32

    def rows(self, examples: np.ndarray, seed: int) -> dict[str, np.ndarray]:
        """{"source": (B, T), "target": (B, T)}, −1 behind the end."""
        words = (uniforms(seed, examples, CONTEXT) * VOCABULARY).astype(np.int64)
        target = words[:, ::-1].copy()
        target[examples % 2 == 1, -1] = -1
        return {"source": words, "target": target}

    def ordered(self) -> Source:
        """Itself: its examples are few."""
        return self


class Pictures:
    """Pictures of four patches with three channels; the class says which patch is bright."""

    vocabulary_size, context_length, examples = 1, 4, 32
    input_shape, classes = (4, 3), 4

    def rows(self, examples: np.ndarray, seed: int) -> dict[str, np.ndarray]:
        """{"inputs": (B, 4, 3), "label": (B,)}."""
        label = examples % self.classes
        inputs = uniforms(seed, examples, 12).reshape(-1, *self.input_shape).astype(np.float32)
        inputs[np.arange(len(examples)), label] += 2
        return {"inputs": inputs, "label": label}

    def ordered(self) -> Source:
        """Itself: its examples are few."""
        return self


def source_for(objective: Objective) -> Source:
    """A source such as this objective reads: text, unless it needs a model for something else."""
    if objective.needs == "sequence-to-sequence":
        return Pairs()
    if objective.needs == "classification":
        return Pictures()
    tokens = symbols(403)  # whose last window is shorter than the others
    if objective.carries:
        return TokenSource(tokens, VOCABULARY, CONTEXT, "lanes", ROWS)
    return TokenSource(tokens, VOCABULARY, CONTEXT)
