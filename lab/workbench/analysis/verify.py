"""Verification that a run is reproducible: its last steps are trained again and compared with the record."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from lab.base import BadInput, LabError
from lab.base.files.writing import write_json
from lab.base.notices import notify
from lab.base.units import finite
from lab.host import Plugins
from lab.runs import RunFolder
from lab.runs.origin import differences, provenance
from lab.runs.records import read_record
from lab.workbench.access.teacher import give_teacher
from lab.workbench.launch.live_edits import edits_of
from lab.workbench.launch.resume import (
    Loaded,
    check_may_restart,
    load_tables,
    newest,
    prepare_as_before,
    recipe_here,
    restore_trainer,
)

if TYPE_CHECKING:
    from lab.training.trainer import Trainer

Kind = Literal["exact", "close", "not reproducible"]
FILE = "verification.json"
STEPS = 100
"""Most steps that are trained again, unless a number is given."""
CLOSE = 1e-3
"""Relative difference up to which figures count as close."""
COMPARED = ("train loss", "gradient norm")


@dataclass(frozen=True)
class Verification:
    """The result of training some steps of a run again.

    Args:
        kind: "exact": all figures are equal bit for bit; "close": none differs by more than a thousandth; or "not
            reproducible".
        first: The step of the checkpoint from which it started; 0 for the start of the run.
        last: The last step that was compared.
        largest: The largest relative difference of a loss, a gradient norm or the weights; None where the training
            failed.
        why: What has changed since the run was made; "" if nothing has.
    """

    kind: Kind
    first: int
    last: int
    largest: float | None
    why: str


def verify(
    run: RunFolder,
    plugins: Plugins,
    *,
    steps: int | None = None,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Callable[[int, int], object] | None = None,
) -> Verification:
    """Train the last steps of a run again, in memory, compare them, and store the result in the run.

    Args:
        run: The run; it may still train.
        plugins: The plugins that provide its cards.
        steps: The least number of last steps to train again, from the checkpoint before them to the end; None trains
            the steps after the last checkpoint before the end, at most STEPS.
        cancelled: Called between steps; True ends the training, and the steps made so far are compared.
        progress: Called with the number of steps made and the number of all steps to make.

    Raises:
        BadInput: There is nothing to compare, or the run's corpus is not found.
        LabError: The run is damaged, or a plugin's code raised.
    """
    end = run.metrics().summary(COMPARED[0]).last_step
    if not end:
        raise BadInput("this run has made no step that could be trained again", field="run", value=run.name)
    loaded = newest(run, max(1, end - steps + 1) if steps else end)
    trainer, why = _prepared(run, plugins, loaded)
    first = trainer.step
    last = end if steps else min(end, first + STEPS)
    found: list[float] = []
    reader = trainer.ring.reader(blocking=False)
    series: dict[str, dict[int, float]] = {name: {} for name in COMPARED}
    while trainer.step < last and not cancelled():
        trainer.advance()
        rows, names = reader.take(), trainer.ring.names
        for step, number, value in zip(rows.steps.tolist(), rows.series.tolist(), rows.values.tolist(), strict=True):
            if names[number] in series:
                series[names[number]][step] = value
        if progress is not None:
            progress(trainer.step - first, last - first)
    if trainer.step == first:
        raise BadInput("no step was trained", field="run", value=run.name, remedy="Train it for some steps first")
    for name in COMPARED:
        found += _differences(run, name, series[name])
    found += _of_weights(run, trainer)
    if not found:
        raise BadInput("nothing was recorded of these steps that could be compared", field="run", value=run.name)
    largest = max(found)
    kind: Kind = "exact" if largest == 0 else "close" if largest <= CLOSE else "not reproducible"
    if kind != "exact" and not why:
        why = "versions, processor and placement are the same; something else computes or draws differently"
    result = Verification(kind, first, trainer.step, largest, why)
    try:
        write_json(run.path / FILE, {**asdict(result), "largest": finite(largest), "time": time.time()})
    except LabError as error:
        notify("warning", error.problem)
    return result


def stored_verification(run: RunFolder) -> Verification | None:
    """Return the last verification; None if there is none, or it cannot be read."""
    try:
        stored: dict[str, Any] = read_record(run.path / FILE)
    except LabError:
        return None
    kind, first, last, largest, why = (stored.get(name) for name in ("kind", "first", "last", "largest", "why"))
    known: dict[Any, Kind] = {name: name for name in get_args(Kind)}
    if not isinstance(kind, str) or kind not in known or not isinstance(first, int) or not isinstance(last, int):
        return None
    return Verification(known[kind], first, last, largest if isinstance(largest, float | int) else None, str(why or ""))


def _prepared(run: RunFolder, plugins: Plugins, loaded: Loaded | None) -> tuple[Trainer, str]:
    """Return a trainer at the checkpoint, and what has changed since the run was made."""
    from lab.training.trainer import Trainer

    experiment = prepare_as_before(run, recipe_here(run, None), plugins)
    give_teacher(experiment, plugins, run.path)
    if loaded is None and run.parent is not None:
        check_may_restart(run)
    trainer = Trainer(experiment)
    restore_trainer(trainer, run, loaded, edits_of(run))
    why = differences(run.facts, {**provenance(), "placement": experiment.placement.as_dict()})
    return trainer, "; ".join(why)


def _differences(run: RunFolder, name: str, repeated: dict[int, float]) -> list[float]:
    """Return the relative difference of a series at each step; infinite where the run has no value."""
    if not repeated:
        return []
    steps, values = run.metrics().read(name, first=min(repeated), last=max(repeated))
    recorded = dict(zip(steps.tolist(), values.tolist(), strict=True))
    return [_relative(value, recorded.get(step, math.nan)) for step, value in repeated.items()]


def _relative(one: float, other: float) -> float:
    if one == other:
        return 0.0
    size = max(abs(one), abs(other))
    return abs(one - other) / size if math.isfinite(size) else math.inf


def _of_weights(run: RunFolder, trainer: Trainer) -> list[float]:
    """Return the relative difference of each table; [] if the run has no checkpoint of this step."""
    tables = load_tables(run, trainer.step)
    if tables is None:
        return []
    found = []
    own = trainer.model.tables()
    for name in {**own, **tables}:
        if name not in own or name not in tables or own[name].shape != tables[name].shape:
            found.append(math.inf)
            continue
        one, other = own[name].detach().cpu(), tables[name]
        if one.equal(other):
            found.append(0.0)
            continue
        values, recorded = one.double().numpy(), other.double().numpy()
        size = float(np.abs(recorded).max(initial=0.0)) or 1.0
        difference = float(np.abs(values - recorded).max(initial=0.0)) / size
        found.append(difference if math.isfinite(difference) else math.inf)  # NaN differs from everything
    return found
