"""The encoder: a stack that reads both ways, with BERT's embedding and heads."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

import torch.nn.functional as F
from torch import Tensor, nn

from lab.api import GATED_ACTIVATIONS, Slot, Task
from lab.layers import (
    ACTIVATIONS,
    Alibi,
    Attention,
    BothWays,
    FeedForward,
    Initialisation,
    LayerNorm,
    Make,
    RelativeBias,
    ResidualStack,
    RMSNorm,
    Rotary,
    maker,
)
from lab_encoder.settings import ATTENTION, FEED_FORWARD

if TYPE_CHECKING:
    from lab.api import PatternBlock
    from lab.layers.documents import Documents
    from lab_encoder.settings import EncoderConfig

BERT = Initialisation("small", residual_scaling=False)
"""BERT's initial weights, in proportion to the width: normal with variance 2 / (5 C), which is 0.023² at 768 channels.

With its own 0.02² a narrow encoder with post-norm reads all tokens alike for more than a thousand steps.
"""


class Encoder(ResidualStack):
    """Embedding, blocks that read both ways, and a head for hidden tokens, classes, numbers or replaced tokens.

    - Embedding: tokens, positions and segments are added, normalised, and projected if the embedding is narrower (Lan
      et al. 2020, section 3.1).
    - Hidden tokens: U norm(f(W x)) + b, where U is the embedding itself if both are tied (Devlin et al. 2018).
    - Two pieces of text: `follows`, by a layer over the first position (Devlin et al. 2018, section 3.1).
    - Classes and numbers: an output over a layer, f(W x), if `pooler` names one and the text has one class, pooled
      as `pool` says.
    - Replaced tokens: w · f(W x) (Clark et al. 2020, eq. 1).

    Args:
        config: The settings.
        task: The task that the model is built for; it is not causal.
    """

    further = ("segments",)
    head_parts = ("transform", "head_norm", "output", "pooler", "next_sentence")

    def __init__(self, config: EncoderConfig, task: Task) -> None:
        inner, width = config.embedding_channels, config.width
        bias = RelativeBias(config.heads, causal=False) if config.positions == "t5" else None
        blocks = config.blocks()
        super().__init__(
            config,
            task,
            token_mixer=[_token_mixer(config, block, bias) for block in blocks],
            channel_mixer=[_channel_mixer(config, block) for block in blocks],
            norm=partial(_norm, config=config),
            positions=config.positions if config.positions in ("learned", "sinusoidal") else "none",
            tie=False,
            norm_place=config.norm_place,
            pool=config.pool,
            initialisation=BERT,
        )
        self.causal = False
        if bias is not None:
            self.relative = bias
        if config.shared_groups:
            size = config.layers // config.shared_groups
            for layer, block in enumerate(self.blocks):
                if layer % size:
                    share_weights(block, self.blocks[layer - layer % size])
        self.embedding = _table(task.vocabulary_size, inner)
        if self.positions == "learned":
            self.position = _table(task.context_length, inner)
        self.segment = _table(config.segments, inner) if config.segments else None
        self.embedding_norm = _norm(Slot(inner, 0, 1, 1, False, config), config) if config.embedding_norm else None
        self.widen = nn.Linear(inner, width, bias=config.bias) if inner != width else None
        if self.widen is not None:
            BERT.linear(self.widen, inner)
        self._make_heads(config, task, inner)

    def _make_heads(self, config: EncoderConfig, task: Task, inner: int) -> None:
        """Make the heads that the task needs, and no others, which nothing would train."""
        width, outputs = config.width, task.classes or task.outputs
        self.transform: nn.Linear | None = None
        self.head_norm: nn.Module | None = None
        self.pooler: nn.Linear | None = None
        self.next_sentence: nn.Linear | None = None
        self.head_function = ACTIVATIONS[GATED_ACTIVATIONS.get(config.feed_forward, config.feed_forward)]
        if task.replaced:
            self.transform, self.output = _linear(width, width), _linear(width, 1)
            return
        if outputs is not None:
            self.output = _linear(width, outputs)
            if config.pooler != "none" and not task.by_token:
                self.pooler = _linear(width, width)
            return
        if config.head_transform:
            self.transform = _linear(width, inner)
            self.head_norm = _norm(Slot(inner, 0, 1, 1, False, config), config)
        self.output = _linear(inner if config.head_transform else width, task.vocabulary_size)
        if config.tie:
            self.output.weight = self.embedding.weight
        if task.next_sentence:
            self.pooler, self.next_sentence = _linear(width, width), _linear(width, 2)

    def _embedded(self, tokens: Tensor, position: int, documents: Documents | None = None, **further: Tensor) -> Tensor:
        x = self.embed(tokens, position) if documents is None else self._embed_documents(tokens, documents)
        if self.segment is not None:
            segments = further.get("segments")
            last = self.segment.num_embeddings - 1  # RoBERTa has one for both pieces
            x = x + (self.segment.weight[0] if segments is None else self.segment(segments.clamp(max=last)))
        if self.embedding_norm is not None:
            x = self.embedding_norm(x)
        share = self.config.dropout
        x = F.dropout(x, share, self.training) if share else x
        x = x if self.widen is None else self.widen(x)
        self.report("embedding", x, axes=("batch", "token", "channel"))
        return x

    def head(self, x: Tensor) -> Tensor:
        """Return logits (…, V) of the residual stream (…, C); of classes or numbers (…, N), of replaced tokens (…)."""
        x = self.norm(x)
        if self.transform is not None:
            x = self.head_function(self.transform(x))
        if self.head_norm is not None:
            x = self.head_norm(x)
        if self.pooler is not None and self.next_sentence is None:
            x = ACTIVATIONS[self.config.pooler](self.pooler(x))
            share = self.config.dropout
            x = F.dropout(x, share, self.training) if share else x
        logits: Tensor = self.output(x)
        return logits.squeeze(-1) if self.task.replaced else logits

    def follows(self, x: Tensor) -> Tensor:
        """Return logits (B, 2) of whether the second piece of text follows the first: no, and yes.

        Args:
            x: The residual stream after the last block, (B, T, C).

        Raises:
            ValueError: The model was not built for a task of two pieces.
        """
        if self.pooler is None or self.next_sentence is None:
            raise ValueError("this model was not built to say whether a sentence follows another: task.next_sentence")
        pooled: Tensor = self.pooler(self.norm(x[:, 0])).tanh()
        share = self.config.dropout
        pooled = F.dropout(pooled, share, self.training) if share else pooled
        return self.next_sentence(pooled)  # type: ignore[no-any-return]


def build(config: EncoderConfig, task: Task) -> Encoder:
    """Return the encoder of a config, with new weights."""
    return Encoder(config, task)


def no_mixer(slot: Slot) -> NoReturn:
    """Refuse to make a mixer of the encoder alone.

    Raises:
        TypeError: Always.
    """
    raise TypeError(f"block {slot.layer}: these mixers are made by the encoder from its own settings")


def share_weights(module: nn.Module, other: nn.Module) -> None:
    """Replace the parameters of a module by those of another of the same form."""
    for name, tensor in other.named_parameters(remove_duplicate=False):
        path, _, last = name.rpartition(".")
        setattr(module.get_submodule(path), last, tensor)


def _token_mixer(config: EncoderConfig, block: PatternBlock, bias: RelativeBias | None) -> Make | None:
    if ATTENTION in block.mixers:
        rotary = Rotary(base=config.rotary_base) if config.positions == "rotary" else None
        return partial(
            Attention,
            heads=config.heads,
            head_width=config.head_width,
            kv_heads=config.kv_heads,
            rotary=rotary,
            position_bias=Alibi(config.heads) if config.positions == "alibi" else bias,
            window=config.window,
            qk_norm=config.norm_epsilon if config.qk_norm else None,
            bias=config.bias,
            initialisation=BERT,
        )
    mixer = _registered(config, block, "token")
    if mixer is None:
        return None
    make = maker(mixer, config)
    return make if "masked" in mixer.tasks else partial(BothWays, make=make)


def _channel_mixer(config: EncoderConfig, block: PatternBlock) -> Make | None:
    if FEED_FORWARD in block.mixers:
        return partial(
            FeedForward,
            hidden=config.hidden,
            activation=config.feed_forward,
            bias=config.bias,
            initialisation=BERT,
        )
    mixer = _registered(config, block, "channel")
    return None if mixer is None else maker(mixer, config)


def _registered(config: EncoderConfig, block: PatternBlock, kind: str) -> Any:
    mixers = (config.mixers[name] for name in block.mixers if name not in (ATTENTION, FEED_FORWARD))
    return next((mixer for mixer in mixers if mixer.kind == kind), None)


def _norm(slot: Slot, config: EncoderConfig) -> nn.Module:
    if config.norm == "layer":
        return LayerNorm(slot, bias=config.bias, eps=config.norm_epsilon)
    return RMSNorm(slot, eps=config.norm_epsilon)


def _table(rows: int, width: int) -> nn.Embedding:
    table = nn.Embedding(rows, width)
    BERT.table(table.weight)
    return table


def _linear(inputs: int, outputs: int) -> nn.Linear:
    linear = nn.Linear(inputs, outputs)
    BERT.linear(linear, inputs)
    return linear
