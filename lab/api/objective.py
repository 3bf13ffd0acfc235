"""Objectives, which turn a source into batches and a model's output into nats. The trainer knows no other task."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from lab.api.architecture import Task
from lab.api.state import State

if TYPE_CHECKING:
    import numpy as np
    import torch
    from torch import Tensor

    from lab.api.model import LanguageModel


class Shaped(Protocol):
    """The properties of a source that decide which model it needs.

    Attributes:
        vocabulary_size: Symbols of the tokenizer; the objective's own symbols are numbered after them.
        context_length: Tokens of one example.
    """

    vocabulary_size: int
    context_length: int


class Source(Shaped, Protocol):
    """One split of a corpus as numbered examples.

    Attributes:
        examples: Number of examples of one ordered pass.
    """

    examples: int

    def rows(self, examples: np.ndarray, seed: int) -> Mapping[str, np.ndarray]:
        """Return the examples with these numbers, a pure function of (seed, number), in training order.

        Text gives {"tokens": (B, T + 1)}, −1 after the end of a short row; examples give also "scored" (B, T + 1) bool,
        the tokens that are targets; pairs give "source" and "target"; labelled inputs give "inputs" and "label".
        """
        ...

    def ordered(self) -> Source:
        """Return the same split in order, with example i the i-th of one pass and every target once, for evaluation."""
        ...


@dataclass
class Batch:
    """The inputs of a model and the targets it is scored on.

    Args:
        inputs: Tensors by the names of the model's arguments; "tokens" (B, T) is the first.
        targets: (B, T), or (B,) for classes; negative where nothing is scored.
        weight: Number of scored targets; known before the forward pass, so that accumulated batches are weighted right.
        fresh: With carried state: whether the rows start again, so that the carry of the last step must be dropped.
        right_or_wrong: Whether targets are answers, so that the share of correct ones is worth recording.
    """

    inputs: dict[str, Tensor]
    targets: Tensor
    weight: int
    fresh: bool = False
    right_or_wrong: bool = False

    def to(self, device: torch.device) -> Batch:
        """Return the batch on a device; the host does not wait for the copy."""
        inputs = {name: tensor.to(device, non_blocking=True) for name, tensor in self.inputs.items()}
        return replace(self, inputs=inputs, targets=self.targets.to(device, non_blocking=True))


@dataclass
class Loss:
    """The loss of one batch as sums, so that micro-batches and windows add up exactly.

    Args:
        nats: Nats per target, in the shape of the targets, 0 where nothing is scored; summed and divided by the weight.
        metrics: (sum, count) by name, detached.
        carry: State for the next batch of the same rows, detached; part of the checkpoint.
    """

    nats: Tensor
    metrics: dict[str, tuple[Tensor, int]] = field(default_factory=dict)
    carry: State = None


class Objective(ABC):
    """The task that a model is trained for, as batches and a loss.

    Attributes:
        needs: One of Architecture.tasks, which a model must offer.
        symbols: Symbols of its own ("mask", "begin"), numbered after the tokenizer's; samplers never emit them.
        carries: Whether state is carried from batch to batch; allowed only if the model's `reach` is None.
        config: The settings of its card.
    """

    needs: ClassVar[str] = "causal"
    symbols: ClassVar[tuple[str, ...]] = ()
    carries: ClassVar[bool] = False

    def __init__(self, config: Any = None) -> None:
        self.config = config

    def task(self, source: Shaped) -> Task:
        """Return the task that the model must be built for."""
        return Task(source.vocabulary_size + len(self.symbols), source.context_length)

    def symbol(self, source: Shaped, name: str) -> int:
        """Return the number of one of the objective's own symbols."""
        return source.vocabulary_size + self.symbols.index(name)

    @abstractmethod
    def batch(self, source: Source, examples: np.ndarray, seed: int) -> Batch:
        """Make a batch, a pure function of (seed, example numbers): micro-batches of a step are the same data.

        Args:
            source: The split to read.
            examples: (B,) global example numbers, step · batch size + row.
            seed: The run's seed.

        Returns:
            The batch, on the CPU.
        """

    def loss(self, model: LanguageModel, batch: Batch, carry: State = None) -> Loss:
        """Return nats per target through `model.score`. Override it for a carried state or further metrics."""
        del carry
        inputs: dict[str, Any] = dict(batch.inputs)
        return Loss(-model.score(inputs.pop("tokens"), batch.targets, **inputs))
