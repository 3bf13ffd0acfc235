"""Runs as rows of a list or a table: the quantity by which they are compared, their order, and what each row says."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from lab.base.units import perplexity
from lab.shell.session.runs.formatting import loss_text
from lab.shell.session.runs.model import RunModel
from lab.shell.session.scales import run_colour, run_dashes
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import themes
from lab.widgets.runs.list_model import RunRow

NEWEST, NAME, VALUE, STATE, STEP = "newest", "name", "value", "state", "step"
"""Orders of the list."""
LOSS, TRAIN, BITS, PERPLEXITY = "loss", "train", "bits per byte", "perplexity"
"""What runs are compared by."""
LIFE = (
    "running", "paused", "preparing", "saving", "queued", "interrupted", "failed", "stopped", "finished",
)  # fmt: skip
"""States in the order in which a person cares for them."""


_DATED = re.compile(r"^\d{4}-\d\d-\d\d-\d{6}-")
"""What the name of a run's folder begins with."""


@dataclass(frozen=True)
class Measure:
    """What runs are compared by.

    Args:
        name: What a person chooses it by.
        unit: With its unit, above the list.
    """

    name: str
    unit: str


def measures() -> dict[str, Measure]:
    """What runs can be compared by."""
    return {
        LOSS: Measure(tr("validation loss"), tr("validation loss, nats per token")),
        TRAIN: Measure(tr("training loss"), tr("training loss, nats per token")),
        BITS: Measure(tr("bits per byte"), tr("validation, bits per byte")),
        PERPLEXITY: Measure(tr("perplexity"), tr("validation perplexity")),
    }


def orders() -> list[tuple[str, str]]:
    """(key, words) of the orders of the list."""
    return [
        (NEWEST, tr("newest")),
        (NAME, tr("name")),
        (VALUE, tr("value")),
        (STATE, tr("state")),
        (STEP, tr("steps")),
    ]


def measured(view: RunModel, measure: str) -> float | None:
    """What a run reached; None where it does not tell."""
    if measure == TRAIN:
        return view.train_loss
    if measure == BITS:
        factor = view.bits_per_byte_factor
        return None if view.loss is None or factor is None else view.loss * factor
    if measure == PERPLEXITY:
        return None if view.loss is None else perplexity(view.loss)
    return view.loss


def ordered(views: Sequence[RunModel], order: str, measure: str) -> list[RunModel]:
    """The runs, given newest first, in another order; those that do not tell what it asks for come last."""
    if order == NAME:
        return sorted(views, key=lambda view: view.name.casefold())
    if order == STATE:
        return sorted(views, key=lambda view: LIFE.index(view.state))
    if order == STEP:
        return sorted(views, key=lambda view: -view.step)
    if order == VALUE:
        return sorted(views, key=lambda view: (_is_behind(view, measure), _least(view, measure)))
    return list(views)


def row_of(view: RunModel, measure: str = LOSS) -> RunRow:
    """The run's row as it is now, made anew only where it changed: a list of a thousand is asked for every second."""
    if view.active is not None:
        return _made(view, measure)
    return view.cached("row", (measure, themes.now.name), lambda: _made(view, measure))


def _made(view: RunModel, measure: str) -> RunRow:
    """The run's row; where it has no evaluation yet, its loss of the training text stands in brackets."""
    value = measured(view, measure)
    words = "" if value is None or math.isnan(value) else loss_text(value)
    if words and measure != TRAIN and not view.is_validated:
        words = f"({words})"
    label = view.label
    return RunRow(
        key=view.key,
        name=view.name,
        colour=run_colour(view),
        value=words,
        detail=view.detail(),
        state=view.state,
        shown=view.shown,
        dashes=run_dashes(view),
        star=label.star,
        branched=view.parent is not None,
        badge="" if view.verification is None else view.verification.kind,
        more=tuple(part for part in (lineage(view), ", ".join(label.tags), verified(view), label.note[:400]) if part),
    )


def lineage(view: RunModel, forebear: str = "") -> str:
    """Where a branch is from, in words; "" for a run that began anew.

    Args:
        view: The run.
        forebear: What the run it is from is called here; "" for what its folder was called, without the date.
    """
    parent = view.parent
    if parent is None:
        return ""
    changes = parent.get("changes")
    told = ", ".join(map(str, changes[:4])) if isinstance(changes, list | tuple) else ""
    name = forebear or _DATED.sub("", str(parent.get("name") or "")) or tr("another run")
    words = tr("from step {step} of {run}", step=f"{parent['step']:,}", run=name)
    return f"{words}: {told}" if told else words


def verified(view: RunModel) -> str:
    """What training its last steps anew gave, in words; "" where that was not tried."""
    found = view.verification
    if found is None:
        return ""
    steps = tr("steps {first} to {last} again", first=f"{found.first:,}", last=f"{found.last:,}")
    if found.kind == "exact":
        return tr("{steps}: bit for bit the same", steps=steps)
    if found.kind == "close" and found.largest is not None:
        return tr("{steps}: differs by {much} at most", steps=steps, much=f"{found.largest:.2g}")
    return tr("cannot be reproduced: {why}", why=found.why)


def _is_behind(view: RunModel, measure: str) -> bool:
    return measure != TRAIN and not view.is_validated


def _least(view: RunModel, measure: str) -> float:
    value = measured(view, measure)
    return math.inf if value is None or math.isnan(value) else value
