"""Positions of tokens: rotary angles and sinusoids."""

from __future__ import annotations

import dataclasses
import math
import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Literal, TypeAlias

import torch
from torch import Tensor

LONGEST_WAVE, SHORTEST_WAVE = 1.0, 4.0
"""Turns within the original context: "llama3" stretches frequencies below the first fully, above the second not."""


LEAST_ROWS = 256
"""The least number of rows of a table of angles, so that generating token by token makes one rarely."""

TABLE_BYTES = 1 << 25
"""Largest size of all tables of angles that are stored for the next call."""


@dataclass(frozen=True)
class Rotary:
    """Rotary positions: pairs of channels turn by position · base^(−2i/D) (Su et al. 2021, eq. 34).

    Args:
        base: θ, 10,000 in the paper.
        share: Share of each head's channels, from the first on, that is rotated (Black et al. 2022).
        pairs: The channels that rotate together: i and i + D/2 as in LLaMA's current files, or 2i and 2i + 1.
        scaling: "linear" divides all frequencies by `factor` (Chen et al. 2023); "ntk" makes the base larger, so that
            only the slowest is divided by it; "llama3" divides those that turn less than once in `original` tokens,
            leaves those that turn more than four times, and interpolates between (Grattafiori et al. 2024).
        factor: The factor by which the context becomes longer.
        original: Original context length in tokens.
    """

    base: float = 10_000.0
    share: float = 1.0
    pairs: Literal["halves", "neighbours"] = "halves"
    scaling: Literal["none", "linear", "ntk", "llama3"] = "none"
    factor: float = 1.0
    original: int = 8192

    def channels(self, width: int) -> int:
        """Return how many of a head's `width` channels are rotated."""
        return int(width * self.share)

    def frequencies(self, width: int) -> Tensor:
        """Return the angle per token of each pair of a head's `width` channels, (pairs,), float64."""
        turned = self.channels(width)
        base = self.base
        if self.scaling == "ntk" and turned > 2:
            base *= self.factor ** (turned / (turned - 2))
        frequency = base ** (-torch.arange(0, turned, 2, dtype=torch.float64, device="cpu") / turned)
        if self.scaling == "linear":
            return frequency / self.factor
        if self.scaling == "llama3":
            turns = self.original * frequency / (2 * math.pi)
            unscaled = ((turns - LONGEST_WAVE) / (SHORTEST_WAVE - LONGEST_WAVE)).clamp(0, 1)
            return unscaled * frequency + (1 - unscaled) * frequency / self.factor
        return frequency


def rotate(x: Tensor, position: int, rotary: Rotary) -> Tensor:
    """Rotate queries or keys to their positions, in float32 or wider.

    Args:
        x: (B, H, T, D).
        position: Position of the first of the T tokens.
        rotary: The rotation.

    Returns:
        (B, H, T, D): x · cos + (x with each pair swapped) · (∓ sin).
    """
    length, width = x.shape[-2], x.shape[-1]
    turned = rotary.channels(width)
    if turned < width:
        complete = dataclasses.replace(rotary, share=1.0)
        turning, still = torch.split(x, [turned, width - turned], dim=-1)
        return torch.cat([rotate(turning, position, complete), still], dim=-1)
    cos, sin = _turns(rotary, width, position, length, x.device)  # (T, D), fp32
    wide = x.float() if x.dtype.itemsize < 4 else x
    if rotary.pairs == "halves":
        swapped = wide.roll(width // 2, dims=-1)
    else:
        swapped = wide.view(*wide.shape[:-1], -1, 2).flip(-1).flatten(-2)
    return (wide * cos + swapped * sin).to(x.dtype)


def _turns(rotary: Rotary, width: int, position: int, length: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """Return cosines and signed sines (T, D) of the tokens from `position` on: rows of a table that starts nearby.

    A table starts at a multiple of its step, a power of two of at least `length` rows, and has one step of rows, or two
    where the tokens cross into the next. Its size therefore depends on `length` alone.
    """
    step = max(LEAST_ROWS, 1 << (length - 1).bit_length())
    start = position // step * step
    rows = step if position + length <= start + step else 2 * step
    if torch.compiler.is_compiling():  # which cannot follow the lock, and makes code of the computation
        return _Table(*_angles(rotary, width, start, rows, device)).rows(position - start, length)
    return _tables.get((rotary, width, start, rows, device)).rows(position - start, length)


_Key: TypeAlias = tuple[Rotary, int, int, int, torch.device]


class _Table:
    """Cosines and signed sines (rows, D), and the rows of the last call: all layers of a model read the same ones.

    The rows are views of the table, so whatever stores them also stores all of it.
    """

    def __init__(self, cos: Tensor, sin: Tensor) -> None:
        self._cos, self._sin = cos, sin
        self._last: tuple[int, int, tuple[Tensor, Tensor]] | None = None

    def rows(self, first: int, length: int) -> tuple[Tensor, Tensor]:
        """Return cosines and signed sines (T, D) of so many rows from the first one on."""
        last = self._last
        if last is not None and last[0] == first and last[1] == length:
            return last[2]
        found = self._cos[first : first + length], self._sin[first : first + length]
        self._last = first, length, found
        return found

    @property
    def nbytes(self) -> int:
        """The bytes of both."""
        return self._cos.nbytes + self._sin.nbytes


class _Tables:
    """The tables of angles that were used last, of at most TABLE_BYTES together or the very last alone."""

    def __init__(self) -> None:
        self._tables: OrderedDict[_Key, _Table] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: _Key) -> _Table:
        """Return a table, computed or stored."""
        with self._lock:
            table = self._tables.get(key)
            if table is not None:
                self._tables.move_to_end(key)
                return table
        table = _Table(*_angles(*key))
        with self._lock:
            self._tables[key] = table
            while len(self._tables) > 1 and self.nbytes > TABLE_BYTES:
                self._tables.popitem(last=False)
        return table

    @property
    def nbytes(self) -> int:
        """The bytes of all stored tables."""
        return sum(table.nbytes for table in self._tables.values())


_tables = _Tables()


def _angles(rotary: Rotary, width: int, start: int, rows: int, device: torch.device) -> tuple[Tensor, Tensor]:
    with torch.inference_mode(False), torch.no_grad():  # stored, so also used in training
        positions = torch.arange(start, start + rows, dtype=torch.float64, device="cpu")[:, None]
        angle = positions * rotary.frequencies(width)
        cos, sin = angle.cos().float(), angle.sin().float()  # (rows, D/2)
        if rotary.pairs == "halves":
            cos, sin = torch.cat([cos, cos], dim=1), torch.cat([-sin, sin], dim=1)
        else:
            cos, sin = cos.repeat_interleave(2, dim=1), torch.stack([-sin, sin], dim=2).flatten(1)
        return cos.to(device), sin.to(device)


def sinusoids(position: int, length: int, width: int, device: torch.device) -> Tensor:
    """Return sinusoidal positions (T, C): sin(p / 10000^(2i/C)), cos(…) (Vaswani et al. 2017, section 3.5)."""
    positions = torch.arange(position, position + length, dtype=torch.float32, device=device)[:, None]
    rate = torch.exp(torch.arange(0, width, 2, dtype=torch.float32, device=device) * (-math.log(10000.0) / width))
    waves = torch.stack([(positions * rate).sin(), (positions * rate).cos()], dim=-1)
    return waves.flatten(1)[:, :width]
