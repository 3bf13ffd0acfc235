"""Windows of attention: the tokens that a token reads, masks, and the past tokens that a window still needs."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeVar, TypeVarTuple

import torch
from torch import Tensor


class Extent(NamedTuple):
    """The queries and keys of one attention, and the positions of the keys; the queries are the last of them.

    Args:
        queries: T, the number of queries.
        keys: S, the number of keys.
        first: Number of keys before the gap.
        gap: Number of dropped tokens between the first keys and the rest.
    """

    queries: int
    keys: int
    first: int = 0
    gap: int = 0


@dataclass(frozen=True)
class Window:
    """A window: query i reads key j if j = i − n · dilation for a 0 ≤ n < size (Beltagy et al. 2020, section 3.1).

    Without `causal` n may be negative: the window extends as far to both sides.

    Args:
        size: Number of tokens that are read, the token itself included; 0 means all.
        dilation: Step from one to the next.
        first: Number of first tokens that are read by all, regardless of the window; if not causal, they also read all.
        causal: Whether a query never reads a key after itself.
    """

    size: int = 0
    dilation: int = 1
    first: int = 0
    causal: bool = True

    def reads(self, query: Tensor, key: Tensor) -> Tensor:
        """Return a bool mask, True where a query reads a key, for positions broadcast against each other."""
        distance = query - key
        read = torch.ones_like(distance, dtype=torch.bool)
        if self.size:
            read = (distance % self.dilation == 0) & (distance.abs() < self.size * self.dilation) | (key < self.first)
            if not self.causal:
                read |= query < self.first
        return read & (distance >= 0) if self.causal else read

    def reads_all(self, extent: Extent) -> bool:
        """Return True if every query reads every key that `trimmed` returns, so that no mask is needed."""
        if self.causal and extent.queries > 1:
            return False
        return not self.size or (self.dilation == 1 and (self.causal or extent.keys <= self.size))

    def reads_triangle(self, extent: Extent) -> bool:
        """Return True if every query reads exactly the keys up to itself, which needs no mask: SDPA's `is_causal`."""
        near = not self.size or (self.dilation == 1 and extent.keys <= self.size)
        return self.causal and near and extent.queries == extent.keys

    def drops(self, tokens: int) -> bool:
        """Return True if no later token can read some of the first `tokens` tokens."""
        return self.size > 0 and tokens > self.first + self._back

    def trimmed(self, keys: Tensor) -> Tensor:
        """Drop keys or values (B, H, S, D) that no later token reads; call it only if there are such."""
        end = keys[:, :, keys.shape[2] - self._back :]
        return torch.cat([keys[:, :, : self.first], end], dim=2) if self.first else end

    @property
    def _back(self) -> int:
        """Distance from a token to the start of its window."""
        return (self.size - 1) * self.dilation


def without_padding(mask: Tensor | None, tokens: Tensor | None) -> Tensor | None:
    """Return a mask under which no key is read where it is padding or another document; None if all keys are read.

    Args:
        mask: Bool, True where a key is read, or a bias of the scores: (T, S) or (1, H, T, S); None reads all keys.
        tokens: (B, S) bool, False at padding, or (B, T, S) bool, True where a query may read a key; None for neither.

    Returns:
        The mask itself if there is no padding; otherwise one that broadcasts to (B, H, T, S).
    """
    if tokens is None:
        return mask
    tokens = tokens[:, None, None] if tokens.ndim == 2 else tokens[:, None]  # (B, 1, 1 or T, S)
    if mask is None:
        return tokens
    return mask & tokens if mask.dtype == torch.bool else mask.masked_fill(~tokens, -math.inf)


Given = TypeVarTuple("Given")
Made = TypeVar("Made")


def made_once(
    texts: int,
) -> Callable[[Callable[[Extent, *Given], Made]], Callable[[Extent, *Given], Made]]:
    """Cache the last results of a function for all blocks and steps; results of inference mode work in training.

    Results for one query are cached separately, so that text generated during a training evicts none of its masks.

    Args:
        texts: Number of cached results; they grow with the square of the text's length.
    """

    def decorate(make: Callable[[Extent, *Given], Made]) -> Callable[[Extent, *Given], Made]:
        def trainable(extent: Extent, *given: *Given) -> Made:
            with torch.inference_mode(False):
                return make(extent, *given)

        of_text, of_token = (functools.lru_cache(maxsize=size)(trainable) for size in (texts, 4))

        @functools.wraps(make)
        def found(extent: Extent, *given: *Given) -> Made:
            return (of_token if extent.queries == 1 else of_text)(extent, *given)

        return found

    return decorate


@made_once(texts=8)
def positions_of(extent: Extent, device: torch.device) -> tuple[Tensor, Tensor]:
    """Return positions of queries (T, 1) and keys (1, S) with the right distances between them."""
    key = torch.arange(extent.keys, device=device)
    key[extent.first :] += extent.gap
    return key[extent.keys - extent.queries :, None], key[None]


@made_once(texts=4)
def mask_of(extent: Extent, window: Window, device: torch.device) -> Tensor:
    """Return the mask, (T, S) bool, True where a query reads a key."""
    return window.reads(*positions_of(extent, device))
