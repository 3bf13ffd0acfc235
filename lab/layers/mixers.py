"""The base classes TokenMixer and ChannelMixer. Most architectures differ only in their mixers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

import torch
from torch import Tensor, nn

from lab.api import Role, State
from lab.layers.reports import Derives, Reports, joined


class TokenMixer(Derives, nn.Module):
    """The base of mixers along the sequence. Write `start` and `step`, or `start` and `extend`, or only `forward`.

    Faster forms may be written as well: with `step` and `extend`, `forward` is derived from `extend`; if `forward` is
    written, too, training calls it. In a model that reads both ways (`slot.causal` is False) only `forward` is called.

    A mixer that knows how much each position reads of every other position defines `mixing_map(x)`, a pure method
    (B, T, C) -> (B, head, query, key), which the stack reports as the reading "mixing".

    Any module of a model that defines `after_step(self)` is called once after each optimizer step that trains it.

    Attributes:
        no_decay: Names of its own parameters without weight decay.
        roles: Name of a parameter, its own or "child.name" -> its role (lab.api.Role), where the derived one is wrong.
        reach: Positions one state may read; None means no limit.
        history: With `forward` alone: tokens before the one being read that can change its output (the receptive field
            − 1), which decoding must store; None means all.
        extra_flops: tokens T -> operations, forward and backward together, of one row of T tokens that are not matrix
            products and so not counted; a multiplication with an addition counts as two.
        reads_mask: Whether `forward` and `mixing_map` take `mask`, (B, T) bool, False behind the end of a row: what a
            model that reads both ways needs to leave out padding. Others are called without it.
        reads_documents: Whether `mask` may also be (B, T, T) bool, True where a position may read another, which
            separates the documents of a row. Others read each document as a row of its own.
        mixing_heads: Labels of the heads of `mixing_map`, if they are not just numbered.
    """

    no_decay: tuple[str, ...] = ()
    roles: Mapping[str, Role] = {}
    reach: int | None = None
    history: int | None = None
    extra_flops: Callable[[int], int] | None = None
    reads_mask: bool = False
    reads_documents: bool = False
    mixing_heads: tuple[str, ...] = ()
    _base: ClassVar[type]

    def __init__(self) -> None:
        super().__init__()
        self._check_written()

    def forward(self, x: Tensor) -> Tensor:
        """Mix x, (B, T, C) -> (B, T, C)."""
        return self.extend(x, self.start(x.shape[0]))[0]

    def start(self, batch: int) -> State:
        """Return the state before the first token, batch first."""
        del batch
        return None

    def extend(self, x: Tensor, state: State) -> tuple[Tensor, State]:
        """Read (B, T, C) more; return (B, T, C) and the new state."""
        if self.writes("step"):
            outputs = []
            with self._token_by_token(x.shape[1]):
                for t in range(x.shape[1]):
                    y, state = self.step(x[:, t], state)
                    outputs.append(y)
            return torch.stack(outputs, dim=1), state
        seen, recent = joined(state, x, self.history)
        return self.forward(seen)[:, -x.shape[1] :], recent

    def step(self, x: Tensor, state: State) -> tuple[Tensor, State]:
        """Read one more token (B, C); return (B, C) and the new state."""
        y, state = self.extend(x[:, None], state)
        return y[:, 0], state


TokenMixer._base = TokenMixer


class ChannelMixer(Reports, nn.Module):
    """The base of mixers of the channels of each token: `forward` (B, T, C) -> (B, T, C), T = 1 when decoding.

    A mixer that needs the past (RWKV's token shift) is a TokenMixer used as a channel mixer.

    Any module of a model that defines `after_step(self)` is called once after each optimizer step that trains it, for a
    bias or a target that follows its own rule, such as the selection bias of the experts of `lab_moe`.

    Attributes:
        causal: Whether a token's output depends on no later token; otherwise the stack cannot decode.
        no_decay: Names of its own parameters without weight decay.
        roles: Name of a parameter, its own or "child.name" -> its role (lab.api.Role), where the derived one is wrong.
        active_share: Name of a child or an own parameter -> share of its numbers used per token, {"inner": k / E}, from
            which a run's active parameters are computed.
    """

    causal: bool = True
    no_decay: tuple[str, ...] = ()
    roles: Mapping[str, Role] = {}
    active_share: Mapping[str, float] = {}
