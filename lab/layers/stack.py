"""The residual stack most architectures are: embedding, blocks of a token and a channel mixer, norm, head."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias

import torch.nn.functional as F
from torch import Tensor, nn

from lab.api import ChannelStackConfig, MixerStackConfig, NotCausal, Slot, State, Task, load, within
from lab.layers.attention import Attention
from lab.layers.feed_forward import FeedForward
from lab.layers.mixers import TokenMixer
from lab.layers.model import LanguageModel
from lab.layers.norms import RMSNorm
from lab.layers.positions import sinusoids
from lab.layers.reports import Reports

Make: TypeAlias = Callable[[Slot], nn.Module]

ROTARY_BASE = 10_000.0
"""Of the attention that stands between channel mixers (Su et al. 2021, section 3.2.2)."""


class Block(Reports, nn.Module):
    """x + token(norm(x)), then x + channel(norm(x)). Either mixer may be None.

    Args:
        slot: Where it sits; handed to the mixers' factories.
        config: The stack's config, whose live `dropout` falls on each branch.
        token: Makes the token mixer.
        channel: Makes the channel mixer; a TokenMixer may stand here too.
        norm: Makes each normalisation.
        parallel: x + token(norm(x)) + channel(norm(x)) instead, with one norm (Wang & Komatsuzaki 2021).
    """

    def __init__(
        self, slot: Slot, config: Any, token: Make | None, channel: Make | None, norm: Make, *, parallel: bool
    ):
        super().__init__()
        if token is None and channel is None:
            raise ValueError(f"block {slot.layer} has neither a token mixer nor a channel mixer")
        self.config = config
        self.parallel = parallel and token is not None and channel is not None
        self.token_norm = None if token is None else norm(slot)
        self.token = None if token is None else token(slot)
        self.channel_norm = None if channel is None or self.parallel else norm(slot)
        self.channel = None if channel is None else channel(slot)

    def forward(self, x: Tensor) -> Tensor:
        """(B, T, C) -> (B, T, C)."""
        return self._through(x, None)[0]

    def start(self, batch: int) -> State:
        """The states of token and channel mixer before the first token."""
        return tuple(
            mixer.start(batch) if isinstance(mixer, TokenMixer) else None for mixer in (self.token, self.channel)
        )

    def extend(self, x: Tensor, state: State) -> tuple[Tensor, State]:
        """(B, T, C) more -> (B, T, C) and the new states."""
        return self._through(x, state)

    def _through(self, x: Tensor, state: State) -> tuple[Tensor, State]:
        after: list[State] = [None, None]
        if self.parallel:
            inner = self.token_norm(x)  # type: ignore[misc]
            mixed, after[0] = self._mix(self.token, inner, state, 0)
            fed, after[1] = self._mix(self.channel, inner, state, 1)
            x = x + self._drop(mixed + fed)
        else:
            for i, (norm, mixer) in enumerate(((self.token_norm, self.token), (self.channel_norm, self.channel))):
                if norm is not None:
                    y, after[i] = self._mix(mixer, norm(x), state, i)
                    x = x + self._drop(y)
        self.report("residual", x, axes=("batch", "token", "channel"))
        return x, tuple(after)

    def _mix(self, mixer: Any, x: Tensor, state: State, place: int) -> tuple[Tensor, State]:
        after: State = None
        if state is None or not isinstance(mixer, TokenMixer):
            if self._capture is not None and hasattr(mixer, "mixing_map"):
                mixer.report("mixing", lambda: mixer.mixing_map(x), axes=("batch", "head", "query", "key"))
            y = mixer(x)
        elif x.shape[1] == 1:
            y, after = mixer.step(x[:, 0], state[place])
            y = y[:, None]
        else:
            y, after = mixer.extend(x, state[place])
        if y.shape != x.shape:
            raise ValueError(
                f"{type(mixer).__name__} gave {tuple(y.shape)} for {tuple(x.shape)}: a mixer keeps (B, T, C)"
            )
        return y, after

    def _drop(self, x: Tensor) -> Tensor:
        share = self.config.dropout
        return F.dropout(x, share, self.training) if share else x


class ResidualStack(LanguageModel):
    """Embedding, `config.layers` blocks of `config.width` channels, norm, head.

    It initialises only what it makes itself: embedding, positions and head, normal(0, 0.02). Mixers initialise theirs.

    Args:
        config: A StackConfig; live fields are read from it at use.
        task: What the model is built for.
        token_mixer: A factory for every block, or one (or None) per block.
        channel_mixer: The same for the channel mixers; None for none at all.
        norm: Makes each normalisation.
        positions: What is added to the embedding. Mixers keep positions of their own (rotary) in their own state.
        tie: Whether the head is the embedding's matrix.
        parallel: Whether both mixers of a block read the same norm.
    """

    def __init__(
        self,
        config: Any,
        task: Task,
        *,
        token_mixer: Make | Sequence[Make | None],
        channel_mixer: Make | Sequence[Make | None] | None = FeedForward,
        norm: Make = RMSNorm,
        positions: Literal["none", "learned", "sinusoidal"] = "none",
        tie: bool = True,
        parallel: bool = False,
    ) -> None:
        super().__init__(config, task)
        first = Slot(config.width, 0, config.layers, task.context_length, task.causal, config)
        slots = [dataclasses.replace(first, layer=layer) for layer in range(config.layers)]
        tokens, channels = _per_layer(token_mixer, slots), _per_layer(channel_mixer, slots)
        self.positions = positions
        if task.input_shape is None:
            self.embedding = nn.Embedding(task.vocabulary_size, config.width)
            nn.init.normal_(self.embedding.weight, std=0.02)
        if positions == "learned":
            self.position = nn.Embedding(task.context_length, config.width)
            nn.init.normal_(self.position.weight, std=0.02)
        self.blocks = nn.ModuleList(
            Block(slot, config, token, channel, norm, parallel=parallel)
            for slot, token, channel in zip(slots, tokens, channels, strict=True)
        )
        self.norm = norm(first)
        self.output = nn.Linear(config.width, task.classes or task.vocabulary_size, bias=False)
        nn.init.normal_(self.output.weight, std=0.02)
        if tie and task.input_shape is None and task.classes is None:
            self.output.weight = self.embedding.weight
        reaches = [mixer.reach for mixer in self.modules() if isinstance(mixer, TokenMixer) and mixer.reach is not None]
        self.reach = min([*reaches, *([task.context_length] if positions == "learned" else [])], default=None)

    def embed(self, inputs: Tensor, position: int = 0) -> Tensor:
        """Inputs (B, T) at `position` and on -> (B, T, C). Override for inputs that are not tokens.

        Raises:
            ValueError: The inputs go on beyond the learned positions.
        """
        x: Tensor = self.embedding(inputs)
        T = inputs.shape[1]
        if self.positions == "learned":
            if position + T > self.position.num_embeddings:
                raise ValueError(
                    f"{position + T} tokens go beyond the {self.position.num_embeddings} learned positions: "
                    "start anew from the last tokens (model.reach says how many fit)"
                )
            x = x + self.position.weight[position : position + T]
        elif self.positions == "sinusoidal":
            x = x * math.sqrt(x.shape[-1]) + sinusoids(position, T, x.shape[-1], x.device).to(x.dtype)
        return x

    def head(self, x: Tensor) -> Tensor:
        """From the residual stream (B, T, C) to logits (B, T, V). The logit lens reads a "residual" through it."""
        return self.output(self.norm(x))  # type: ignore[no-any-return]

    def forward(self, tokens: Tensor, **given: Tensor) -> Tensor:
        """(B, T) -> logits (B, T, V)."""
        del given
        x = self._embedded(tokens, 0)
        for block in self.blocks:
            x = block(x)
        return self.head(x)

    def start(self, batch: int, **given: Tensor) -> State:
        """The position and the states of all blocks before the first token."""
        del given
        if not self.causal:
            raise NotCausal(f"{type(self).__name__} reads both directions and cannot decode token by token")
        return {"position": 0, "blocks": tuple(block.start(batch) for block in self.blocks)}  # type: ignore[operator]

    def extend(self, tokens: Tensor, state: State, last: int | None = None) -> tuple[Tensor, State]:
        """(B, T) more -> logits (B, T or last, V) and the new state."""
        x = self._embedded(tokens, state["position"])
        after = []
        for block, before in zip(self.blocks, state["blocks"], strict=True):
            x, behind = block.extend(x, before)  # type: ignore[operator]
            after.append(behind)
        x = x if last is None else x[:, -last:]
        return self.head(x), {"position": state["position"] + tokens.shape[1], "blocks": tuple(after)}

    def _embedded(self, tokens: Tensor, position: int) -> Tensor:
        x = self.embed(tokens, position)
        self.report("embedding", x, axes=("batch", "token", "channel"))
        share = self.config.dropout
        return F.dropout(x, share, self.training) if share else x


def stack_of_mixer(config: MixerStackConfig, task: Task) -> ResidualStack:
    """The architecture derived from a registered mixer: a stack of it; its config is nested under its name.

    Raises:
        BadInput: The mixer refuses a setting; the problem has the path to it.
    """
    mixer = type(config).mixer
    own, build = getattr(config, mixer.key), load(mixer.build)

    def make(slot: Slot) -> nn.Module:
        with within(mixer.key):
            mixed: nn.Module = build(dataclasses.replace(slot, config=own))
        return mixed

    if not isinstance(config, ChannelStackConfig):
        return ResidualStack(config, task, token_mixer=make)
    return ResidualStack(
        config,
        task,
        token_mixer=lambda slot: Attention(slot, heads=config.heads, rotary_base=ROTARY_BASE),
        channel_mixer=make,
    )


def _per_layer(make: Make | Sequence[Make | None] | None, slots: list[Slot]) -> list[Make | None]:
    if make is None or callable(make):
        return [make] * len(slots)
    if len(make) != len(slots):
        raise ValueError(f"{len(make)} mixers were given for {len(slots)} layers")
    return list(make)
