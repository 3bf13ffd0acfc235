"""Scaled dot-product attention in all its variants, with a cache of keys and values."""

from __future__ import annotations

import functools
import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lab.api import BadInput, Slot, State
from lab.layers.attention.biases import Alibi, RelativeBias
from lab.layers.attention.cache import KeysValues
from lab.layers.attention.masks import Extent, Window, made_once, mask_of, without_padding
from lab.layers.attention.positions import Rotary, rotate
from lab.layers.initial import GPT_2, Initialisation
from lab.layers.mixers import TokenMixer


class Attention(TokenMixer):
    """softmax(Q Kᵀ / √D + bias) V per head (Vaswani et al. 2017, eq. 1). State: KeysValues.

    The scores are divided by √D, unless `scaled` is false: T5 does not divide, and starts with smaller queries instead
    (Raffel et al. 2020).

    Everything but the soft-cap runs through torch's fused function. A soft-cap c · tanh(s / c) applies to the scores
    before bias and mask, which that function cannot do, so with one the scores are computed explicitly, which takes
    more time and memory. A sink is one more logit of each head in the softmax, with a value of zero: its weight reads
    nothing. Dropout on the weights is read from the slot's config (`dropout`), live.

    Args:
        slot: Its position in the stack.
        heads: H; without `head_width` a divisor of the slot's width.
        head_width: D; 0 means width / H.
        kv_heads: Heads of keys and values, a divisor of H: query head h reads head h // (H / kv_heads) of them
            (Ainslie et al. 2023). 0 means H, 1 is multi-query.
        rotary: The rotation of queries and keys by their positions; None for none.
        position_bias: The bias that positions add to the scores. A RelativeBias belongs to the model, not to this
            module.
        window: Number of tokens that are read, the token itself included; 0 means all.
        dilation: Step within the window.
        global_tokens: Number of first tokens that are read by all, regardless of the window.
        sink: Whether each head has a sink.
        qk_norm: ε of root mean square norms of queries and keys, with gains, before rotation; None for none
            (Dehghani et al. 2023).
        cap: c of the soft-cap; 0 for none (Gemma Team 2024).
        scaled: Whether scores are divided by √D.
        bias: Whether the projections have a bias.
        initialisation: The initial weights.

    Attributes:
        fused: False computes the scores of all pairs explicitly, as with a soft-cap.

    Raises:
        BadInput: The heads do not divide the width or each other, or a head's rotated channels are not pairs.
    """

    reads_mask = True

    def __init__(
        self,
        slot: Slot,
        *,
        heads: int,
        head_width: int = 0,
        kv_heads: int = 0,
        rotary: Rotary | None = None,
        position_bias: Alibi | RelativeBias | None = None,
        window: int = 0,
        dilation: int = 1,
        global_tokens: int = 0,
        sink: bool = False,
        qk_norm: float | None = None,
        cap: float = 0.0,
        scaled: bool = True,
        bias: bool = False,
        initialisation: Initialisation = GPT_2,
    ) -> None:
        super().__init__()
        _check_heads(slot.width, heads, head_width, kv_heads or heads, rotary)
        width, kv_heads = head_width or slot.width // heads, kv_heads or heads
        self.config, self.heads, self.kv_heads, self.head_width = slot.config, heads, kv_heads, width
        self.reads_documents = not global_tokens
        self.causal, self.rotary, self.cap = slot.causal, rotary, cap
        self.window = Window(window, dilation, global_tokens, slot.causal)
        self.fused, self.divisor = True, math.sqrt(width) if scaled else 1.0
        self.reach = None if window else slot.context_length
        object.__setattr__(self, "position_bias", position_bias)  # not through torch, which would save it here
        self.position_bias: Alibi | RelativeBias | None
        rows = [heads * width, kv_heads * width, kv_heads * width]  # queries, keys, values
        self.project = nn.Linear(slot.width, sum(rows), bias=bias)
        self.output = nn.Linear(heads * width, slot.width, bias=bias)
        self.query_norm = None if qk_norm is None else nn.RMSNorm(width, eps=qk_norm)
        self.key_norm = None if qk_norm is None else nn.RMSNorm(width, eps=qk_norm)
        self.sink = nn.Parameter(torch.zeros(heads)) if sink else None
        self.part_names = {"project": dict(zip(("query", "key", "value"), rows, strict=True))}
        initialisation.linear(self.project, slot.width, rows)
        initialisation.linear(self.output, slot.width, layers=slot.layers)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """Apply attention, (B, T, C) -> (B, T, C); no position reads those where mask (B, T) or (B, T, T) is False."""
        T = x.shape[1]
        return self._attend(*self.queries_keys_values(x), Extent(T, T), mask)

    def start(self, batch: int) -> State:
        """Return an empty cache."""
        empty = self.output.weight.new_empty(batch, self.kv_heads, 0, self.head_width)
        return KeysValues(empty, empty, empty, empty, 0)

    def extend(self, x: Tensor, state: State) -> tuple[Tensor, State]:
        """Read (B, T, C) more; return (B, T, C) and the cache with these tokens, for later tokens to read."""
        q, k, v = self.queries_keys_values(x, state.position)
        now = state.followed_by(k, v, self.window)
        late = now.late_keys.shape[2]
        keys = now.keys.shape[2] + late
        first = self.window.first
        extent = Extent(x.shape[1], keys, first, now.position - keys if first else 0)
        if late:
            y = self._read((now.values, now.late_values), self._weights(q, (now.keys, now.late_keys), extent))
        else:
            y = self._attend(q, now.keys, now.values, extent)
        return y, now.within(self.window)

    def queries_keys_values(self, x: Tensor, position: int = 0) -> tuple[Tensor, Tensor, Tensor]:
        """Return queries, keys and values.

        Args:
            x: (B, T, C).
            position: Position of the first of the T tokens.

        Returns:
            Queries (B, H, T, D), keys and values (B, kv_heads, T, D), normalised and rotated.
        """
        B, T, _ = x.shape
        H, K = self.heads, self.kv_heads
        every = self.project(x).view(B, T, H + 2 * K, self.head_width)  # split, not sliced: one gradient, not a sum
        if self.rotary is None and self.query_norm is None:
            q, k, v = (part.transpose(1, 2) for part in every.split([H, K, K], dim=2))
            return q, k, v
        compared, v = (part.transpose(1, 2) for part in every.split([H + K, K], dim=2))
        if self.query_norm is not None and self.key_norm is not None:
            q, k = compared.to(self.query_norm.weight.dtype).split([H, K], dim=1)  # narrower under autocast
            compared = torch.cat([self.query_norm(q), self.key_norm(k)], dim=1).to(every.dtype)
        if self.rotary is not None:
            compared = rotate(compared, position, self.rotary)
        q, k = compared.split([H, K], dim=1)
        return q, k, v

    def positional_scores(self, length: int) -> Tensor:
        """Return the bias that positions add to the scores of `length` tokens, (H, T, T); zeros if there is none."""
        if self.position_bias is None:
            return self.output.weight.new_zeros(self.heads, length, length)
        return self.position_bias(Extent(length, length), self.output.weight.dtype, self.output.weight.device)

    def mixing_map(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """Return the attention weights (B, head, query, key), which the fused function does not return."""
        q, k, _ = self.queries_keys_values(x)
        return self._weights(q, (k,), Extent(x.shape[1], x.shape[1]), mask)

    def _attend(self, q: Tensor, k: Tensor, v: Tensor, extent: Extent, tokens: Tensor | None = None) -> Tensor:
        """Attend to the keys; those where `tokens` (B, S) is False are padding, which nothing reads, or (B, T, S)."""
        if self.cap or not self.fused:
            return self._read((v,), self._weights(q, (k,), extent, tokens))
        dropout = self.config.dropout if self.training else 0.0  # the functional does not switch it off in eval
        plain = self.position_bias is None and self.sink is None and self.window.reads_triangle(extent)
        plain = plain and tokens is None
        mask = None if plain else without_padding(self._mask(q, extent), tokens)
        if self.sink is not None:
            k, v, mask = F.pad(k, (0, 0, 0, 1)), F.pad(v, (0, 0, 0, 1)), self._with_sink(mask, q, extent.keys)
        y = F.scaled_dot_product_attention(
            q,
            k,
            v,
            mask,
            is_causal=plain,
            dropout_p=dropout,
            scale=1 / self.divisor,
            enable_gqa=self.kv_heads < self.heads,
        )
        return self._joined(y)

    def _weights(self, q: Tensor, keys: tuple[Tensor, ...], extent: Extent, tokens: Tensor | None = None) -> Tensor:
        """Return the softmax computed explicitly, (B, H, T, S), over keys in one or more parts."""
        grouped = self._grouped(q)
        scores = torch.cat([grouped @ k.transpose(-1, -2) for k in keys], dim=-1)
        scores = scores.view(*q.shape[:3], -1) / self.divisor
        if self.cap:
            scores = self.cap * torch.tanh(scores / self.cap)
        mask = without_padding(self._mask(q, extent), tokens)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf) if mask.dtype == torch.bool else scores + mask
        if tokens is not None:  # finite in rows of padding, which may read nothing at all
            scores = scores.clamp(min=torch.finfo(scores.dtype).min)
        if self.sink is None:
            return scores.softmax(dim=-1)
        column = self.sink.to(scores.dtype)[:, None, None].expand(*scores.shape[:3], 1)
        return torch.cat([scores, column], dim=-1).softmax(dim=-1)[..., :-1]

    def _read(self, values: tuple[Tensor, ...], weights: Tensor) -> Tensor:
        """Sum values by their weights over all parts and apply the output projection: (B, T, C)."""
        weights = F.dropout(weights, self.config.dropout, self.training)
        parts = torch.split(self._grouped(weights), [v.shape[2] for v in values], dim=-1)
        y = functools.reduce(torch.add, (part @ v for part, v in zip(parts, values, strict=True)))
        return self._joined(y.view(*weights.shape[:3], -1))

    def _joined(self, y: Tensor) -> Tensor:
        """Apply the output projection to the values that the heads read, (B, H, T, D) -> (B, T, C)."""
        y = self.hook_point("heads", y, ("batch", "head", "token", "unit"))
        return self.output(y.transpose(1, 2).flatten(2))  # type: ignore[no-any-return]

    def _grouped(self, x: Tensor) -> Tensor:
        """Stack query heads that share a key head: (B, H, T, n) -> (B, kv heads, H / kv_heads · T, n)."""
        return x.reshape(x.shape[0], self.kv_heads, -1, x.shape[3])

    def _mask(self, q: Tensor, extent: Extent) -> Tensor | None:
        """Return a mask, bool (T, S), or a bias of the scores, (1, H, T, S); None if neither is needed."""
        if not isinstance(self.position_bias, RelativeBias):
            return _fixed_mask(extent, self.window, self.position_bias, q.dtype, q.device)
        bias: Tensor = self.position_bias(extent, q.dtype, q.device)[None]
        if self.window.reads_all(extent):
            return bias
        return bias.masked_fill(~mask_of(extent, self.window, q.device), -math.inf)

    def _with_sink(self, mask: Tensor | None, q: Tensor, keys: int) -> Tensor:
        """Return the bias of the scores, with the sink's logit for the appended key of zeros: (1, H, T, S + 1)."""
        if mask is None:
            mask = q.new_zeros(1)
        elif mask.dtype == torch.bool:
            mask = torch.zeros_like(mask, dtype=q.dtype).masked_fill(~mask, -math.inf)
        shape = (mask.shape[0] if mask.ndim == 4 else 1, self.heads, q.shape[2])
        sink = self.sink[:, None, None].to(q.dtype)  # type: ignore[index]
        return torch.cat([mask.expand(*shape, keys), sink.expand(*shape, 1)], dim=-1)


def _fixed_mask(
    extent: Extent, window: Window, alibi: Alibi | None, dtype: torch.dtype, device: torch.device
) -> Tensor | None:
    """Return the mask without trained parameters."""
    if alibi is not None:
        return _alibi_mask(extent, window, alibi, dtype, device)
    return None if window.reads_all(extent) else mask_of(extent, window, device)


@made_once(texts=2)
def _alibi_mask(extent: Extent, window: Window, alibi: Alibi, dtype: torch.dtype, device: torch.device) -> Tensor:
    bias = alibi(extent, dtype, device)[None]
    return bias if window.reads_all(extent) else bias.masked_fill_(~mask_of(extent, window, device), -math.inf)


def _check_heads(width: int, heads: int, head_width: int, kv_heads: int, rotary: Rotary | None) -> None:
    if not head_width and width % heads:
        raise BadInput("does not divide the width", field="heads", value=heads, allowed=f"a divisor of {width}")
    if heads % kv_heads:
        raise BadInput("does not divide the heads", field="kv_heads", value=kv_heads, allowed=f"a divisor of {heads}")
    turned = 0 if rotary is None else rotary.channels(head_width or width // heads)
    if rotary is not None and (turned % 2 or not turned):
        what = f"rotates {turned} channels of each head, but rotary positions need pairs of channels"
        raise BadInput(what, field="heads", value=heads, allowed="heads of an even width")
