"""Losses at lengths other than the trained one: of examples, or of windows of a text."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lab.base import BadInput, LabError
from lab.base.problems import attributed
from lab.workbench.access.model_access import BorrowedModel, ModelAccess

if TYPE_CHECKING:
    from lab.api import Objective
    from lab.text.examples.source import ExampleSource
    from lab.text.streams import TokenSource

FARTHEST = 4
"""The largest tried length, as a multiple of the trained one."""

TOKENS = 1 << 15
"""Tokens that are read at each length, or more to reach LEAST examples."""

LEAST = 32
"""Least number of examples that are read at each length, however long they are."""

_SAMPLED = 256  # number of examples from which the shortest trained length is found


class _Try(NamedTuple):
    """A length to try: the data of this length, and whether the model was trained at it."""

    length: int
    tokens: int
    trained: bool
    source: Any
    limit: int


@dataclass(frozen=True)
class LengthPoint:
    """The loss of a model on examples of one length, or on windows of a text.

    Args:
        length: Length of the examples, as their source counts it, or of the windows in tokens.
        tokens: Number of tokens of an example or a window.
        loss: Nats per scored token; None if the model cannot read so many tokens.
        accuracy: Share of scored tokens that are the most probable symbol; None for windows of a text.
        faultless: Share of examples without a mistake; None for windows of a text.
        trained: True if the model was trained at this length.
    """

    length: int
    tokens: int
    loss: float | None
    accuracy: float | None
    faultless: float | None
    trained: bool


def over_lengths(
    access: ModelAccess,
    lengths: Sequence[int] = (),
    *,
    device: str | None = None,
    progress: Callable[[float], None] = lambda *_: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> list[LengthPoint]:
    """Evaluate a model on validation examples of several lengths, or on windows of its text.

    Windows of a text are independent, as in the protocol "windows": the loss of longer ones shows how the model handles
    positions that it was never trained at (Press et al. 2022).

    Args:
        access: The model.
        lengths: The lengths of the examples or windows; () selects possible lengths up to FARTHEST times the longest
            trained one.
        device: Where to compute; see ModelAccess.borrow.
        progress: Called with the share that is done.
        cancelled: Called between lengths; True ends the evaluation, and the finished lengths are returned.

    Raises:
        BadInput: The examples have no lengths, or not this one, or the text is shorter.
        LabError: The run is damaged, or a plugin's code raised.
    """
    from lab.text.examples.source import ExampleSource
    from lab.text.streams import TokenSource

    data = access.evaluation_data()
    source = data.source
    if not isinstance(source, ExampleSource | TokenSource):
        what = "this run reads rows or a mixture of texts, which have no lengths to choose"
        raise BadInput(
            what, field="corpus", allowed="a text, or examples that have a length", remedy="Leave lengths out"
        )
    tries = _of_examples(source, lengths) if isinstance(source, ExampleSource) else _of_text(source, lengths)
    points: list[LengthPoint] = []
    with access.borrow(device, own=True) as borrowed:
        for index, one in enumerate(tries):
            if cancelled():
                break
            progress(index / len(tries))
            points.append(_evaluated(one, borrowed, data.objective, access.model_plugin))
    return points


def _evaluated(one: _Try, borrowed: BorrowedModel, objective: Objective, plugin: str) -> LengthPoint:
    from lab.training.evaluation import evaluate

    model, device = borrowed.model, borrowed.device
    try:
        with attributed(plugin, "Evaluating"):
            found = evaluate(model, objective, one.source, protocol="windows", device=device, limit=one.limit)
    except LabError:  # learned positions end at the model's reach; rotary ones continue
        if model.reach is None or one.tokens - 1 <= model.reach:
            raise
        return LengthPoint(one.length, one.tokens, None, None, None, one.trained)
    shares = found.metrics.get("accuracy"), found.metrics.get("faultless")
    return LengthPoint(one.length, one.tokens, found.loss, *shares, one.trained)


def _of_examples(source: ExampleSource, lengths: Sequence[int]) -> list[_Try]:
    """Return validation examples of the lengths.

    Raises:
        BadInput: The examples of the source have no lengths, or not this one.
    """
    if source.given.at_length is None:
        raise BadInput(
            "has no examples of different lengths",
            field="corpus.name",
            value=source.given.name,
            allowed="a text, or a source whose examples have a length, such as copy or parity",
        )
    shortest = _shortest(source)
    tries = []
    for length in sorted(set(lengths)) or _possible(source):
        longer = source.at_length(length)
        assert longer is not None  # its examples have lengths
        tokens = longer.given.longest
        limit = max(LEAST, TOKENS // tokens) * longer.context_length
        tries.append(_Try(length, tokens, shortest <= tokens <= source.given.longest, longer, limit))
    return tries


def _of_text(source: TokenSource, lengths: Sequence[int]) -> list[_Try]:
    """Return windows of the validation text of the lengths.

    Raises:
        BadInput: The text is shorter than one of them.
    """
    trained, room = source.context_length, len(source.tokens) - 1
    for length in lengths:
        if length > room:
            raise BadInput(
                "is longer than the validation text", field="--lengths", value=length, allowed=f"1 to {room}"
            )
    requested = sorted(set(lengths)) or [length for length in tried(trained) if length <= room]
    windows = {length: replace(source, context_length=length) for length in requested}
    return [_Try(length, length, length <= trained, window, TOKENS) for length, window in windows.items()]


def tried(trained: int) -> list[int]:
    """Return the lengths to try: quarters of the trained one up to it, then halves of it up to FARTHEST times it."""
    inside = {max(1, round(trained * share / 4)) for share in range(1, 5)}
    beyond = {round(trained * share / 2) for share in range(2, 2 * FARTHEST + 1)}
    return sorted(inside | beyond)


def _possible(source: ExampleSource) -> list[int]:
    """Return the lengths to try that a source can make."""
    possible = []
    for length in tried(source.given.length):
        with contextlib.suppress(BadInput):
            source.at_length(length)
            possible.append(length)
    return possible


def _shortest(source: ExampleSource) -> int:
    """Return the number of tokens of the shortest training example, found in a sample of them."""
    tokens = source.given.draw(np.arange(_SAMPLED), source.seed, "train").tokens
    return int((tokens >= 0).sum(axis=1).min())
