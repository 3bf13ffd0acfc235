"""An encoder that reads a source both ways, once, and a decoder that reads what the encoder made of it."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from typing import Any

from torch import Tensor, nn

from lab.api import BadInput, Slot, State, Task
from lab.api.interventions import (
    BLOCK_INPUT,
    BLOCK_OUTPUT,
    CHANNEL_BYPASS,
    CHANNEL_MIXER,
    CROSS_BYPASS,
    CROSS_MIXER,
    TOKEN_BYPASS,
    TOKEN_MIXER,
)
from lab.layers.attention.cross import CrossAttention
from lab.layers.reports import Reports
from lab.layers.stack import STREAM, Block, Make, ResidualStack, mix

BYPASSES = {"token": TOKEN_BYPASS, "cross": CROSS_BYPASS, "channel": CHANNEL_BYPASS}
"""The hook points of the stream as it bypasses each part of a block."""


class Encoder(ResidualStack):
    """A stack that reads the source of a task both ways; `forward` returns (B, S, C), after the last norm.

    Args:
        config: A StackConfig.
        task: The task of the model that it is part of.
        **stack: As for ResidualStack; without `tie` and `output_cap`, as it has no head.
    """

    def __init__(self, config: Any, task: Task, **stack: Any) -> None:
        size = task.source_vocabulary_size or task.vocabulary_size
        read = Task(size, task.context_length, causal=False, input_shape=task.input_shape)
        super().__init__(config, read, **stack, tie=False)
        del self.output
        for module in self.modules():
            if isinstance(module, Reports):
                module.of_source = True

    def head(self, x: Tensor) -> Tensor:
        """Return the normalised residual stream, (B, S, C)."""
        return self.norm(x)  # type: ignore[no-any-return]


class DecoderBlock(Block):
    """A block that reads a memory between its mixers: x + token(…), x + cross(…, memory), x + channel(…).

    Its norms are before each branch or after each sum, as for Block. Its state is that of its mixers, and the memory.

    Args:
        slot: As for Block.
        config: As for Block.
        token: As for Block.
        channel: As for Block.
        norm: As for Block.
        cross: Makes the CrossAttention.
        **form: As for Block; the branches are not parallel.
    """

    def __init__(
        self, slot: Slot, config: Any, token: Make | None, channel: Make | None, norm: Make, *, cross: Make, **form: Any
    ) -> None:
        super().__init__(slot, config, token, channel, norm, **form)
        if self.parallel:
            raise ValueError("a block that reads a memory has its branches one after the other")
        self.cross_norm = norm(slot)
        self.cross: CrossAttention = cross(slot)  # type: ignore[assignment]

    def read(
        self, x: Tensor, state: State, source: Tensor | None = None, mask: Tensor | None = None
    ) -> tuple[Tensor, State]:
        """Apply the block.

        Args:
            x: (B, T, C).
            state: The states of both mixers and the memory; None reads a full sequence.
            source: (B, S, C), what an encoder made of the source, for a full sequence.
            mask: (B, S) bool, False at padding of the source; None if there is none.

        Returns:
            (B, T, C) and the new states.
        """
        after: list[State] = [None, None, None if state is None else state[2]]
        x = self.hook_point(BLOCK_INPUT, x, STREAM)
        for part, norm in (("token", self.token_norm), ("cross", self.cross_norm), ("channel", self.channel_norm)):
            if norm is None:
                continue
            inner = x if self.post else norm(x)
            if part == "cross":
                memory = self.cross.memory(source, mask) if state is None else state[2]  # type: ignore[arg-type]
                y = self.hook_point(CROSS_MIXER, self.cross(inner, memory), STREAM)
            else:
                index = int(part == "channel")
                y, after[index] = mix(getattr(self, part), inner, state, index)
                y = self.hook_point(CHANNEL_MIXER if index else TOKEN_MIXER, y, STREAM)
            x = self.hook_point(BYPASSES[part], x, STREAM) + self._drop(y)
            x = norm(x) if self.post else x
        x = self.hook_point(BLOCK_OUTPUT, x, STREAM)
        self.report("residual", x, axes=STREAM)
        return x, tuple(after)

    def extend(self, x: Tensor, state: State) -> tuple[Tensor, State]:
        """Read (B, T, C) more; return (B, T, C) and the new states."""
        return self.read(x, state)


class EncoderDecoder(ResidualStack):
    """A decoder whose blocks read what an encoder made of a source (Vaswani et al. 2017, figure 1).

    The source is read once, by `start` or `forward`: `forward(tokens, source=…, source_mask=…)`, or in the order in
    which they are read `forward(source, tokens)`; `start(batch, source=…, source_mask=…)`. The mask is (B, S) bool,
    False at padding; without it all of the source is read.

    Args:
        config: A StackConfig; `layers` are those of the decoder.
        task: The task that the model is built for.
        encoder: The module that reads the source: `encoder(source, mask=…)` -> (B, S, C), or without `mask` where it
            is not given. Usually an Encoder.
        cross: Makes the CrossAttention of each block.
        **stack: As for ResidualStack.
    """

    def __init__(self, config: Any, task: Task, *, encoder: nn.Module, cross: Make, **stack: Any) -> None:
        written = dataclasses.replace(task, input_shape=None)
        super().__init__(config, written, **stack, block=functools.partial(DecoderBlock, cross=cross))
        self.task = task
        self.encoder = encoder

    def encode(self, source: Tensor, mask: Tensor | None = None) -> Tensor:
        """Return what the encoder makes of a source, (B, S, C)."""
        read: Tensor = self.encoder(source) if mask is None else self.encoder(source, mask=mask)
        return read

    def forward(self, tokens: Tensor, target: Tensor | None = None, **given: Tensor) -> Tensor:
        """Return logits (B, T, V) of tokens (B, T) and their source.

        Args:
            tokens: The target; or the source, if the target follows.
            target: The target, if the source comes first.
            **given: The source, unless it came first, and its mask.

        Raises:
            BadInput: No source is given, or it cannot be read.
        """
        if target is not None:
            tokens, given = target, {**given, "source": tokens}
        read, mask = self._read(given)
        x = self._embedded(tokens, 0)
        for block in self.blocks:
            x, _ = block.read(x, None, read, mask)  # type: ignore[operator]
        return self.head(x)

    def start(self, batch: int, **given: Tensor) -> State:
        """Read the source; return the position and the states of all blocks, with the memory of each.

        Raises:
            BadInput: No source is given.
        """
        state = super().start(batch)
        read, mask = self._read(given)
        memories = [block.cross.memory(read, mask) for block in self.blocks]  # type: ignore[union-attr,operator]
        blocks = zip(state["blocks"], memories, strict=True)
        return {**state, "blocks": tuple((*mixers, memory) for mixers, memory in blocks)}

    def _read(self, given: dict[str, Tensor]) -> tuple[Tensor, Tensor | None]:
        """Return what the encoder makes of the source, and the mask of its padding."""
        source, mask = check_source(given, self.longest_source)
        return self.encode(source, mask), mask

    @property
    def longest_source(self) -> int | None:
        """The most tokens that a source may have: the learned positions of the encoder; None if there is no limit."""
        position = getattr(self.encoder, "position", None)
        return position.num_embeddings if isinstance(position, nn.Embedding) else None


def check_source(given: Mapping[str, Tensor], longest: int | None = None) -> tuple[Tensor, Tensor | None]:
    """Return the source of an encoder-decoder and the mask of its padding, None if it has none.

    Whether a row is all padding is only checked on the CPU: a GPU would have to wait for it.

    Args:
        given: The inputs of the model by name: "source" (B, S) or images, and perhaps "source_mask" (B, S) bool.
        longest: The most tokens that the source may have; None for any number.

    Raises:
        BadInput: No source is given; or it is empty, too long, or all padding.
    """
    remedy = "Give the text or the image that it shall read"
    if "source" not in given:
        what = "this model writes what follows from a source, and none is given"
        raise BadInput(what, field="source", remedy=remedy)
    source, mask = given["source"], given.get("source_mask")
    tokens = source.shape[1]
    if tokens == 0:
        raise BadInput("is empty", field="source", allowed="at least one token", remedy=remedy)
    if longest is not None and source.ndim == 2 and tokens > longest:
        raise BadInput(
            "is longer than the positions that this model has for it",
            field="source",
            value=f"{tokens} tokens",
            allowed=f"at most {longest}",
            remedy="Shorten it, or train with a longer context",
        )
    if mask is not None and mask.device.type == "cpu" and not bool(mask.any(dim=1).all()):
        what = "a row of the source is nothing but padding"
        raise BadInput(what, field="source_mask", allowed="at least one token in each row", remedy=remedy)
    return source, mask
