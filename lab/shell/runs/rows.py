"""Runs as rows of a list or table: the quantity by which they are compared, their order, their texts."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from lab.api import ENTROPY_RATE
from lab.base.run_state import RunState
from lab.shell.session.runs.formatting import detail_label, loss_text
from lab.shell.session.runs.loss_unit import (
    BYTES,
    KL,
    NATS,
    PERPLEXITY,
    convert_one,
    is_known,
    training_label,
    validation_label,
)
from lab.shell.session.runs.model import RunModel
from lab.shell.session.scales import run_colour, run_dashes
from lab.widgets.core.i18n import number_text, tr
from lab.widgets.core.theme import themes
from lab.widgets.runs.list_model import RunRow

NEWEST, NAME, VALUE, STATE, STEP = "newest", "name", "value", "state", "step"
"""Orders of the list."""
LOSS, TRAIN = "loss", "train"
"""Losses by which runs are compared; a table compares them by BYTES and PERPLEXITY, too, the loss in these units."""
LIFE = (
    RunState.RUNNING,
    RunState.PAUSED,
    RunState.PREPARING,
    RunState.SAVING,
    RunState.QUEUED,
    RunState.INTERRUPTED,
    RunState.FAILED,
    RunState.STOPPED,
    RunState.FINISHED,
)
"""The states in the order of sorting."""

_DATED = re.compile(r"^\d{4}-\d\d-\d\d-\d{6}-")
"""The date at the start of a folder's name."""


def measures() -> dict[str, str]:
    """Return the names of the quantities by which a table compares runs, by key; losses are in nats per token."""
    return {
        LOSS: tr("validation loss"),
        TRAIN: tr("training loss"),
        BYTES: tr("bits per byte"),
        PERPLEXITY: tr("perplexity"),
    }


def losses() -> dict[str, str]:
    """Return the names of the losses by which the list compares runs, by key; their unit is that of the chart."""
    return {key: measures()[key] for key in (LOSS, TRAIN)}


def heading(measure: str, unit: str) -> str:
    """Return the name of a loss with its unit."""
    return training_label(unit) if measure == TRAIN else validation_label(unit)


def orders() -> list[tuple[str, str]]:
    """Return (key, label) of each order of the list."""
    return [
        (NEWEST, tr("newest")),
        (NAME, tr("name")),
        (VALUE, tr("value")),
        (STATE, tr("state")),
        (STEP, tr("steps")),
    ]


def measured(run: RunModel, measure: str, unit: str = NATS) -> float | None:
    """Return the value of a quantity for a run; None if it has none.

    Args:
        run: The run.
        measure: The quantity.
        unit: The unit of a loss.
    """
    nats = run.train_loss if measure == TRAIN else run.loss
    unit = unit if measure in (LOSS, TRAIN) else measure
    return None if nats is None or not has_unit(run, unit) else convert_one(nats, run, unit)


def has_unit(run: RunModel, unit: str) -> bool:
    """Return True if the loss of a run can be shown in a unit without reading what else its folder has."""
    is_unread = unit == KL and not run.loaded  # the floors of thousands of runs are not read for a list
    return not is_unread and is_known(run, unit)


def ordered(runs: Sequence[RunModel], order: str, measure: str, unit: str = NATS) -> list[RunModel]:
    """Return runs, passed newest first, in an order; runs without the value come last."""
    if order == NAME:
        return sorted(runs, key=lambda run: run.name.casefold())
    if order == STATE:
        return sorted(runs, key=lambda run: LIFE.index(run.state))
    if order == STEP:
        return sorted(runs, key=lambda run: -run.step)
    if order == VALUE:
        return sorted(runs, key=lambda run: (_lacks_value(run, measure), _sort_value(run, measure, unit)))
    return list(runs)


def row_of(run: RunModel, measure: str = LOSS, unit: str = NATS) -> RunRow:
    """Return the current row of a run, cached until it changes, since a list of thousands is drawn every second."""
    if run.active is not None:
        return _make_row(run, measure, unit)
    entropy = run.floors.get(ENTROPY_RATE) if unit == KL and run.loaded else None
    key = measure, unit, entropy, themes.now.name
    return run.cached("row", key, lambda: _make_row(run, measure, unit))


def _make_row(run: RunModel, measure: str, unit: str) -> RunRow:
    """Make the row of a run; until the first evaluation, it shows the training loss and says so."""
    value = measured(run, measure, unit)
    text = "" if value is None or math.isnan(value) else loss_text(value)
    if text and measure != TRAIN and not run.is_validated:
        text = tr("train {loss}", loss=text)
    label = run.label
    return RunRow(
        key=run.key,
        name=run.name,
        colour=run_colour(run),
        value=text,
        detail=detail_label(run),
        state=run.state,
        shown=run.shown,
        dashes=run_dashes(run),
        star=label.star,
        branched=run.parent is not None,
        badge="" if run.verification is None else run.verification.kind,
        more=tuple(filter(None, (lineage(run), ", ".join(label.tags), verification_of(run), label.note[:400]))),
    )


def lineage(run: RunModel, parent_name: str = "") -> str:
    """Return a text that names the run and the step from which a branch started; "" if a run is not a branch.

    Args:
        run: The run.
        parent_name: The name of the parent in the list; "" uses the name of its folder without the date.
    """
    parent = run.parent
    if parent is None:
        return ""
    changes = parent.get("changes")
    changed = ", ".join(map(str, changes[:4])) if isinstance(changes, list | tuple) else ""
    name = parent_name or _DATED.sub("", str(parent.get("name") or "")) or tr("another run")
    text = tr("from step {step} of {run}", step=number_text(parent["step"]), run=name)
    return f"{text}: {changed}" if changed else text


def verification_of(run: RunModel) -> str:
    """Return a text with the result of a run's verification; "" if it was not verified."""
    result = run.verification
    if result is None:
        return ""
    steps = tr("steps {first} to {last} repeated", first=number_text(result.first), last=number_text(result.last))
    if result.kind == "exact":
        return tr("{steps}: bit for bit identical", steps=steps)
    if result.kind == "close" and result.largest is not None:
        return tr("{steps}: differs by at most {much}", steps=steps, much=number_text(result.largest, ".2g"))
    return tr("cannot be reproduced: {why}", why=result.why)


def _lacks_value(run: RunModel, measure: str) -> bool:
    return measure != TRAIN and not run.is_validated


def _sort_value(run: RunModel, measure: str, unit: str) -> float:
    value = measured(run, measure, unit)
    return math.inf if value is None or math.isnan(value) else value
