"""Batches and contexts that grow over the first steps of a training."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lab.api import Batch
from lab.recipes import Training


def batch_size_at(training: Training, step: int) -> int:
    """Return the number of examples of a step; `step` counts those made before."""
    return _grown(training.batch_start, training.batch_size, training.batch_warmup, step)


def context_at(training: Training, step: int) -> int:
    """Return the number of tokens of each example that a step reads."""
    return _grown(training.context_start, training.context_length, training.context_warmup, step)


def _grown(first: int, last: int, steps: int, step: int) -> int:
    """Return a size that grows linearly from `first` at step 0 to `last` at step `steps`, and stays there."""
    if step >= steps:
        return last
    first = min(first, last)
    return first + round((last - first) * step / steps)


def sizes(training: Training) -> Iterator[tuple[int, int]]:
    """Yield examples and tokens of each example of the steps up to the last one that grows."""
    for step in range(max(training.batch_warmup, training.context_warmup)):
        yield batch_size_at(training, step), context_at(training, step)


def shortened(batch: Batch, tokens: int) -> Batch:
    """Return the first tokens of each row of a batch, (B, T) -> (B, tokens), with the weight of what is left.

    A batch without any target left keeps the weight 0; it changes nothing.
    """
    if batch.targets.shape[1] <= tokens:
        return batch
    targets = batch.targets[:, :tokens]
    inputs = {name: tensor[:, :tokens] for name, tensor in batch.inputs.items()}
    return replace(batch, inputs=inputs, targets=targets, weight=int((targets >= 0).sum()))
