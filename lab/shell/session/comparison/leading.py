"""Which of several runs is ahead, and by how much: their validation losses at the last step at which all have one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from lab.shell.session.runs.comparability import Comparability, Difference, differences
from lab.shell.session.runs.formatting import loss_text
from lab.shell.session.runs.loss_unit import BYTES, convert_one, shared_unit, unit_phrase, with_unit
from lab.shell.session.runs.model import RunModel
from lab.widgets.core.i18n import duration, enumerated, number_text, tr

LOSS = "validation loss"
"""The series of the compared losses."""
RATE = "learning rate"
LONGER, LONG = 1.2, 10.0
"""How many times as long as another run one must have trained up to the compared step, and for how many seconds at
least, for it to be said."""
LOW = 0.2
"""Share of its peak from which on a falling learning rate is said not to have come to its end."""


@dataclass(frozen=True)
class Standing:
    """The order of runs at one step.

    Args:
        step: The last step at which all of them were evaluated; None if there is none.
        unit: The unit of the losses; see lab.shell.session.runs.loss_unit.
        losses: The runs with their losses, the lowest first; none without a step.
    """

    step: int | None
    unit: str
    losses: tuple[tuple[RunModel, float], ...] = ()


def standing_of(found: Comparability, unit: str) -> Standing | None:
    """Return the order of the runs whose losses compare at equal steps.

    Args:
        found: The runs.
        unit: The unit of the losses in the chart; where it is not known of all, they are in nats per token.

    Returns:
        None if there are fewer than two such runs. Models that learn by counting make no steps of the same kind.
    """
    reference = found.reference
    if reference is None or reference.counts:
        return None
    by_bytes = unit == BYTES
    runs = [
        one.run
        for one in found.runs
        if not one.run.counts and set(differences(one.run, reference, by_bytes=by_bytes)) <= {Difference.STEPS}
    ]
    runs = [run for run in runs if LOSS in run.curves.names()]
    if len(runs) < 2 or reference not in runs:
        return None
    shown = shared_unit(runs, unit)
    if shown != unit and by_bytes and any(differences(run, reference) for run in runs):
        return None  # nats per token do not compare across vocabularies
    step = _last_common_step(runs)
    if step is None:
        return Standing(None, shown)
    losses = [(run, convert_one(_loss_at(run, step), run, shown)) for run in runs]
    return Standing(step, shown, tuple(sorted(losses, key=lambda one: one[1])))


def standing_sentence(standing: Standing | None) -> str:
    """Return one sentence about who is ahead; "" for no order."""
    if standing is None:
        return ""
    if standing.step is None:
        return tr("Who is ahead is not known: these runs were never evaluated at the same step.")
    (first, best), *others = standing.losses
    unit = unit_phrase(standing.unit, first)
    behind = ", ".join(
        tr("ahead of {run} by {gap} {unit}", gap=loss_text(loss - best), unit=unit, run=run.name)
        for run, loss in others
    )
    values = "; ".join(f"{run.name}: {with_unit(loss, standing.unit, run)}" for run, loss in standing.losses)
    step = number_text(standing.step)
    if loss_text(others[-1][1] - best) == loss_text(0.0):
        return tr("At step {step}, the last one at which all were evaluated, the losses are equal ({values}).",
                  step=step, values=values)  # fmt: skip
    return tr("At step {step}, the last one at which all were evaluated, {run} is {behind} ({values}).",
              step=step, run=first.name, behind=behind, values=values)  # fmt: skip


def standing_remarks(standing: Standing | None) -> list[str]:
    """Return sentences about what the order at one step leaves open: the training times, and the learning rates."""
    if standing is None or standing.step is None:
        return []
    runs = [run for run, _ in standing.losses]
    return [*_time_remark(runs, standing.step), *_schedule_remarks(runs, standing.step)]


def _time_remark(runs: Sequence[RunModel], step: int) -> list[str]:
    """Return a sentence about the runs that took the longest and the shortest time to a step, if that differs much."""
    times = {run: seconds for run in runs if (seconds := _value_at(run, "seconds", step)) is not None and seconds > 0}
    if len(times) < 2:
        return []
    slow, quick = max(times, key=lambda run: times[run]), min(times, key=lambda run: times[run])
    ratio = times[slow] / times[quick]
    if ratio < LONGER or times[slow] < LONG:
        return []
    return [
        tr("{slow} trained {ratio} times as long to this step as {quick} ({long}, {short}).",
           slow=slow.name, quick=quick.name, ratio=number_text(ratio, ".1f"),
           long=duration(round(times[slow])), short=duration(round(times[quick])))
    ]  # fmt: skip


def _schedule_remarks(runs: Sequence[RunModel], step: int) -> list[str]:
    """Return sentences about the runs whose learning rate falls, and is far from its end at a step."""
    found: dict[tuple[int, int], list[str]] = {}
    for run in runs:
        rate, rates = _value_at(run, RATE, step), run.curves.values(RATE)
        if rate is None or step >= run.last_step or run.curves.steps(RATE)[rates.argmax()] >= step:
            continue  # it has no more steps, or it is still warming up
        share = rate / float(rates.max())
        if LOW < share < 0.995:
            found.setdefault((run.last_step, round(100 * share)), []).append(run.name)
    return [
        tr("At step {step} of {all}, the learning rate of {names} is still at {share} % of its peak: "
           "the schedule has not ended, and the loss may still fall as the rate does.",
           step=number_text(step), all=number_text(last), names=enumerated(names), share=share)
        for (last, share), names in found.items()
    ]  # fmt: skip


def _value_at(run: RunModel, series: str, step: int) -> float | None:
    """Return the value of a series of a run at a step; None if it has none."""
    steps = run.curves.steps(series)
    return float(np.interp(step, steps, run.curves.values(series))) if len(steps) else None


def lead_label(standing: Standing | None, unit: str) -> str:
    """Return who is ahead of the next one, by how much and at which step, in a few words; "" if that is not known.

    Args:
        standing: The order of the runs; None if there is none.
        unit: The unit of the losses beside the label; another unit of the order is named.
    """
    if standing is None or standing.step is None:
        return ""
    (first, best), (_, second), *_ = standing.losses
    gap, step = loss_text(second - best), number_text(standing.step)
    if gap == loss_text(0.0):
        return tr("equal losses at step {step}", step=step)
    if unit != standing.unit:
        gap = f"{gap} {unit_phrase(standing.unit, first)}"
    return tr("{run} is ahead by {gap} at step {step}", run=first.name, gap=gap, step=step)


def _last_common_step(runs: Sequence[RunModel]) -> int | None:
    """Return the last step at which all runs have a finite validation loss; None if there is none."""
    steps = [run.curves.steps(LOSS)[np.isfinite(run.curves.values(LOSS))] for run in runs]
    common = reduce(np.intersect1d, steps)
    return int(common[-1]) if len(common) else None


def _loss_at(run: RunModel, step: int) -> float:
    steps = run.curves.steps(LOSS)
    return float(run.curves.values(LOSS)[int(np.searchsorted(steps, step))])
