"""The built-in objectives: next token with or without carried state, masked, sequence to sequence, classification."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from lab.api import Batch, LanguageModel, Loss, Objective, Shaped, Source, State, Task, detach_state, uniforms
from lab.base import BadInput
from lab.layers import unreduced_cross_entropy
from lab.training.builtins import MaskedConfig


def _column(rows: Any, name: str) -> np.ndarray:
    if name not in rows:
        raise BadInput(
            f"this corpus has {', '.join(rows)}, but no {name!r}",
            field="objective.name",
            remedy="Choose an objective for this kind of corpus; text is for causal, carried and masked",
        )
    column: np.ndarray = rows[name]
    return column


def _scored(targets: np.ndarray) -> int:
    return int(np.count_nonzero(targets >= 0))


class Causal(Objective):
    """−log p(x_{t+1} | x_1 … x_t) at every position of a window; only at answers for examples."""

    def batch(self, source: Source, examples: np.ndarray, seed: int) -> Batch:
        """Return windows of T + 1 tokens: the first T are read, the last T are targets."""
        given = source.rows(examples, seed)
        rows = _column(given, "tokens")  # (B, T + 1)
        tokens, targets = rows[:, :-1], rows[:, 1:]
        if "scored" in given:
            targets = np.where(given["scored"][:, 1:], targets, -1)
        weight = _scored(targets)
        if weight < targets.size:
            tokens = np.maximum(tokens, 0)
        inputs = {"tokens": torch.from_numpy(tokens)}
        return Batch(inputs, torch.from_numpy(targets), weight, right_or_wrong="scored" in given)

    def loss(self, model: LanguageModel, batch: Batch, carry: State = None) -> Loss:
        """Return nats per target; for answers also "accuracy", and "faultless", the share of rows without an error."""
        if not batch.right_or_wrong:
            return super().loss(model, batch, carry)
        logits = model.forward(batch.inputs["tokens"])  # (B, T, V)
        scored = batch.targets >= 0
        hits = (logits.detach().argmax(dim=-1) == batch.targets) & scored
        whole = (hits | ~scored).all(dim=1) & scored.any(dim=1)
        metrics = {"accuracy": (hits.sum(), batch.weight), "faultless": (whole.sum(), int(scored.any(dim=1).sum()))}
        return Loss(unreduced_cross_entropy(logits, batch.targets), metrics)


class Carried(Causal):
    """Causal on a text read as one stream in lanes: truncated backpropagation through time (Mikolov et al. 2010)."""

    carries = True

    def batch(self, source: Source, examples: np.ndarray, seed: int) -> Batch:
        """Return the next window of each lane, marked as fresh if the lanes start again."""
        batch = super().batch(source, examples, seed)
        starts_again = getattr(source, "fresh", None)
        batch.fresh = bool(starts_again(examples)) if starts_again else False
        return batch

    def loss(self, model: LanguageModel, batch: Batch, carry: State = None) -> Loss:
        """Return nats per target, from the state after the last batch."""
        tokens = batch.inputs["tokens"]
        if carry is None or batch.fresh:
            carry = model.start(tokens.shape[0])
        logits, state = model.extend(tokens, carry)
        return Loss(unreduced_cross_entropy(logits, batch.targets), carry=detach_state(state))


class Masked(Objective):
    """Hidden tokens predicted from both sides; 80 % of them show "mask", 10 % another token (Devlin et al. 2018)."""

    needs = "masked"
    symbols = ("mask",)

    def __init__(self, config: Any = None) -> None:
        super().__init__(config or MaskedConfig())

    def task(self, source: Shaped) -> Task:
        """Return a bidirectional task with one more symbol."""
        return Task(source.vocabulary_size + 1, source.context_length, causal=False)

    def batch(self, source: Source, examples: np.ndarray, seed: int) -> Batch:
        """Return windows of T tokens with some hidden, at least one in each; only those are scored."""
        tokens = _column(source.rows(examples, seed), "tokens")[:, :-1]  # (B, T)
        T = tokens.shape[1]
        draws = uniforms(seed, examples, 3 * T)
        ranks, fate, other = draws[:, :T], draws[:, T : 2 * T], draws[:, 2 * T :]
        ranks = np.where(tokens >= 0, ranks, 2.0)
        hidden = (ranks < self.config.share) | (ranks == ranks.min(axis=1, keepdims=True))
        hidden &= tokens >= 0
        shown = np.where(hidden & (fate < 0.8), self.symbol(source, "mask"), np.maximum(tokens, 0))
        swapped = hidden & (fate >= 0.9)
        shown = np.where(swapped, (other * source.vocabulary_size).astype(np.int64), shown)
        targets = np.where(hidden, tokens, -1)
        return Batch({"tokens": torch.from_numpy(shown)}, torch.from_numpy(targets), _scored(targets))


class SequenceToSequence(Objective):
    """−log p(y_t | y_1 … y_{t−1}, source) (Sutskever et al. 2014).

    Sources have "source" and "target", −1 after the end.
    """

    needs = "sequence-to-sequence"
    symbols = ("begin",)

    def task(self, source: Shaped) -> Task:
        """Return a causal task with a source side of the same vocabulary."""
        size = source.vocabulary_size + 1
        return Task(size, source.context_length, source_vocabulary_size=size)

    def batch(self, source: Source, examples: np.ndarray, seed: int) -> Batch:
        """Return a batch whose decoder reads "begin" and the target without its last token."""
        rows = source.rows(examples, seed)
        read, target = (_column(rows, name) for name in ("source", "target"))
        begin = np.full((len(target), 1), self.symbol(source, "begin"), dtype=np.int64)
        tokens = np.concatenate([begin, np.maximum(target[:, :-1], 0)], axis=1)
        inputs = {"tokens": torch.from_numpy(tokens), "source": torch.from_numpy(np.maximum(read, 0))}
        return Batch(inputs, torch.from_numpy(target), _scored(target))


class Classification(Objective):
    """−log p(label | input). Sources have "inputs" and "label", `classes` and `input_shape`."""

    needs = "classification"

    def task(self, source: Shaped) -> Task:
        """Return a task over classes; inputs that are not tokens have a shape."""
        return Task(
            source.vocabulary_size,
            source.context_length,
            causal=False,
            input_shape=getattr(source, "input_shape", None),
            classes=getattr(source, "classes", None),
        )

    def batch(self, source: Source, examples: np.ndarray, seed: int) -> Batch:
        """Return inputs and labels unchanged."""
        rows = source.rows(examples, seed)
        inputs, label = (_column(rows, name) for name in ("inputs", "label"))
        return Batch({"tokens": torch.from_numpy(inputs)}, torch.from_numpy(label), _scored(label))

    def loss(self, model: LanguageModel, batch: Batch, carry: State = None) -> Loss:
        """Return nats per label, and the number of correct predictions as "accuracy"."""
        del carry
        logits = model.forward(batch.inputs["tokens"])  # (B, classes)
        hits = (logits.detach().argmax(dim=-1) == batch.targets).sum()
        return Loss(unreduced_cross_entropy(logits, batch.targets), {"accuracy": (hits, batch.weight)})
