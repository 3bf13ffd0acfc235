"""Layers of gated recurrent cells, written as the recurrence of Cho et al. 2014: one token, one state."""

import torch.nn.functional as F
from torch import Tensor, nn

from lab.api import Architecture, ModelConfig, Register, State, Task, hookimpl, setting
from lab.layers import LanguageModel, Reports

LAB_API_VERSION = 1


class GRUCellsConfig(ModelConfig):
    layers: int = setting(2, ge=1, le=64, unit="layers", help="Stacked cells.")
    width: int = setting(128, ge=1, le=4096, log=True, unit="channels", help="Channels of embedding and state.")
    dropout: float = setting(
        0.0,
        ge=0,
        lt=1,
        live=True,
        help="Share of values set to zero before each cell and the head, in training; never over time.",
        cite="Zaremba et al. 2014, section 3.2",
    )
    tie: bool = setting(True, help="Use the embedding matrix as the output head.", cite="Press & Wolf 2017")


class Cell(Reports, nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.gru = nn.GRUCell(width, width)

    def forward(self, x: Tensor, before: Tensor) -> Tensor:
        def gate(number: int) -> Tensor:  # computed again for a reading, as GRUCell does not return its gates
            read = F.linear(x, self.gru.weight_ih, self.gru.bias_ih)
            carried = F.linear(before, self.gru.weight_hh, self.gru.bias_hh)
            return (read + carried).chunk(3, dim=-1)[number].sigmoid()

        state: Tensor = self.gru(x, before).to(before.dtype)  # float32 under bfloat16 products as well
        self.report("reset", lambda: gate(0), axes=("batch", "unit"))
        self.report("update", lambda: gate(1), axes=("batch", "unit"))
        self.report("state", state, axes=("batch", "channel"))
        return state


class GRUCells(LanguageModel):
    def __init__(self, config: GRUCellsConfig, task: Task) -> None:
        super().__init__(config, task)
        self.embedding = nn.Embedding(task.vocabulary_size, config.width)
        self.cells = nn.ModuleList(Cell(config.width) for _ in range(config.layers))
        self.head = nn.Linear(config.width, task.vocabulary_size)
        if config.tie:
            self.embedding.weight = self.head.weight  # with the initial weights of the head, small enough for logits

    def drop(self, x: Tensor) -> Tensor:
        return F.dropout(x, self.config.dropout, self.training)

    def start(self, batch: int, **given: Tensor) -> State:
        return tuple(self.head.weight.new_zeros(batch, self.config.width) for _ in self.cells)

    def step(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        x, after = self.embedding(tokens), []
        for cell, before in zip(self.cells, state, strict=True):
            x = cell(self.drop(x), before)
            after.append(x)
        return self.head(self.drop(x)), tuple(after)


@hookimpl
def lab_register_architectures(register: Register[Architecture]) -> None:
    register(
        Architecture(
            name="gru-cells",
            title="GRU cells",
            family="recurrent",
            summary="Stacked gated recurrent cells; each layer carries one vector from token to token.",
            config=GRUCellsConfig,
            build=GRUCells,
            presets={
                "carried": {
                    "architecture": {"dropout": 0.1},
                    "objective": {"name": "carried"},
                    "training": {"context_length": 32},
                }
            },
            equations=(
                r"r_t = \sigma(W_{ir} x_t + b_{ir} + W_{hr} h_{t-1} + b_{hr})",
                r"z_t = \sigma(W_{iz} x_t + b_{iz} + W_{hz} h_{t-1} + b_{hz})",
                r"n_t = \tanh(W_{in} x_t + b_{in} + r_t \odot (W_{hn} h_{t-1} + b_{hn}))",
                r"h_t = (1 - z_t) \odot n_t + z_t \odot h_{t-1}",
            ),
            symbols={
                "r_t": "the reset gate",
                "z_t": "the update gate",
                "n_t": "the candidate for the new state",
                "h_t": "the state after token t",
                "x_t": "the input at token t",
            },
            symbol_parts={"h_t": "cells.0", "x_t": "embedding"},
            references=("Cho et al. 2014, Learning Phrase Representations using RNN Encoder-Decoder",),
        )
    )
