"""Filling in: the likeliest tokens for the places of a text that are hidden, by a model that reads both ways."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from lab.api import BadInput, Tokenizer

if TYPE_CHECKING:
    import torch

Order = Literal["at-once", "one-by-one"]
"""Whether all places are filled from one reading, or the surest first, and the text is read again for each."""
ORDERS: tuple[Order, ...] = get_args(Order)
MARK = "[MASK]"
"""What stands in a text for one hidden token."""
_MARK = re.compile(r"\[MASK(?:\*([0-9]{1,4}))?\]")
_ANY_CASE = re.compile(_MARK.pattern, re.IGNORECASE)


@dataclass(frozen=True)
class Candidate:
    """A token that may stand at a hidden place.

    Args:
        label: Its label.
        text: Its text.
        probability: Its probability, among all symbols of the tokenizer.
    """

    label: str
    text: str
    probability: float


@dataclass(frozen=True)
class FilledPlace:
    """A hidden place and what may stand there.

    Args:
        index: The number of the mark in the text, from 0.
        turn: How many places were filled before it; 0 for all if they are filled at once.
        candidates: The likeliest tokens, likeliest first; the first is the one that is filled in.
    """

    index: int
    turn: int
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True)
class FilledText:
    """A text whose hidden places are filled in.

    Args:
        step: Optimizer updates that the model had; 0 is untrained.
        order: How the places were filled.
        pieces: The text between the places, one piece more than there are places.
        places: The places, in the order of the text.
    """

    step: int
    order: Order
    pieces: tuple[str, ...]
    places: tuple[FilledPlace, ...]

    @property
    def text(self) -> str:
        """The text with the likeliest token at each place."""
        filled = [place.candidates[0].text for place in self.places]
        return "".join(itertools.chain.from_iterable(zip(self.pieces, [*filled, ""], strict=True)))


def split_at_marks(text: str) -> list[str]:
    """Return the pieces of a text between its marks; "[MASK*3]" is three marks one after another.

    Raises:
        BadInput: The text has no mark.
    """
    pieces, end = [""], 0
    for found in _MARK.finditer(text):
        pieces[-1] += text[end : found.start()]
        count = int(found[1] or 1)
        if not count:
            raise BadInput("stands for no token", field="prompt", value=found[0], allowed="[MASK*1] or more")
        pieces += [""] * count
        end = found.end()
    pieces[-1] += text[end:]
    if len(pieces) > 1:
        return pieces
    near = _ANY_CASE.search(text)
    remedy = f"Write [MASK] in capitals, not {near[0]}" if near else "Write [MASK] where a token is missing"
    raise BadInput("has nothing to fill in", field="prompt", value=text[:60], remedy=f"{remedy}: The [MASK] of time")


def fill_tokens(
    model: Any,
    rows: Sequence[Sequence[int]],
    special: dict[str, int],
    *,
    order: Order,
    size: int,
    device: torch.device,
    cancelled: Callable[[], bool] = lambda: False,
) -> list[tuple[int, torch.Tensor]]:
    """Return the turn of each hidden place and the probabilities (V,) of the tokens there.

    Args:
        model: A model that predicts hidden tokens, in eval mode.
        rows: The tokens of the pieces between the places, one piece more than there are places.
        special: The numbers of the symbols "mask", and "begin" and "separator" if the model learned with them.
        order: How the places are filled.
        size: V, the symbols that may be filled in.
        device: Where the model is.
        cancelled: Called before each reading; True ends it, and Cancelled is raised.

    Raises:
        BadInput: The text is longer than what the model reads.
        Cancelled: It was cancelled.
    """
    import torch

    from lab.base.jobs import Cancelled

    tokens: list[int] = [special["begin"]] if "begin" in special else []
    places: list[int] = []
    for number, row in enumerate(rows):
        if number:
            places.append(len(tokens))
            tokens.append(special["mask"])
        tokens += row
    tokens += [special["separator"]] if "separator" in special else []
    longest = model.task.context_length
    if len(tokens) > longest:
        what = f"has {len(tokens)} tokens, more than this model reads"
        raise BadInput(what, field="prompt", allowed=f"at most {longest} tokens", remedy="Shorten it")
    read = torch.tensor([tokens], device=device)
    found: dict[int, tuple[int, torch.Tensor]] = {}
    while len(found) < len(places):
        if cancelled():
            raise Cancelled
        with torch.no_grad():
            shares = model(read)[0, places, :size].float().softmax(dim=-1).cpu()
        if order == "at-once":
            return [(0, row) for row in shares]
        left = [index for index in range(len(places)) if index not in found]
        surest = max(left, key=lambda index: float(shares[index].max()))
        found[surest] = len(found), shares[surest]
        read[0, places[surest]] = int(shares[surest].argmax())
    return [found[index] for index in range(len(places))]


def candidates_of(shares: torch.Tensor, tokenizer: Tokenizer, count: int) -> tuple[Candidate, ...]:
    """Return the likeliest tokens of probabilities (V,), likeliest first."""
    values, tokens = shares.topk(min(count, len(shares)))
    return tuple(
        Candidate(tokenizer.label(token), tokenizer.decode([token]), value)
        for token, value in zip(tokens.tolist(), values.tolist(), strict=True)
    )
