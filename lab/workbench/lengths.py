"""How a model does on examples of other lengths than it was trained on: loss and accuracy over the length."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from lab.base import BadInput, LabError
from lab.base.problems import attributed
from lab.workbench.saved import SavedRun

if TYPE_CHECKING:
    from lab.text.example_source import ExampleSource

FARTHEST = 4
"""Multiples of the trained length up to which a model is tried."""

TOKENS = 1 << 15
"""Tokens that are read at each length, at least LEAST examples of them."""

LEAST = 32
"""Examples that are read at each length, however long they are."""

_LOOKED_AT = 256  # examples whose tokens tell which lengths are trained


@dataclass(frozen=True)
class LengthPoint:
    """What a model does on examples of one length.

    Args:
        length: Of the examples, as their source counts it.
        tokens: Of an example.
        loss: Nats per scored token; None where the model cannot read examples so long.
        accuracy: Share of scored tokens whose symbol is the likeliest.
        faultless: Share of examples without a mistake.
        trained: Whether examples of this length were trained on.
    """

    length: int
    tokens: int
    loss: float | None
    accuracy: float | None
    faultless: float | None
    trained: bool


def over_lengths(
    saved: SavedRun,
    lengths: Sequence[int] = (),
    *,
    device: str = "cpu",
    progress: Callable[[float], None] = lambda *_: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> list[LengthPoint]:
    """A run's last checkpoint on validation examples of several lengths, each by itself.

    Args:
        saved: The run.
        lengths: Of the examples; () takes some up to FARTHEST times the longest one that was trained on, of those
            that the source can make.
        device: Where to compute.
        progress: Told the share that is done.
        cancelled: Asked between lengths; True ends it with those that are done.

    Raises:
        BadInput: The run learns from a text, or its source knows no lengths, or not this one.
        LabError: The run is damaged, or a plugin's code raised.
    """
    from lab.text.example_source import ExampleSource
    from lab.training.devices import find_device
    from lab.training.evaluation import evaluate

    source: Any = saved.validation()
    if not isinstance(source, ExampleSource) or source.given.at_length is None:
        raise BadInput(
            "has no examples of different lengths",
            field="corpus.name",
            value=saved.recipe.corpus.name,
            allowed="a source whose examples have a length, as copy or parity",
        )
    where = find_device(device)
    model, objective = saved.model().to(where), saved.objective()
    wanted = sorted(set(lengths)) or _possible(source)
    shortest = _shortest(source)
    points: list[LengthPoint] = []
    for place, length in enumerate(wanted):
        if cancelled():
            break
        progress(place / len(wanted))
        longer = source.at_length(length)
        assert longer is not None  # it knows lengths
        tokens = longer.given.longest
        within = shortest <= tokens <= source.given.longest
        beyond = model.reach is not None and tokens - 1 > model.reach
        limit = max(LEAST, TOKENS // tokens) * longer.context_length
        try:
            with attributed(saved.model_plugin, "Evaluating"):
                found = evaluate(model, objective, longer, protocol="windows", device=where, limit=limit)
        except LabError:  # rotary positions go on beyond what was trained, learned ones end
            if not beyond:
                raise
            points.append(LengthPoint(length, tokens, None, None, None, within))
            continue
        metrics = found.metrics
        points.append(
            LengthPoint(length, tokens, found.loss, metrics.get("accuracy"), metrics.get("faultless"), within)
        )
    return points


def tried(trained: int) -> list[int]:
    """The lengths that are tried: quarters of the trained one up to it, then halves of it up to FARTHEST times."""
    inside = {max(1, round(trained * share / 4)) for share in range(1, 5)}
    beyond = {round(trained * share / 2) for share in range(2, 2 * FARTHEST + 1)}
    return sorted(inside | beyond)


def _possible(source: ExampleSource) -> list[int]:
    """Those of the lengths that are tried which a source can make: four pairs and their questions take 16 tokens."""
    possible = []
    for length in tried(source.given.length):
        with contextlib.suppress(BadInput):
            source.at_length(length)
            possible.append(length)
    return possible


def _shortest(source: ExampleSource) -> int:
    """Tokens of the shortest example that is trained on: some sources have one length alone."""
    tokens = source.given.draw(np.arange(_LOOKED_AT), source.seed, "train").tokens
    return int((tokens >= 0).sum(axis=1).min())
