"""Recurrent cells as token mixers, for stacks whose blocks a pattern names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import Tensor

from lab.layers import TokenMixer
from lab_recurrent import GRUConfig, LSTMConfig
from lab_recurrent.cells import Cell, GRUCell, LSTMCell

if TYPE_CHECKING:
    from lab.api import Slot, State


class RecurrentMixer(TokenMixer):
    """A recurrent layer of as many units as the stack has channels: its hidden states are what it mixes.

    Args:
        cell: The cell.
    """

    def __init__(self, cell: Cell) -> None:
        super().__init__()
        self.cell = cell

    def start(self, batch: int) -> State:
        """Return states of zeros."""
        return self.cell.start(batch)

    def extend(self, x: Tensor, state: State) -> tuple[Tensor, State]:
        """Read (B, T, C) more; return (B, T, C) and the new states."""
        return self.cell.extend(x, state)


def lstm(slot: Slot) -> RecurrentMixer:
    """Return the mixer "lstm" of a pattern."""
    own = slot.config
    config = LSTMConfig(
        width=slot.width,
        initialisation=own.initialisation,
        forget_bias=own.forget_bias,
        peephole=own.peephole,
        layer_norm=own.layer_norm,
    )
    return RecurrentMixer(LSTMCell(config))


def gru(slot: Slot) -> RecurrentMixer:
    """Return the mixer "gru" of a pattern."""
    return RecurrentMixer(GRUCell(GRUConfig(width=slot.width, initialisation=slot.config.initialisation)))
