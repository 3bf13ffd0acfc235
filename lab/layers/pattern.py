"""A stack whose blocks are named by a pattern: blocks of registered mixers, and blocks that share their weights."""

from __future__ import annotations

import dataclasses
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lab.api import PatternBlock, Slot, State, Task
from lab.api.interventions import BLOCK_OUTPUT, CHANNEL_MIXER, TOKEN_MIXER
from lab.layers.initial import GPT_2
from lab.layers.mixers import TokenMixer
from lab.layers.norms import RMSNorm
from lab.layers.reports import Reports
from lab.layers.stack import STREAM, Block, Make, ResidualStack, maker, mix


class SharedBlock(Reports, nn.Module):
    """W_i channel(norm(W token(norm([x; embedding])))), where all occurrences i in the stack share all but W_i.

    Its output is not added to the residual stream: the next block reads it in addition to the stream (Glorioso et
    al. 2024, section 3, and as in the weights of Zamba-7B-v1). The token mixer is 2 C wide, and W projects it back to
    C, which is part of the output projection of Zamba's attention.

    Args:
        slot: Its position in the stack.
        config: The stack's config, whose live `dropout` applies to its output.
        token: Makes the token mixer.
        channel: Makes the channel mixer.
        alike: An earlier occurrence, whose weights it shares; its modules are its own, so that each one has its own
            readings and decoding state.
    """

    def __init__(
        self, slot: Slot, config: Any, token: Make | None, channel: Make | None, alike: SharedBlock | None
    ) -> None:
        super().__init__()
        wide = dataclasses.replace(slot, width=2 * slot.width)
        self.part_names = {"": "shared block", "place": "output projection"}
        self.config = config
        self.token_norm = _norm(wide)
        self.token = None if token is None else token(wide)
        self.narrow = nn.Linear(2 * slot.width, slot.width, bias=False)
        self.channel_norm = None if channel is None else _norm(slot)
        self.channel = None if channel is None else channel(slot)
        GPT_2.linear(self.narrow, slot.width)
        if alike is not None:
            _take_weights(self, alike)
        self.place = nn.Linear(slot.width, slot.width, bias=False)
        GPT_2.linear(self.place, slot.width, layers=slot.layers)

    def start(self, batch: int) -> State:
        """Return the states of token and channel mixer before the first token."""
        return tuple(
            mixer.start(batch) if isinstance(mixer, TokenMixer) else None for mixer in (self.token, self.channel)
        )

    def read(self, x: Tensor, embedding: Tensor, state: State) -> tuple[Tensor, State]:
        """Return (B, T, C) for the next block, from the residual stream and the embedding, and the new states."""
        after: list[State] = [None, None]
        y = self.token_norm(torch.cat([x, embedding], dim=-1))
        if self.token is not None:
            y, after[0] = mix(self.token, y, state, 0)
            y = self.hook_point(TOKEN_MIXER, y, STREAM)
        y = self.narrow(y)
        if self.channel_norm is not None:
            y, after[1] = mix(self.channel, self.channel_norm(y), state, 1)
            y = self.hook_point(CHANNEL_MIXER, y, STREAM)
        self.report("residual", x, axes=STREAM)
        share = self.config.dropout
        y = self.hook_point(BLOCK_OUTPUT, self.place(y), STREAM)  # the block's entire output; the stream bypasses it
        return F.dropout(y, share, self.training) if share else y, tuple(after)


class PatternStack(ResidualStack):
    """A stack of the registered mixers that a pattern names, each after an RMSNorm.

    Args:
        config: A PatternStackConfig that the host has completed.
        task: The task it is built for.

    Raises:
        BadInput: A mixer refuses a setting; the problem names its path.
    """

    def __init__(self, config: Any, task: Task) -> None:
        named = config.blocks()
        first: dict[PatternBlock, SharedBlock] = {}

        def block(slot: Slot, config: Any, token: Make | None, channel: Make | None, norm: Make, **form: Any) -> Any:
            this = named[slot.layer]
            if not this.shared:
                return Block(slot, config, token, channel, norm, **form)
            made = SharedBlock(slot, config, token, channel, first.get(this))
            first.setdefault(this, made)
            return made

        super().__init__(
            config,
            task,
            token_mixer=[_maker_of("token", one, config) for one in named],
            channel_mixer=[_maker_of("channel", one, config) for one in named],
            norm=_norm,
            tie=config.tie,
            block=block,
        )

    def forward(self, tokens: Tensor, **given: Tensor) -> Tensor:
        """Return logits (B, T, V) of tokens (B, T)."""
        del given
        x, _ = self._through_all(self._embedded(tokens, 0), [None] * len(self.blocks))
        return self.head(x)

    def extend(self, tokens: Tensor, state: State, last: int | None = None) -> tuple[Tensor, State]:
        """Read (B, T) more; return logits (B, T or last, V) and the new state."""
        x, after = self._through_all(self._embedded(tokens, state["position"]), state["blocks"])
        x = x if last is None else x[:, -last:]
        return self.head(x), {"position": state["position"] + tokens.shape[1], "blocks": after}

    def _through_all(self, embedding: Tensor, states: State) -> tuple[Tensor, State]:
        """Return the residual stream after all blocks; the output of a shared block at the end is added to it."""
        x, extra = embedding, None
        after: list[State] = []
        for block, before in zip(self.blocks, states, strict=True):
            if isinstance(block, SharedBlock):
                given, behind = block.read(x, embedding, before)
                extra = given if extra is None else extra + given
            else:
                x, behind = block.through(x, before, extra)  # type: ignore[operator]
                extra = None
            after.append(behind)
        return x if extra is None else x + extra, tuple(after)


def stack_of_pattern(config: Any, task: Task) -> PatternStack:
    """Build the architecture with the blocks that the pattern of its config names.

    Raises:
        BadInput: A mixer refuses a setting; the problem names its path.
    """
    return PatternStack(config, task)


def _norm(slot: Slot) -> RMSNorm:
    return RMSNorm(slot, eps=1e-5)


def _maker_of(kind: str, block: PatternBlock, config: Any) -> Make | None:
    mixers = (config.mixers[name] for name in block.mixers)
    return next((maker(mixer, config) for mixer in mixers if mixer.kind == kind), None)


def _take_weights(module: nn.Module, other: nn.Module) -> None:
    """Replace the parameters and buffers of a module by those of another of the same form."""
    tensors = (*other.named_parameters(remove_duplicate=False), *other.named_buffers(remove_duplicate=False))
    for name, tensor in tensors:
        path, _, last = name.rpartition(".")
        if path != "place":
            setattr(module.get_submodule(path), last, tensor)
