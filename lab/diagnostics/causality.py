"""The test whether a position reads later tokens: other tokens at the end, and what came before must stay the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Leak:
    """A position that reads later tokens.

    Args:
        position: The position whose output changes.
        later: The first position whose token was changed.
        size: By how much the output changes at most.
    """

    position: int
    later: int
    size: float


def first_leak(difference: Tensor, changed: Tensor, limit: float) -> Leak | None:
    """Return the first position that changes with tokens after it; None if there is none.

    Args:
        difference: (N, T) the largest change of the output at each position, in N pairs of texts.
        changed: (N,) the first position at which the texts of a pair differ.
        limit: The largest difference that counts as a rounding error; NaN is none.
    """
    earlier = torch.arange(difference.shape[1], device=difference.device) < changed[:, None]
    leaks = (earlier & ~(difference <= limit)).nonzero()
    if not len(leaks):
        return None
    row, position = leaks[0].tolist()
    return Leak(position, int(changed[row]), float(difference[row, position]))


def leak_of(
    read: Callable[[Tensor], Tensor],
    tokens: Tensor,
    vocabulary_size: int,
    starts: Sequence[int],
    *,
    apart: bool = False,
) -> Leak | None:
    """Change all tokens from some positions on, and return the first position before that notices.

    Args:
        read: Returns outputs (B, T) or (B, T, …) of tokens (B, T), the same at each call with tokens of one shape.
        tokens: (1, T), T ≥ 2.
        vocabulary_size: The number of different tokens.
        starts: The positions from which on the tokens are changed, each in a text of its own; one if `apart`.
        apart: Whether the changed text is read in another call, as rows of one call may draw different random numbers.
    """
    length = tokens.shape[1]
    changed = torch.tensor(starts, device=tokens.device)
    others = torch.where(
        torch.arange(length, device=tokens.device) >= changed[:, None], (tokens + 1) % vocabulary_size, tokens
    )

    def difference(first: Tensor, second: Tensor) -> Tensor:
        return (second - first).abs().reshape(len(second), length, -1).amax(dim=-1)

    if apart:
        plain, found = read(tokens), read(others)
    else:
        every = read(torch.cat([tokens, others]))
        plain, found = every[:1], every[1:]
    limit = (1e-6 if plain.dtype == torch.float64 else 1e-3) * max(1.0, float(plain.abs().max()))
    leak = first_leak(difference(plain, found), changed, limit)
    if leak is None:
        return None
    again = read(tokens)  # a computation that is not the same each time shows nothing
    noise = 4 * float(difference(read(tokens), again).max())
    return first_leak(difference(plain, found), changed, max(limit, noise))
