"""The recurrent language model: embedding, stacked recurrent layers, head."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch.nn.functional as F
from torch import Tensor, nn

from lab.api import State, Task
from lab.layers import LanguageModel
from lab_recurrent.cells import HIDDEN, Cell, ElmanCell, GRUCell, LSTMCell, StepValues, stacked

if TYPE_CHECKING:
    from collections.abc import Callable

    from lab_recurrent import GRUConfig, LSTMConfig, RecurrentConfig, RNNConfig


@dataclass(frozen=True)
class Unrolled:
    """A text read token by token, with the graph of every value.

    Args:
        head: The logits (…, V) of hidden states (…, H) of the last layer.
        layers: The values of each layer at each token: `layers[l][t]["hidden state"]` is (B, H), the very tensor from
            which the next token and the next layer were computed, so that
            `torch.autograd.grad(loss_at_t, layers[l][t - lag]["hidden state"])` is the gradient over that lag.
            "cell state" and gates, if the cell has them, are there too, by the names of their readings.
    """

    head: Callable[[Tensor], Tensor]
    layers: list[list[StepValues]]

    @property
    def logits(self) -> Tensor:
        """The logits (B, T, V), computed on demand: with a large vocabulary they are larger than all else."""
        return self.head(stacked(self.layers[-1], HIDDEN))


class RecurrentModel(LanguageModel):
    """Embedding, `config.layers` stacked cells of `config.width` units, head.

    Args:
        config: The settings; dropout is read at each step.
        task: The task that the model is built for.
        cell: A function that returns the cell of one layer.
    """

    def __init__(self, config: RecurrentConfig, task: Task, cell: Callable[[], Cell]) -> None:
        super().__init__(config, task)
        self.embedding = nn.Embedding(task.vocabulary_size, config.width)
        self.layers = nn.ModuleList(cell() for _ in range(config.layers))
        self.output = nn.Linear(config.width, task.vocabulary_size)
        nn.init.normal_(self.embedding.weight, std=config.embedding_std)
        nn.init.normal_(self.output.weight, std=config.embedding_std)
        nn.init.zeros_(self.output.bias)
        if config.tie:
            self.output.weight = self.embedding.weight

    def start(self, batch: int, **given: Tensor) -> State:
        """Return states of zeros, one dict of (B, H) per layer."""
        del given
        return tuple(cell.start(batch) for cell in self.cells)

    def extend(self, tokens: Tensor, state: State, last: int | None = None) -> tuple[Tensor, State]:
        """Read (B, T) more tokens -> logits (B, T or last, V) and the new states."""
        x, after = self.embedding(tokens), []
        for cell, before in zip(self.cells, state, strict=True):
            x, new = cell.extend(self._drop(x), before)
            after.append(new)
        return self.output(self._drop(x if last is None else x[:, -last:])), tuple(after)

    @property
    def cells(self) -> list[Cell]:
        """The layers, from the one above the embedding to the one below the head."""
        return list(self.layers)  # type: ignore[arg-type]

    def unrolled(self, tokens: Tensor) -> Unrolled:
        """Read (B, T) from the start by the cells' equations, for gradients with respect to values in between."""
        x, layers = self.embedding(tokens), []
        for cell in self.cells:
            all_steps = cell.all_steps(self._drop(x), cell.start(tokens.shape[0]))
            x = stacked(all_steps, HIDDEN)
            layers.append(all_steps)
        return Unrolled(lambda hidden: self.output(self._drop(hidden)), layers)

    def recurrent_matrices(self) -> list[dict[str, Tensor]]:
        """Return the recurrent matrices (H, H) of each layer by name ("forget gate"; "hidden state" of an RNN).

        They are views of the parameters: detach and copy them to store them.
        """
        return [cell.matrices() for cell in self.cells]

    def _drop(self, x: Tensor) -> Tensor:
        share = self.config.dropout
        return F.dropout(x, share, self.training) if share else x


def build_rnn(config: RNNConfig, task: Task) -> RecurrentModel:
    """Return Elman's network."""
    return RecurrentModel(config, task, lambda: ElmanCell(config))


def build_gru(config: GRUConfig, task: Task) -> RecurrentModel:
    """Return a network of gated recurrent units."""
    return RecurrentModel(config, task, lambda: GRUCell(config))


def build_lstm(config: LSTMConfig, task: Task) -> RecurrentModel:
    """Return a network of long short-term memory."""
    return RecurrentModel(config, task, lambda: LSTMCell(config))
