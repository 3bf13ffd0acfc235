"""The residual stack of most architectures: embedding, blocks of a token and a channel mixer, norm, head."""

from __future__ import annotations

import contextlib
import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from lab.api import ChannelStackConfig, MixerStackConfig, NotCausal, Slot, State, Task, field_prefix, load
from lab.api.interventions import (
    BLOCK_INPUT,
    BLOCK_OUTPUT,
    CHANNEL_BYPASS,
    CHANNEL_MIXER,
    PARALLEL_BYPASS,
    TOKEN_BYPASS,
    TOKEN_MIXER,
)
from lab.base.problems import wrong_result
from lab.layers.attention.attention import Attention
from lab.layers.attention.positions import Rotary, sinusoids
from lab.layers.documents import Documents
from lab.layers.feed_forward import FeedForward
from lab.layers.initial import GPT_2, Initialisation
from lab.layers.inputs import Features, Patches
from lab.layers.mixers import ChannelMixer, TokenMixer
from lab.layers.model import LanguageModel, unreduced_cross_entropy
from lab.layers.norms import NoNorm, RMSNorm
from lab.layers.reports import Reports

Make: TypeAlias = Callable[[Slot], nn.Module]
Parallel: TypeAlias = Literal["no", "one-norm", "two-norms"]
NormPlace: TypeAlias = Literal["pre", "post"]
Pool: TypeAlias = Literal["first", "mean", "last"]
STREAM = ("batch", "token", "channel")
"""Axes of the residual stream."""


class Block(Reports, nn.Module):
    """A block: x + token(norm(x)), then x + channel(norm(x)). Either mixer may be None.

    With `norm_place` "post": norm(x + token(x)), then norm(x + channel(x)) (Vaswani et al. 2017, section 3.1).

    Args:
        slot: Its position in the stack; passed to the mixers' factories.
        config: The stack's config, whose live `dropout` and `layer_dropout` apply to each branch.
        token: Makes the token mixer.
        channel: Makes the channel mixer, which may be a TokenMixer.
        norm: Makes each normalisation.
        parallel: Whether to compute x + token(norm(x)) + channel(norm(x)) instead, both after one norm (Wang &
            Komatsuzaki 2021) or each after its own (Black et al. 2022).
        norm_place: "pre" normalises before each branch, "post" after it is added; "two-norms" allows only "pre".
    """

    def __init__(
        self,
        slot: Slot,
        config: Any,
        token: Make | None,
        channel: Make | None,
        norm: Make,
        *,
        parallel: Parallel,
        norm_place: NormPlace,
    ):
        super().__init__()
        if token is None and channel is None:
            raise ValueError(f"block {slot.layer} has neither a token mixer nor a channel mixer")
        if parallel == "two-norms" and norm_place == "post":
            raise ValueError("two norms need norm_place = pre: after the sum of two branches there is one norm")
        self.config, self.depth = config, (slot.layer + 1) / slot.layers
        self.parallel = parallel != "no" and token is not None and channel is not None
        self.post = norm_place == "post"
        self.token_norm = None if token is None else norm(slot)
        self.token = None if token is None else token(slot)
        shared = self.parallel and parallel == "one-norm"
        self.channel_norm = None if channel is None or shared else norm(slot)
        self.channel = None if channel is None else channel(slot)

    def forward(self, x: Tensor, mask: Tensor | Documents | None = None) -> Tensor:
        """Apply the block, (B, T, C) -> (B, T, C); mixers that read a mask leave out what is False in it, (B, T)."""
        return self.through(x, None, mask=mask)[0]

    def start(self, batch: int) -> State:
        """Return the states of token and channel mixer before the first token."""
        return tuple(
            mixer.start(batch) if isinstance(mixer, TokenMixer) else None for mixer in (self.token, self.channel)
        )

    def extend(self, x: Tensor, state: State) -> tuple[Tensor, State]:
        """Read (B, T, C) more; return (B, T, C) and the new states."""
        return self.through(x, state)

    def through(
        self, x: Tensor, state: State, extra: Tensor | None = None, mask: Tensor | Documents | None = None
    ) -> tuple[Tensor, State]:
        """Apply the block, for `forward` and `extend`.

        Args:
            x: (B, T, C).
            state: The state before these tokens; None reads them as a full sequence.
            extra: (B, T, C) that the first branch reads in addition to x, and that is not part of the residual stream.
            mask: (B, T) bool, False behind the end of a row of a full sequence; or the documents of the rows, which
                are read separately; None for neither.

        Returns:
            (B, T, C) and the new states.
        """
        after: list[State] = [None, None]
        x = self.hook_point(BLOCK_INPUT, x, STREAM)
        if self.parallel:
            inner = x if self.post else self.token_norm(x)  # type: ignore[misc]
            mixed, after[0] = mix(self.token, inner, state, 0, mask)
            fed, after[1] = mix(self.channel, self.channel_norm(x) if self.channel_norm else inner, state, 1, mask)
            mixed, fed = self.hook_point(TOKEN_MIXER, mixed, STREAM), self.hook_point(CHANNEL_MIXER, fed, STREAM)
            x = self.hook_point(PARALLEL_BYPASS, x, STREAM) + self._drop(mixed + fed)
            x = self.token_norm(x) if self.post else x  # type: ignore[misc]
        else:
            for i, (norm, mixer) in enumerate(((self.token_norm, self.token), (self.channel_norm, self.channel))):
                if norm is not None:
                    read = x if extra is None else x + extra
                    extra = None
                    y, after[i] = mix(mixer, read if self.post else norm(read), state, i, mask)
                    y = self.hook_point(CHANNEL_MIXER if i else TOKEN_MIXER, y, STREAM)
                    x = self.hook_point(CHANNEL_BYPASS if i else TOKEN_BYPASS, x, STREAM) + self._drop(y)
                    x = norm(x) if self.post else x
        x = self.hook_point(BLOCK_OUTPUT, x, STREAM)
        self.report("residual", x, axes=STREAM)
        return x, tuple(after)

    def _drop(self, x: Tensor) -> Tensor:
        share = self.config.dropout
        x = F.dropout(x, share, self.training) if share else x
        left_out = self.config.layer_dropout * self.depth if self.training else 0.0
        return x * _survivors(x, left_out) if left_out else x


def _survivors(x: Tensor, left_out: float) -> Tensor:
    """Return 0 for a share of the rows of x (B, T, C), 1 / (1 − share) for the others: (B, 1, 1)."""
    keeps = torch.rand(x.shape[0], 1, 1, device=x.device) >= left_out
    return keeps.to(x.dtype) / (1 - left_out)


def mix(
    mixer: Any, x: Tensor, state: State, index: int, mask: Tensor | Documents | None = None
) -> tuple[Tensor, State]:
    """Apply a mixer of a block, and report its mixing map if it is captured.

    Args:
        mixer: A TokenMixer or ChannelMixer.
        x: (B, T, C).
        state: The states of the block's two mixers; None reads a full sequence.
        index: Index of this mixer's state.
        mask: (B, T) bool, False at the padding of a full sequence, for a mixer that reads it; or the documents of the
            rows, which every token mixer reads separately.

    Returns:
        (B, T, C) and the mixer's new state.

    Raises:
        ValueError: The mixer changed the shape.
    """
    after: State = None
    if isinstance(mask, Documents):
        if isinstance(mixer, TokenMixer) and not mixer.reads_documents:
            return mask.separately(mixer, x), after
        mask = mask.mask
    if state is None or not isinstance(mixer, TokenMixer):
        given = {"mask": mask} if mask is not None and getattr(mixer, "reads_mask", False) else {}
        if hasattr(mixer, "mixing_map") and mixer._capture is not None:
            axes, named = ("batch", "head", "query", "key"), getattr(mixer, "mixing_heads", ())
            mixer.report(
                "mixing", lambda: mixer.mixing_map(x, **given), axes, coordinates={"head": named} if named else None
            )
        y = mixer(x, **given)
    elif x.shape[1] == 1 and mixer.writes("step"):
        y, after = mixer.step(x[:, 0], state[index])
        y = y[:, None]
    else:
        y, after = mixer.extend(x, state[index])
    if not isinstance(y, Tensor) or y.shape != x.shape:
        found = tuple(y.shape) if isinstance(y, Tensor) else f"a {type(y).__name__}"
        what = f"{type(mixer).__name__} returned {found} for {tuple(x.shape)}, not the same shape"
        raise wrong_result(mixer, what)
    return y, after


class ResidualStack(LanguageModel):
    """Embedding, `config.layers` blocks of `config.width` channels, norm, head.

    It initialises only its own modules: embedding, positions and head. Mixers initialise theirs.

    Args:
        config: A StackConfig; live fields are read from it at use.
        task: The task the model is built for.
        token_mixer: A factory for all blocks, or one (or None) per block.
        channel_mixer: Likewise for the channel mixers; None for no channel mixers.
        layers: Number of blocks; None means the config's.
        norm: Makes each normalisation.
        positions: The positions added to the embedding of tokens. Mixers store those of their own (rotary) in their
            state.
        tie: Whether the head is the embedding's matrix.
        parallel: Whether the mixers of a block are parallel, and with how many norms.
        norm_place: Before each branch; or after it is added, without a norm at the end of the stack.
        output_cap: c of c · tanh(logits / c); 0 means none (Gemma Team 2024, section 2).
        pool: The output of an entire input, for classes and numbers: of its first position (Devlin et al. 2018), the
            mean of all, or of the last one; padding is left out.
        patch: Side in pixels of the squares into which images are cut; 0 means at most 64 squares.
        initialisation: The initial weights of embedding, positions and head.
        embedding_norm: Makes a normalisation of what the first block reads, before dropout; None for none.
        block: Makes each block, with the arguments of Block.

    Attributes:
        recompute: Whether the backward pass of a training computes each block again from its input, to save memory.
        loss_chunk: Tokens whose logits `score` computes at once in training, and again in the backward pass; 0 means
            all.
        further: Names of inputs of `forward` besides the tokens that a subclass's `_embedded` reads.
    """

    further: tuple[str, ...] = ()

    def __init__(
        self,
        config: Any,
        task: Task,
        *,
        token_mixer: Make | Sequence[Make | None],
        channel_mixer: Make | Sequence[Make | None] | None = FeedForward,
        layers: int | None = None,
        norm: Make = RMSNorm,
        positions: Literal["none", "learned", "sinusoidal"] = "none",
        tie: bool = True,
        parallel: Parallel = "no",
        norm_place: NormPlace = "pre",
        output_cap: float = 0.0,
        pool: Pool = "mean",
        patch: int = 0,
        initialisation: Initialisation = GPT_2,
        embedding_norm: Make | None = None,
        block: Callable[..., nn.Module] = Block,
    ) -> None:
        super().__init__(config, task)
        self.recompute, self.loss_chunk = False, 0
        layers = config.layers if layers is None else layers
        first = Slot(config.width, 0, layers, task.context_length, task.causal, config)
        slots = [dataclasses.replace(first, layer=layer) for layer in range(layers)]
        tokens, channels = _per_layer(token_mixer, slots), _per_layer(channel_mixer, slots)
        self.positions, self.output_cap, self.pool = positions, output_cap, pool
        self.scale = math.sqrt(config.width) if positions == "sinusoidal" else 1.0  # Vaswani et al. 2017, section 3.4
        self.inputs: Features | Patches | None = None
        if task.input_shape is None:
            self.embedding = nn.Embedding(task.vocabulary_size, config.width)
            initialisation.table(self.embedding.weight)
        elif type(self).embed is ResidualStack.embed:
            self.inputs = _embedding_of(task.input_shape, config.width, patch, initialisation)
        if positions == "learned" and task.input_shape is None:
            self.position = nn.Embedding(task.context_length, config.width)
            initialisation.table(self.position.weight)
        self.embedding_norm = None if embedding_norm is None else embedding_norm(first)
        self.blocks = nn.ModuleList(
            block(slot, config, token, channel, norm, parallel=parallel, norm_place=norm_place)
            for slot, token, channel in zip(slots, tokens, channels, strict=True)
        )
        self.norm = norm(first) if norm_place == "pre" else NoNorm(first)
        outputs = task.classes or task.outputs
        self.output = nn.Linear(config.width, outputs or task.vocabulary_size, bias=task.outputs is not None)
        initialisation.head(self.output.weight)
        if self.output.bias is not None:
            nn.init.zeros_(self.output.bias)
        if tie and task.input_shape is None and outputs is None:
            self.output.weight = self.embedding.weight
        if not all(mixer.causal for mixer in self.modules() if isinstance(mixer, ChannelMixer)):
            self.causal = False
        reaches = [mixer.reach for mixer in self.modules() if isinstance(mixer, TokenMixer) and mixer.reach is not None]
        self.reach = min([*reaches, *([task.context_length] if positions == "learned" else [])], default=None)

    @property
    def reads_documents(self) -> bool:  # type: ignore[override]
        """True if `forward` takes `documents`; False if a subclass replaces the embedding or the pass."""
        own, stack = type(self), ResidualStack
        return own.embed is stack.embed and own.forward is stack.forward and own.residual is stack.residual

    def embed(self, inputs: Tensor, position: int = 0) -> Tensor:
        """Embed tokens (B, T) from `position` on, vectors (B, F) or images (B, H, W, channels): (B, T, C).

        Vectors and images have one learned position for each feature or patch. Override it for other inputs.

        Raises:
            ValueError: The inputs extend beyond the learned positions.
        """
        if self.inputs is not None:
            return self.inputs(inputs)  # type: ignore[no-any-return]
        x = self._symbols(inputs)
        T = inputs.shape[1]
        if self.positions == "learned":
            if position + T > self.position.num_embeddings:
                raise ValueError(
                    f"{position + T} tokens go beyond the {self.position.num_embeddings} learned positions: "
                    "start again from the last tokens (model.reach is how many fit)"
                )
            x = x + self.position.weight[position : position + T]
        elif self.positions == "sinusoidal":
            x = x + sinusoids(position, T, x.shape[-1], x.device).to(x.dtype)
        return x

    def _symbols(self, tokens: Tensor) -> Tensor:
        """Return the vectors of symbols without positions, (B, T) -> (B, T, C)."""
        x: Tensor = self.embedding(tokens)
        return x * self.scale if self.scale != 1 else x

    def _embed_documents(self, tokens: Tensor, documents: Documents) -> Tensor:
        """Embed tokens (B, T) whose positions start again with each document: (B, T, C)."""
        x = self._symbols(tokens)
        if self.positions == "learned":
            return x + self.position(documents.positions)  # type: ignore[no-any-return]
        if self.positions == "sinusoidal":
            return x + sinusoids(0, x.shape[1], x.shape[2], x.device).to(x.dtype)[documents.positions]
        return x

    def head(self, x: Tensor) -> Tensor:
        """Return logits (B, T, V) of the residual stream (B, T, C). The logit lens reads a "residual" through it."""
        logits: Tensor = self.output(self.norm(x))
        return self.output_cap * torch.tanh(logits / self.output_cap) if self.output_cap else logits

    def forward(self, tokens: Tensor, **given: Tensor) -> Tensor:
        """Return logits (B, T, V) of tokens (B, T); for classes and numbers of an entire input (B, outputs).

        Args:
            tokens: (B, T), or inputs of the task's shape.
            **given: "mask" (B, T) bool, False behind the end of a row; without it all positions are read. "documents"
                (B, T), the number of each token's document within its row; without it a row is one document.
        """
        mask, documents = given.get("mask"), given.get("documents")
        read = mask if documents is None else self._separated(documents)
        logits = self.head(self.residual(tokens, read, **self._further(given)))
        pools = (self.task.classes is not None and not self.task.by_token) or self.task.outputs is not None
        return pooled(logits, mask, self.pool) if pools else logits

    def _separated(self, documents: Tensor) -> Documents:
        return Documents(documents, causal=self.task.causal)

    def _further(self, given: Mapping[str, Tensor]) -> dict[str, Tensor]:
        return {name: given[name] for name in self.further if name in given}

    def residual(self, tokens: Tensor, mask: Tensor | Documents | None = None, **further: Tensor) -> Tensor:
        """Return the residual stream after the last block, (B, T, C)."""
        x = self._embedded(tokens, 0, mask if isinstance(mask, Documents) else None, **further)
        again = self.recompute and self.training and torch.is_grad_enabled()
        for block in self.blocks:
            given = (x,) if mask is None else (x, mask)
            x = recomputed(block, self, *given) if again else block(*given)
        return x

    def score(self, tokens: Tensor, targets: Tensor, **given: Tensor) -> Tensor:
        """Return the log-probability of each target (B, T), in training in chunks if `loss_chunk` is set.

        The logits of a chunk are computed again in the backward pass, so that no more than these are ever stored.
        """
        if not (self.loss_chunk and self.training and torch.is_grad_enabled()):
            return super().score(tokens, targets, **given)
        documents = given.get("documents")
        read = given.get("mask") if documents is None else self._separated(documents)
        x = self.residual(tokens, read, **self._further(given))

        def scores(part: Tensor, wanted: Tensor) -> Tensor:
            return -unreduced_cross_entropy(self.head(part), wanted)

        rows = torch.split(x.flatten(0, 1), self.loss_chunk), torch.split(targets.flatten(), self.loss_chunk)
        parts = zip(*rows, strict=True)
        return torch.cat([recomputed(scores, self, *part) for part in parts]).view(targets.shape)

    @property
    def can_recompute(self) -> bool:
        """True if `recompute` and `loss_chunk` have an effect: if no subclass replaces the pass, and no part counts."""
        own, stack = type(self), ResidualStack
        own_pass = own.forward is not stack.forward or own.residual is not stack.residual
        return not own_pass and not any(hasattr(type(module), "after_step") for module in self.modules())

    def start(self, batch: int, **given: Tensor) -> State:
        """Return the position and the states of all blocks before the first token."""
        del given
        if not self.causal:
            parts = (part for part in self.modules() if isinstance(part, ChannelMixer) and not part.causal)
            ahead = next((type(part).__name__ for part in parts), None)
            why = f"has {ahead} that choose among all tokens, also later ones," if ahead else "reads both directions"
            raise NotCausal(f"{type(self).__name__} {why} and cannot decode token by token")
        return {"position": 0, "blocks": tuple(block.start(batch) for block in self.blocks)}  # type: ignore[operator]

    def extend(self, tokens: Tensor, state: State, last: int | None = None) -> tuple[Tensor, State]:
        """Read (B, T) more; return logits (B, T or last, V) and the new state."""
        x = self._embedded(tokens, state["position"])
        after = []
        for block, before in zip(self.blocks, state["blocks"], strict=True):
            x, behind = block.extend(x, before)  # type: ignore[operator]
            after.append(behind)
        x = x if last is None else x[:, -last:]
        return self.head(x), {"position": state["position"] + tokens.shape[1], "blocks": tuple(after)}

    def _embedded(self, tokens: Tensor, position: int, documents: Documents | None = None, **further: Tensor) -> Tensor:
        """Return what the first block reads, (B, T, C); a subclass may read the inputs that `further` names."""
        del further
        x = self.embed(tokens, position) if documents is None else self._embed_documents(tokens, documents)
        x = x if self.embedding_norm is None else self.embedding_norm(x)
        self.report("embedding", x, axes=("batch", "token", "channel"))
        share = self.config.dropout
        return F.dropout(x, share, self.training) if share else x


def recomputed(function: Callable[..., Tensor], model: nn.Module, *inputs: Any) -> Tensor:
    """Call a function of which only the inputs are stored: its backward pass calls it again (Chen et al. 2016).

    Draws are the same the second time, and losses that modules add are added once.

    Args:
        function: The function.
        model: The model whose modules may add losses in it.
        *inputs: Its arguments.
    """
    losses: Any = next((module._losses for module in model.modules() if getattr(module, "_losses", None)), None)

    def contexts() -> tuple[Any, Any]:
        return contextlib.nullcontext(), contextlib.nullcontext() if losses is None else losses.muted()

    found: Tensor = checkpoint(function, *inputs, use_reentrant=False, context_fn=contexts)
    return found


def pooled(x: Tensor, mask: Tensor | None, pool: Pool) -> Tensor:
    """Return one output for each row, (B, T, n) -> (B, n).

    Args:
        x: (B, T, n).
        mask: (B, T) bool, False behind the end of a row; None if there is no padding.
        pool: The first position, the mean of all, or the last one.
    """
    if pool == "first":
        return x[:, 0]
    if mask is None:
        return x.mean(dim=1) if pool == "mean" else x[:, -1]
    lengths = mask.sum(dim=1, keepdim=True)  # (B, 1)
    if pool == "mean":
        return (x * mask[..., None]).sum(dim=1) / lengths
    return x.gather(1, (lengths - 1)[..., None].expand(-1, -1, x.shape[-1]))[:, 0]


def stack_of_mixer(config: MixerStackConfig, task: Task) -> ResidualStack:
    """Build the architecture of a registered mixer: a stack of it, with its config nested under its name.

    Raises:
        BadInput: The mixer refuses a setting; the problem names its path.
    """
    make = maker(type(config).mixer, config)
    if not isinstance(config, ChannelStackConfig):
        return ResidualStack(config, task, token_mixer=make)
    return ResidualStack(
        config,
        task,
        token_mixer=lambda slot: Attention(slot, heads=config.heads, rotary=Rotary()),
        channel_mixer=make,
    )


def maker(mixer: Any, config: Any) -> Make:
    """Return the factory of a registered mixer, with the settings under its name in a stack's config."""
    own, build = getattr(config, mixer.key), load(mixer.build)

    def make(slot: Slot) -> nn.Module:
        with field_prefix(mixer.key):
            made: nn.Module = build(dataclasses.replace(slot, config=own))
        return made

    return make


def _embedding_of(shape: tuple[int, ...], width: int, patch: int, initialisation: Initialisation) -> Features | Patches:
    if len(shape) == 1:
        return Features(shape[0], width, initialisation=initialisation)
    if len(shape) == 3:
        return Patches(shape, width, patch=patch, initialisation=initialisation)
    raise ValueError(f"inputs of the shape {shape} are neither vectors nor images: override embed")


def _per_layer(make: Make | Sequence[Make | None] | None, slots: list[Slot]) -> list[Make | None]:
    if make is None or callable(make):
        return [make] * len(slots)
    if len(make) != len(slots):
        raise ValueError(f"{len(make)} mixers were given for {len(slots)} layers")
    return list(make)
