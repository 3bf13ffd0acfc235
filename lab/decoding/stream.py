"""A stream of generated tokens, each with its probability and its likeliest alternatives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from lab.base import LabError

if TYPE_CHECKING:
    from lab.api import LanguageModel, State


DIVERGED = "The training has diverged: train again with a lower learning rate, or choose an earlier checkpoint"


@dataclass(frozen=True)
class Token:
    """One generated token.

    Args:
        token: Its number.
        probability: Its probability under the model, before any filter.
        alternatives: (token, probability under the model) of the likeliest tokens at this position, likeliest first.
        reread: Whether only the end of the preceding text was read for it: the model was full and started again from
            the last half of its reach, or the prompt was longer than its reach.
    """

    token: int
    probability: float
    alternatives: tuple[tuple[int, float], ...]
    reread: bool


@torch.no_grad()
def generate(
    model: LanguageModel,
    prompt: Sequence[int],
    *,
    sampler: Callable[[Tensor], Tensor],
    seed: int,
    symbols: int,
    alternatives: int = 5,
    device: Any = "cpu",
) -> Iterator[Token]:
    """Yield an endless stream of tokens after a prompt. The prompt is read at once, each further token in one step.

    A model with a limited number of positions (`reach`) starts again from the last half of them when it is full.

    Args:
        model: In eval mode, and not used elsewhere at the same time.
        prompt: At least one token.
        sampler: Logits (1, V) -> filtered logits (1, V).
        seed: Seed of the generator of this stream.
        symbols: Number of first symbols that tokens are drawn from; an objective's own symbols are never drawn.
        alternatives: Number of alternatives per token.
        device: The device of the model.

    Yields:
        One token after another.

    Raises:
        ValueError: The prompt is empty.
        LabError: The model's logits are not finite numbers.
    """
    if not prompt:
        raise ValueError("a prompt needs at least one token")
    generator = torch.Generator().manual_seed(seed & (2**63 - 1))
    seen = list(prompt)
    state: State = None
    state_length = 0
    while True:
        reread = False
        full = state is not None and model.reach is not None and state_length >= model.reach
        if state is None or full:
            read = _last(seen, model.reach, again=full)
            reread = len(read) < len(seen)
            tokens = torch.tensor([read], device=device)
            logits, state = model.extend(tokens, model.start(1), last=1)
            logits, state_length = logits[:, -1], len(read)
        else:
            logits, state = model.step(torch.tensor(seen[-1:], device=device), state)
            state_length += 1
        row = logits[:, :symbols].float().cpu()  # (1, V)
        shares = row.softmax(dim=-1)[0]
        if not shares.isfinite().all():
            raise LabError("the model gives no probabilities: its logits are not finite", remedy=DIVERGED)
        drawn = int(torch.multinomial(sampler(row).softmax(dim=-1), 1, generator=generator))
        best = shares.topk(min(alternatives, symbols))
        others = tuple(zip(best.indices.tolist(), best.values.tolist(), strict=True))
        seen.append(drawn)
        if model.reach is not None and len(seen) > 2 * model.reach:
            del seen[: -model.reach]
        yield Token(drawn, float(shares[drawn]), others, reread)


def _last(seen: list[int], reach: int | None, *, again: bool) -> list[int]:
    if reach is None:
        return seen
    return seen[-max(1, reach // 2) :] if again or len(seen) > reach else seen
