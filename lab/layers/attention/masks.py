"""Which tokens a token reads: windows, their masks, and what of the past a window still needs."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeVar, TypeVarTuple

import torch
from torch import Tensor


class KeyLayout(NamedTuple):
    """Where the keys of one attention stand; its queries are the last of them.

    Args:
        queries: T.
        keys: S.
        first: Keys before the gap.
        gap: Tokens that are kept no more, between the first keys and the rest.
    """

    queries: int
    keys: int
    first: int = 0
    gap: int = 0


@dataclass(frozen=True)
class Window:
    """Query i reads key j where j = i − n · dilation for some 0 ≤ n < size (Beltagy et al. 2020, section 3.1).

    Without `causal` n may be negative too: the window reaches as far to both sides.

    Args:
        size: Tokens that are read, the token itself included; 0 means all.
        dilation: Step from one to the next.
        first: So many first tokens are read by all, in spite of the window; where not causal, they read all too.
        causal: Whether nothing behind the query is read, in spite of all that.
    """

    size: int = 0
    dilation: int = 1
    first: int = 0
    causal: bool = True

    def reads(self, query: Tensor, key: Tensor) -> Tensor:
        """Whether queries read keys: positions, broadcast against each other -> bool."""
        apart = query - key
        read = torch.ones_like(apart, dtype=torch.bool)
        if self.size:
            read = (apart % self.dilation == 0) & (apart.abs() < self.size * self.dilation) | (key < self.first)
            if not self.causal:
                read |= query < self.first
        return read & (apart >= 0) if self.causal else read

    def reads_all(self, layout: KeyLayout) -> bool:
        """Whether every query reads every key, so that no mask is needed. Keys are those that `trimmed` keeps."""
        if self.causal and layout.queries > 1:
            return False
        return not self.size or (self.dilation == 1 and (self.causal or layout.keys <= self.size))

    def reads_triangle(self, layout: KeyLayout) -> bool:
        """Whether every query reads all keys up to itself and no other, which needs no mask: SDPA's `is_causal`."""
        near = not self.size or (self.dilation == 1 and layout.keys <= self.size)
        return self.causal and near and layout.queries == layout.keys

    def drops(self, tokens: int) -> bool:
        """Whether some of the first `tokens` tokens can be read by no later one."""
        return self.size > 0 and tokens > self.first + self._back

    def trimmed(self, keys: Tensor) -> Tensor:
        """(B, H, S, D) keys or values, S more than can be read -> what a later token reads: the first, the end."""
        end = keys[:, :, keys.shape[2] - self._back :]
        return torch.cat([keys[:, :, : self.first], end], dim=2) if self.first else end

    @property
    def _back(self) -> int:
        """How far before a token the window begins."""
        return (self.size - 1) * self.dilation


Given = TypeVarTuple("Given")
Made = TypeVar("Made")


def made_once(
    texts: int,
) -> Callable[[Callable[[KeyLayout, *Given], Made]], Callable[[KeyLayout, *Given], Made]]:
    """Keeps what a function made last, for all blocks and steps; what is made under inference mode can be trained.

    What is made for one query is kept apart, so that a text written beside a training drives none of its masks out.

    Args:
        texts: So many results are kept; they grow with the square of the text's length.
    """

    def decorate(make: Callable[[KeyLayout, *Given], Made]) -> Callable[[KeyLayout, *Given], Made]:
        def trainable(layout: KeyLayout, *given: *Given) -> Made:
            with torch.inference_mode(False):
                return make(layout, *given)

        of_text, of_token = (functools.lru_cache(maxsize=size)(trainable) for size in (texts, 4))

        @functools.wraps(make)
        def found(layout: KeyLayout, *given: *Given) -> Made:
            return (of_token if layout.queries == 1 else of_text)(layout, *given)

        return found

    return decorate


@made_once(texts=8)
def positions_of(layout: KeyLayout, device: torch.device) -> tuple[Tensor, Tensor]:
    """Positions of queries (T, 1) and keys (1, S), such that their distances are right."""
    key = torch.arange(layout.keys, device=device)
    key[layout.first :] += layout.gap
    return key[layout.keys - layout.queries :, None], key[None]


@made_once(texts=4)
def mask_of(layout: KeyLayout, window: Window, device: torch.device) -> Tensor:
    """What is read, (T, S) bool."""
    return window.reads(*positions_of(layout, device))
