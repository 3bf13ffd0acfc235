"""Recurrent encoder-decoders: of 2014 through one state, of 2015 with attention to all states of the source."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from lab.api import State, Task
from lab.layers import LanguageModel, Reports, check_source, full_precision
from lab_seq2seq.alignment import Alignment

if TYPE_CHECKING:
    from lab_seq2seq.recurrent_card import RecurrentEncoderDecoderConfig

CELLS: dict[str, type[nn.RNNBase]] = {"rnn": nn.RNN, "gru": nn.GRU, "lstm": nn.LSTM}
"""torch's modules by the name of the setting: Elman 1990; Cho et al. 2014 with the reset of cuDNN; Gers et al. 2000."""

LayerState: TypeAlias = tuple[Tensor, ...]
"""The state of one layer: the hidden state (B, H), and of an LSTM the cell state (B, H)."""


class Source(NamedTuple):
    """What a decoder reads of a source.

    Args:
        memory: (B, S, M), the states of the last layer at each token of the source.
        keys: (B, S, H), what queries are compared with.
        mask: (B, S) bool, False at padding; None if there is none.
    """

    memory: Tensor
    keys: Tensor
    mask: Tensor | None


class RecurrentEncoder(Reports, nn.Module):
    """Recurrent layers over a source, forward or both ways. B batch, S tokens, M = units · directions.

    Args:
        config: The settings.
    """

    of_source = True

    def __init__(self, config: RecurrentEncoderDecoderConfig) -> None:
        super().__init__()
        self.config = config
        widths = [config.width, *[config.memory_width] * (config.layers - 1)]
        self.layers = nn.ModuleList(
            new_layer(config, width, config.encoder_units, both_ways=config.bidirectional) for width in widths
        )

    def forward(self, x: Tensor, mask: Tensor | None = None) -> tuple[Tensor, list[list[Tensor]]]:
        """Read a source.

        Args:
            x: (B, S, C), the embedded tokens.
            mask: (B, S) bool, False at padding; None if there is none.

        Returns:
            The states of the last layer (B, S, M), in the order of the source, and for each layer its final states:
            hidden state and cell state, each (B, directions, units).
        """
        if self.config.reverse_source:
            x = turned(x, mask)
        finals = []
        for layer in self.layers:
            x, final = read_padded(layer, dropped(x, self.config.dropout, training=self.training), mask)  # type: ignore[arg-type]
            finals.append(final)
        if self.config.reverse_source:
            x = turned(x, mask)
        self.report("state", x, axes=("batch", "token", "unit"))
        return x, finals


class RecurrentEncoderDecoder(LanguageModel):
    """A recurrent network that reads a source, and another that writes the target from its state.

    The decoder starts from the encoder's final states (Sutskever et al. 2014), or from tanh(W ←h_1) (Bahdanau et al.
    2015, appendix A.2.2). Without attention it reads nothing else of the source, or with `feeding` its final hidden
    state at every token (Cho et al. 2014, eq. 3 of its appendix). With additive attention c_i, the mean of the states
    under the weights of s_{i−1}, is part of the input, and the output is a maxout layer over s_i, y_{i−1} and c_i
    (Bahdanau et al. 2015, eqs. 4 to 6). With Luong's scores the weights are those of the new state h_t, and
    h̃_t = tanh(W_c [c_t; h_t]) is the output, which `feeding` adds to the next input (Luong et al. 2015, eqs. 5 to 8).

    Args:
        config: The settings; dropout is read at each step.
        task: The task that the model is built for.
    """

    def __init__(self, config: RecurrentEncoderDecoderConfig, task: Task) -> None:
        super().__init__(config, task)
        C, M = config.width, config.memory_width
        source_size = task.source_vocabulary_size or task.vocabulary_size
        self.source_embedding = nn.Embedding(source_size, C)
        self.embedding = nn.Embedding(task.vocabulary_size, C)
        self.encoder = RecurrentEncoder(config)
        states = 2 if config.cell == "lstm" else 1
        self.bridges = nn.ModuleList(
            nn.Linear(config.encoder_units, C) for _ in range(config.layers * states if config.bridge else 0)
        )
        self.attention = None if config.attention == "none" else Alignment(config.attention, C, M)
        self.is_early = config.attention == "additive"  # the context is read before the cell
        fed = M if self.is_early or self.attention is None else C
        first = C + (fed if self.is_early or config.feeding else 0)
        self.layers = nn.ModuleList(new_layer(config, first if i == 0 else C, C) for i in range(config.layers))
        self.combine: nn.Linear | None = None
        if self.is_early:
            self.combine = nn.Linear(2 * C + M, 2 * C)
        elif self.attention is not None:
            self.combine = nn.Linear(C + M, C, bias=False)
        self.output = nn.Linear(C, task.vocabulary_size)
        for table in (self.source_embedding.weight, self.embedding.weight):
            nn.init.normal_(table, std=config.embedding_std)
        for linear in (*self.bridges, *([self.combine] if self.combine is not None else []), self.output):
            nn.init.xavier_uniform_(linear.weight)
        if config.tie:
            self.output.weight = self.embedding.weight
            if source_size == task.vocabulary_size:
                self.source_embedding.weight = self.embedding.weight

    def forward(self, tokens: Tensor, target: Tensor | None = None, **given: Tensor) -> Tensor:
        """Return logits (B, T, V) of tokens (B, T) and their source, as EncoderDecoder.forward of lab.layers."""
        if target is not None:
            tokens, given = target, {**given, "source": tokens}
        return self.extend(tokens, self.start(tokens.shape[0], **given))[0]

    def start(self, batch: int, **given: Tensor) -> State:
        """Read the source (B, S), with its mask (B, S); return the states of the decoder before the first token.

        Raises:
            BadInput: No source is given, or one is empty.
        """
        del batch
        source, mask = check_source(given)
        memory, finals = self.encoder(self._dropped(self.source_embedding(source)), mask)
        states = self._first_states(finals)
        self.report("source summary", states[-1][0], axes=("batch", "unit"))
        if self.attention is None:
            summary = finals[-1][0].flatten(1)
            return {"layers": states, "source": None, "fed": summary if self.config.feeding else None}
        fed = torch.zeros_like(states[-1][0]) if self.config.feeding and not self.is_early else None
        return {"layers": states, "source": Source(memory, self.attention.keys(memory), mask), "fed": fed}

    def extend(self, tokens: Tensor, state: State, last: int | None = None) -> tuple[Tensor, State]:
        """Read (B, T) more tokens of the target -> logits (B, T or last, V) and the new states."""
        y = self._dropped(self.embedding(tokens))
        weights: Tensor | None
        if self.attention is not None and (self.is_early or self.config.feeding):
            read, state, weights = self._one_by_one(y, state)
        else:
            read, state, weights = self._together(y, state)
        if weights is not None:
            self.report("cross attention", weights[:, None], axes=("batch", "head", "query", "source"))
        self.report("state", read, axes=("batch", "token", "unit"))
        return self.output(self._dropped(read if last is None else read[:, -last:])), state

    def _together(self, y: Tensor, state: State) -> tuple[Tensor, State, Tensor | None]:
        """Read embedded tokens (B, T, C), none of whose inputs depends on what is read of the source for another."""
        fed = state["fed"]
        x = y if fed is None else torch.cat([y, fed[:, None].expand(-1, y.shape[1], -1)], dim=-1)
        x, layers = self._through(x, state["layers"])
        if self.attention is None or self.combine is None:
            return x, {**state, "layers": layers}, None
        weights = self.attention(x, state["source"].keys, state["source"].mask)
        context = weights @ state["source"].memory
        return torch.tanh(self.combine(torch.cat([context, x], dim=-1))), {**state, "layers": layers}, weights

    def _one_by_one(self, y: Tensor, state: State) -> tuple[Tensor, State, Tensor]:
        """Read embedded tokens (B, T, C), whose inputs depend on what was read of the source before."""
        assert self.attention is not None
        assert self.combine is not None
        source: Source = state["source"]
        layers, fed = state["layers"], state["fed"]
        reads, all_weights = [], []
        for at in torch.split(y, 1, dim=1):  # (B, 1, C)
            if self.is_early:
                weights = self.attention(layers[-1][0][:, None], source.keys, source.mask)
                context = weights @ source.memory
                h, layers = self._through(torch.cat([at, context], dim=-1), layers)
                pairs = self.combine(torch.cat([h, at, context], dim=-1)).unflatten(-1, (-1, 2))
                read = pairs.amax(dim=-1)  # maxout
            else:
                h, layers = self._through(torch.cat([at, fed[:, None]], dim=-1), layers)
                weights = self.attention(h, source.keys, source.mask)
                read = torch.tanh(self.combine(torch.cat([weights @ source.memory, h], dim=-1)))
                fed = read[:, 0]
            reads.append(read)
            all_weights.append(weights)
        return torch.cat(reads, dim=1), {**state, "layers": layers, "fed": fed}, torch.cat(all_weights, dim=1)

    def _through(self, x: Tensor, states: tuple[LayerState, ...]) -> tuple[Tensor, tuple[LayerState, ...]]:
        """Read (B, T, inputs) through all layers of the decoder."""
        after = []
        for i, (layer, state) in enumerate(zip(self.layers, states, strict=True)):
            x, new = read_on(layer, x if i == 0 else self._dropped(x), state)  # type: ignore[arg-type]
            after.append(new)
        return x, tuple(after)

    def _first_states(self, finals: list[list[Tensor]]) -> tuple[LayerState, ...]:
        if not self.bridges:
            return tuple(tuple(final.flatten(1) for final in layer) for layer in finals)
        bridges = iter(self.bridges)  # the last direction reads the first token last
        return tuple(tuple(torch.tanh(next(bridges)(final[:, -1])) for final in layer) for layer in finals)

    def _dropped(self, x: Tensor) -> Tensor:
        return dropped(x, self.config.dropout, training=self.training)


def new_layer(config: RecurrentEncoderDecoderConfig, inputs: int, units: int, *, both_ways: bool = False) -> nn.RNNBase:
    """Return one layer with new weights."""
    layer = CELLS[config.cell](inputs, units, batch_first=True, bidirectional=both_ways)  # type: ignore[call-arg,arg-type]
    blocks = {"rnn": 1, "gru": 3, "lstm": 4}[config.cell]
    for name, parameter in layer.named_parameters():
        for block in parameter.chunk(blocks):
            if name.startswith("weight_hh"):
                nn.init.orthogonal_(block)
            elif name.startswith("weight_ih"):
                nn.init.xavier_uniform_(block)
            else:
                nn.init.zeros_(block)
        if config.cell == "lstm" and name.startswith("bias_ih"):
            nn.init.constant_(parameter.chunk(4)[1], config.forget_bias)
    return layer


def read_on(layer: nn.RNNBase, x: Tensor, state: LayerState) -> tuple[Tensor, LayerState]:
    """Read (B, T, inputs) from a state on -> hidden states (B, T, H) and the state after the last token."""
    before = tuple(part[None].contiguous() for part in state)  # torch has the layer first
    with full_precision(x), differentiable(layer, x):
        y, after = layer(x.to(before[0].dtype), before if len(before) > 1 else before[0])
    after = after if isinstance(after, tuple) else (after,)
    return y, tuple(part[0] for part in after)


def read_padded(layer: nn.RNNBase, x: Tensor, mask: Tensor | None) -> tuple[Tensor, list[Tensor]]:
    """Read (B, S, inputs) from the start, and of each row no padding.

    Args:
        layer: The layer.
        x: (B, S, inputs).
        mask: (B, S) bool, False at padding; None if there is none.

    Returns:
        Hidden states (B, S, M), 0 at padding, and the final states, hidden and cell, each (B, directions, units).
    """
    S, weight = x.shape[1], layer.weight_hh_l0
    with full_precision(x), differentiable(layer, x):
        x = x.to(weight.dtype)  # type: ignore[arg-type]
        if mask is None or mask.is_meta:
            y, final = layer(x)
        else:
            packed = pack_padded_sequence(x, mask.sum(dim=1).cpu(), batch_first=True, enforce_sorted=False)
            y, final = layer(packed)
            y = pad_packed_sequence(y, batch_first=True, total_length=S)[0]
    return y, [part.transpose(0, 1) for part in (final if isinstance(final, tuple) else (final,))]


def differentiable(layer: nn.Module, x: Tensor) -> contextlib.AbstractContextManager[object]:
    """Return a context in which a layer in eval mode has gradients, too: cuDNN has them in training alone."""
    if x.is_cuda and not layer.training and torch.is_grad_enabled():
        return torch.backends.cudnn.flags(enabled=False)
    return contextlib.nullcontext()


def turned(x: Tensor, mask: Tensor | None) -> Tensor:
    """Return rows (B, S, …) from the last token to the first, with their padding still behind; its own inverse."""
    if mask is None:
        return x.flip(1)
    S = x.shape[1]
    positions = torch.arange(S, device=x.device)
    order = (mask.sum(dim=1, keepdim=True) - 1 - positions) % S  # (B, S)
    return x.gather(1, order[..., None].expand_as(x))


def dropped(x: Tensor, share: float, *, training: bool) -> Tensor:
    """Apply dropout to x in training."""
    return F.dropout(x, share, training) if share else x


def build(config: RecurrentEncoderDecoderConfig, task: Task) -> RecurrentEncoderDecoder:
    """Return the recurrent encoder-decoder of a config, with new weights."""
    return RecurrentEncoderDecoder(config, task)
