"""The recurrent language model: embedding, recurrent layers above one another, head."""

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
    """A text read token by token, every value with its graph.

    Args:
        head: The logits (…, V) of hidden states (…, H) of the last layer.
        layers: For each layer its values at each token: `layers[l][t]["hidden state"]` is (B, H), and it is the very
            tensor that the next token and the next layer were computed from, so that
            `torch.autograd.grad(loss_at_t, layers[l][t - lag]["hidden state"])` is the gradient over that lag. Beside
            it stand "cell state" and gates by the names of their readings, as far as the cell has them.
    """

    head: Callable[[Tensor], Tensor]
    layers: list[list[StepValues]]

    @property
    def logits(self) -> Tensor:
        """(B, T, V), computed when they are asked for: of a large vocabulary they are more than all else."""
        return self.head(stacked(self.layers[-1], HIDDEN))


class RecurrentModel(LanguageModel):
    """Embedding, `config.layers` cells of `config.width` units above one another, head.

    Args:
        config: Its settings; dropout is read from it at use.
        task: What the model is built for.
        cell: Makes the cell of one layer.
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
        """Read (B, T) more -> logits (B, T or last, V) and the new states."""
        x, after = self.embedding(tokens), []
        for cell, before in zip(self.cells, state, strict=True):
            x, behind = cell.extend(self._drop(x), before)
            after.append(behind)
        return self.output(self._drop(x if last is None else x[:, -last:])), tuple(after)

    @property
    def cells(self) -> list[Cell]:
        """The layers, from the one above the embedding to the one below the head."""
        return list(self.layers)  # type: ignore[arg-type]

    def unrolled(self, tokens: Tensor) -> Unrolled:
        """Read (B, T) from the start by the cells' equations, for whoever takes gradients by what is between."""
        x, layers = self.embedding(tokens), []
        for cell in self.cells:
            all_steps = cell.all_steps(self._drop(x), cell.start(tokens.shape[0]))
            x = stacked(all_steps, HIDDEN)
            layers.append(all_steps)
        return Unrolled(lambda hidden: self.output(self._drop(hidden)), layers)

    def recurrent_matrices(self) -> list[dict[str, Tensor]]:
        """For each layer its recurrent matrices (H, H) by what they compute ("forget gate"; "hidden state" of an RNN).

        They are views of the parameters: detach and copy what is kept.
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
