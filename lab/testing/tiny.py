"""Tiny inputs for the checks of registrations: a text, models, and a source for each kind of objective."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lab.api import DataKind, Objective, ProbedRows, Source, StackConfig, Task, uniforms
from lab.diagnostics.examples.rows import RowsInput, rows_input
from lab.layers import Attention, LanguageModel, ResidualStack
from lab.text.streams import TokenSource
from lab.training.objectives import Classification, Regression

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
    """Two blocks of attention and feed-forward layers, for every task of an objective; it ignores a source."""

    def __init__(self, task: Task) -> None:
        config = StackConfig(layers=2, width=16)
        written = replace(task, input_shape=None) if task.causal else task  # the shape is that of a source
        super().__init__(config, written, token_mixer=lambda slot: Attention(slot, heads=2, bias=True), tie=False)


class Matches(LanguageModel):
    """The products of vectors of texts and of images, for a task of both."""

    def __init__(self, task: Task) -> None:
        super().__init__(StackConfig(), task)
        self.texts = Small(Task(task.vocabulary_size, task.context_length, causal=False, outputs=16))
        self.images = Small(Task(1, 1, causal=False, input_shape=task.input_shape, outputs=16))

    def forward(self, tokens: Tensor, **given: Tensor) -> Tensor:
        """Return logits (M, N) of texts (N, T) with their "mask", and of images as "source"."""
        texts: Tensor = self.texts(tokens, **{name: given[name] for name in ("mask",) if name in given})
        return self.images(given["source"]) @ texts.T  # type: ignore[no-any-return]


def small_model(task: Task) -> LanguageModel:
    """Return a small model of a task."""
    return Matches(task) if task.matching else Small(task)


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


def row_model(kind: str) -> LanguageModel:
    """Return a model of "vectors" with numbers to predict, or of "images" with classes."""
    source: Any = Points() if kind == "vectors" else Pictures()
    task = Task(
        1, 1, causal=False, input_shape=source.input_shape, outputs=getattr(source, "outputs", None),
        classes=getattr(source, "classes", None),
    )  # fmt: skip
    with torch.random.fork_rng():
        torch.default_generator.manual_seed(0)
        return Small(task)


def rows_for(model: Any) -> RowsInput:
    """Return what a probe reads of a model of vectors or images: the second of 32 rows of its own shape.

    A model that compares images with texts reads Pictures and their captions.
    """
    if model.task.matching:
        rows = Pictures().rows(np.arange(Pictures.examples), 0)
        images, captions = torch.from_numpy(rows["inputs"]), torch.from_numpy(rows["target"])
        texts = tuple(str(caption) for caption in captions.tolist())
        return RowsInput(ProbedRows(images, captions, 1, 2, Classification(), captions=texts))
    objective = Classification() if model.task.classes is not None else Regression()
    return rows_input(_RowsOf(model.task), objective, {}, "2")


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


class Labels:
    """Words with a class, which is that of their first symbol; odd ones are one symbol shorter."""

    vocabulary_size, context_length, examples, classes = VOCABULARY, CONTEXT, 32, 4

    def rows(self, examples: np.ndarray, seed: int) -> dict[str, np.ndarray]:
        """Return {"inputs": (B, T), −1 after the end, "label": (B,)}."""
        words = (uniforms(seed, examples, CONTEXT) * VOCABULARY).astype(np.int64)
        label = words[:, 0] % self.classes
        words[examples % 2 == 1, -1] = -1
        return {"inputs": words, "label": label}

    def ordered(self) -> Source:
        """Return this source itself, as it has few examples."""
        return self


class Pictures:
    """Grey pictures of four quarters, of which one is bright; the caption is its index and the one after it."""

    vocabulary_size, context_length, examples = VOCABULARY, 2, 32
    input_shape, classes = (4, 4, 1), 4

    def rows(self, examples: np.ndarray, seed: int) -> dict[str, np.ndarray]:
        """Return {"inputs": (B, 4, 4, 1), "label": (B,), "target": (B, 2)}."""
        label = examples % self.classes
        inputs = uniforms(seed, examples, 16).reshape(-1, 2, 2, 2, 2) / 2  # row, half of it, column, half of it
        inputs[np.arange(len(examples)), label // 2, :, label % 2] += 0.5
        pixels = inputs.reshape(-1, *self.input_shape).astype(np.float32)
        return {"inputs": pixels, "label": label, "target": np.stack([label, label + 1], axis=1)}

    def ordered(self) -> Source:
        """Return this source itself, as it has few examples."""
        return self


class _RowsOf:
    """Rows of numbers from 0 to 1 of the shape that a task reads; classes and targets follow from their mean."""

    examples = 32

    def __init__(self, task: Task) -> None:
        self.task, self.input_shape = task, task.input_shape or ()
        self.outputs = task.outputs
        self.class_names = tuple(f"class {number}" for number in range(1, 1 + (task.classes or 0)))

    def rows(self, examples: np.ndarray, seed: int) -> dict[str, np.ndarray]:
        """Return {"inputs": (B, *shape)} with {"label": (B,)} or {"numbers": (B, K)}."""
        inputs = uniforms(seed, examples, int(np.prod(self.input_shape))).astype(np.float32)
        mean = inputs.mean(axis=1)
        found = {"inputs": inputs.reshape(-1, *self.input_shape)}
        if self.class_names:
            return found | {"label": (mean * 997).astype(np.int64) % len(self.class_names)}
        return found | {"numbers": np.stack([mean * (1 + k) for k in range(self.outputs or 1)], axis=1)}

    def ordered(self) -> _RowsOf:
        """Return this source itself, as it has few rows."""
        return self


class Points:
    """Vectors of six features, and three numbers from 0 to 1 that follow from them."""

    vocabulary_size, context_length, examples = 1, 6, 32
    input_shape, outputs = (6,), 3

    def rows(self, examples: np.ndarray, seed: int) -> dict[str, np.ndarray]:
        """Return {"inputs": (B, 6), "numbers": (B, 3)}."""
        inputs = uniforms(seed, examples, 6).astype(np.float32)
        return {"inputs": inputs, "numbers": (inputs[:, :3] + inputs[:, 3:]) / 2}

    def ordered(self) -> Source:
        """Return this source itself, as it has few examples."""
        return self


def source_for(objective: Objective) -> Source:
    """Return a source for this objective: text, unless it needs another kind."""
    sources: dict[DataKind, Callable[[], Source]] = {
        "pairs": Pairs, "labels": Labels, "images": Pictures, "vectors": Points,
    }  # fmt: skip
    for kind, source in sources.items():
        if kind in objective.reads:
            return source()
    tokens = symbols(403)  # so that the last window is shorter than the others
    if objective.carries:
        return TokenSource(tokens, VOCABULARY, CONTEXT, "lanes", ROWS)
    return TokenSource(tokens, VOCABULARY, CONTEXT)
