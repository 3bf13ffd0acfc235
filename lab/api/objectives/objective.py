"""Objectives, which turn a source into batches and a model's output into losses. The trainer knows no other task."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from lab.api.data import DataKind
from lab.api.model import Task
from lab.api.state import State

if TYPE_CHECKING:
    import numpy as np
    import torch
    from torch import Tensor

    from lab.api.model import LanguageModel


class Shaped(Protocol):
    """The properties of a source that decide which model it needs.

    A source of labels, vectors or images also has those of the attributes `classes`, the number of classes;
    `by_token`, whether every token has a class; `outputs`, how many numbers are predicted; and `input_shape`, the shape
    of one input that is not tokens: (F,) or (H, W, C). Other sources lack them: read them with `getattr`.

    Attributes:
        vocabulary_size: Symbols of the tokenizer; the objective's own symbols are numbered after them. 1 if nothing is
            text.
        context_length: The most tokens of one example that are read.
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

        Tokens and classes are int64, −1 after the end of a short row and where there is no class; B rows, T tokens:

        - text: "tokens" (B, T + 1); documents that are read separately also "documents" (B, T + 1), the number of each
          token's document within its row; examples and conversations also "scored" (B, T + 1) bool, the targets among
          them;
        - pairs: "source" (B, S) and "target" (B, T);
        - labels: "inputs" (B, T) and "label" (B,), or (B, T) with a class for each token;
        - vectors: "inputs" (B, F) float32, and "label" (B,) or "numbers" (B, K) float32;
        - images: "inputs" (B, H, W, C) float32 in [0, 1], and "label" (B,) or "target" (B, T), a caption.

        Args:
            examples: (B,) int64 example numbers, 0 or more. They have no end, except in order, where one pass has
                `examples` of them.
            seed: The run's seed.
        """
        ...

    def ordered(self) -> Source:
        """Return the same split in order, with example i the i-th of one pass and every target once, for evaluation."""
        ...


def input_shape_of(source: Shaped) -> tuple[int, ...] | None:
    """Return the shape of one input of a source that is not tokens; None for tokens."""
    shape = getattr(source, "input_shape", None)
    return None if shape is None else tuple(shape)


def class_task(source: Shaped) -> Task:
    """Return the task of predicting the class of each input of a source, or of each of its tokens."""
    return Task(
        source.vocabulary_size,
        source.context_length,
        causal=False,
        input_shape=input_shape_of(source),
        classes=getattr(source, "classes", None),
        by_token=getattr(source, "by_token", False),
    )


@dataclass
class Batch:
    """The inputs of a model and the targets it is scored on.

    Args:
        inputs: Tensors by the names of the model's arguments; "tokens" (B, T) is the first.
        targets: Symbols or classes, int64 (B, T) or (B,), negative where nothing is scored; or numbers, float32 (B, K),
            NaN where nothing is scored.
        weight: Number of scored targets; known before the forward pass, so that accumulated batches are weighted right.
        fresh: With carried state: whether the rows start again, so that the carry of the last step must be dropped.
        right_or_wrong: Whether targets are answers, so that the share of correct ones is worth recording.
    """

    inputs: dict[str, Tensor]
    targets: Tensor
    weight: int
    fresh: bool = False
    right_or_wrong: bool = False

    @property
    def scored(self) -> Tensor:
        """Which targets are scored, bool in the shape of the targets."""
        return scored_of(self.targets)

    def to(self, device: torch.device) -> Batch:
        """Return the batch on a device; the host does not wait for the copy."""
        inputs = {name: tensor.to(device, non_blocking=True) for name, tensor in self.inputs.items()}
        return replace(self, inputs=inputs, targets=self.targets.to(device, non_blocking=True))


def scored_of(targets: Tensor) -> Tensor:
    """Return which targets are scored, bool: those that are not negative, and numbers that are not NaN."""
    return ~targets.isnan() if targets.is_floating_point() else targets >= 0


@dataclass
class Loss:
    """The loss of one batch as sums, so that micro-batches and windows add up exactly.

    Args:
        nats: Nats per target, or the loss in the objective's unit, in the shape of the targets, 0 where nothing is
            scored; summed and divided by the weight.
        metrics: (sum, count) by name, detached. A sum may be counts (N,), from which `Objective.figure` computes one
            number after all of them were added.
        carry: State for the next batch of the same rows, detached; part of the checkpoint.
    """

    nats: Tensor
    metrics: dict[str, tuple[Tensor, int]] = field(default_factory=dict)
    carry: State = None


class Objective(ABC):
    """The task that a model is trained for, as batches and a loss.

    Attributes:
        needs: The task that a model must offer in Architecture.tasks: "causal", "masked", "classification",
            "regression", "sequence-to-sequence", or one of your own.
        reads: The kinds of data that it can read.
        symbols: Symbols of its own ("mask", "begin"), numbered after the tokenizer's; samplers never emit them, except
            those of `written_symbols`.
        source_symbols: Those that stand in sources; a source that the user gives has them as "<name>".
        written_symbols: Those that a target has besides "end"; a written text shows them as "<name>".
        reads_documents: Whether it can read the documents of a text separately: its batches then have the input
            "documents" of their rows, and its loss hands it to a model whose `reads_documents` is true.
        carries: Whether state is carried from batch to batch; allowed only if the model's `reach` is None.
        compared_rows: Rows of an evaluation that are compared with one another, where the loss of a row depends on the
            others of its batch; rows behind the last complete group are left out, and a training computes each step at
            once, without accumulation. 0 where each row is computed from itself alone.
        unit: The unit of its loss: "nats per token", "nats per label", "mean squared error".
        has_perplexity: Whether exp(loss) is a perplexity: the targets are tokens, each predicted from all before it.
        config: The settings of its card.
    """

    needs: ClassVar[str] = "causal"
    reads: ClassVar[frozenset[DataKind]] = frozenset({"text", "examples", "conversations"})
    symbols: ClassVar[tuple[str, ...]] = ()
    source_symbols: ClassVar[tuple[str, ...]] = ()
    written_symbols: ClassVar[tuple[str, ...]] = ()
    reads_documents: ClassVar[bool] = False
    carries: ClassVar[bool] = False
    compared_rows: ClassVar[int] = 0
    unit: str = "nats per token"
    has_perplexity: ClassVar[bool] = True

    def __init__(self, config: Any = None) -> None:
        self.config = config

    def task(self, source: Shaped) -> Task:
        """Return the task that the model must be built for."""
        return Task(source.vocabulary_size + len(self.symbols), source.context_length)

    def symbol(self, source: Shaped, name: str) -> int:
        """Return the number of one of the objective's own symbols.

        Raises:
            ValueError: It has no symbol of this name.
        """
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

        Raises:
            BadInput: The source has not what the objective reads.
        """

    def loss(self, model: LanguageModel, batch: Batch, carry: State = None) -> Loss:
        """Return nats per target through `model.score`; override it for another loss, metrics or a carried state.

        Args:
            model: The model, in training mode or not, on the device of the batch.
            batch: The batch.
            carry: The `carry` of the last loss of the same rows; None at the start, and if nothing is carried.
        """
        del carry
        inputs: dict[str, Any] = dict(batch.inputs)
        return Loss(-model.score(inputs.pop("tokens"), batch.targets, **inputs))

    def drawn_loss(self, model: LanguageModel, batch: Batch, carry: State = None) -> Tensor | None:
        """Return nats of labels drawn from the model's own predictions in place of the targets; None if it has none.

        Optimizers that estimate the curvature of the loss need it (Liu et al. 2024, section 2.3).

        Args:
            model: The model in training mode, on the device of the batch.
            batch: The batch.
            carry: The `carry` before the batch.

        Returns:
            Nats in the shape of the targets, 0 where nothing is scored, without smoothing.
        """
        del model, batch, carry
        return None

    def figure(self, name: str, mean: Tensor) -> Tensor:
        """Return the number that is recorded for a metric, from its sums divided by their count.

        Override it for a metric whose sums are counts (N,), such as F1.

        Args:
            name: The name of the metric.
            mean: The sums of all batches, divided by the count.
        """
        del name
        return mean
