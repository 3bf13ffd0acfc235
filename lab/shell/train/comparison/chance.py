"""Chance in the difference between runs: their spread over seeds beside the gap between kinds of run."""

from __future__ import annotations

from collections.abc import Callable

from lab.shell.session.runs.comparability import Comparability, Difference
from lab.shell.session.runs.formatting import loss_text
from lab.shell.session.runs.loss_unit import unit_name
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.repetitions import Group, Spread, groups_of, spread_of
from lab.shell.train.comparison.evaluation import SameTextEvaluation
from lab.widgets.core.i18n import tr, tr_n

Loss = Callable[[RunModel], float]


def chance_note(model: SameTextEvaluation, found: Comparability, waiting: int = 0) -> str:
    """Return what is known about the part of chance in the difference of runs; "" if they are all of one kind.

    Args:
        model: The evaluation of the runs on the same text.
        found: The runs.
        waiting: The number of repetitions that train or are queued.
    """
    runs = [one.run for one in found.runs]
    groups = groups_of(runs)
    if not waiting and len(groups) > 1 and len(groups) == len(runs) and all(run.is_finished for run in runs):
        return _one_run_each(len(runs))
    few = [group.name for group in groups if not group.is_repeated]
    if few and waiting and len(groups) > 1:
        return tr("How much of the difference is chance is known once the repetitions of {names} are finished.",
                  names=", ".join(few))  # fmt: skip
    if few:
        return "" if len(groups) == 1 else tr(
            "How much of the difference is chance is not known: fewer than two finished runs of {names}. "
            "Repeat them with another seed to see.", names=", ".join(few),
        )  # fmt: skip
    loss, unit, short = _loss_of(model, found, groups)
    if loss is None:
        return tr("Measure all on the same text to see the spread of each kind.") if groups else ""
    spreads = sorted((spread_of(group, loss) for group in groups), key=lambda spread: spread.mean)
    lines = [tr("{unit}, {groups}.", unit=unit, groups="; ".join(map(_spread_label, spreads)))]
    return "\n".join([*lines, *([_gap_label(spreads, short)] if len(spreads) > 1 else [])])


def _one_run_each(count: int) -> str:
    if count == 2:
        return tr("One run each: how much of the difference is chance is not known. "
                  "Repeat both with another seed to see.")  # fmt: skip
    return tr("One run each: how much of the differences is chance is not known. "
              "Repeat them with another seed to see.")  # fmt: skip


def _loss_of(model: SameTextEvaluation, found: Comparability, groups: list[Group]) -> tuple[Loss | None, str, str]:
    """Return a loss in which the finished runs compare, what it is, and its unit; None if there is none.

    It is that on the same text where all of them were evaluated after their last step, otherwise their own.
    """
    finished = [run for group in groups for run in group.finished]
    compared = [one for one in found.runs if one.run in finished]
    rows = {run: row for run in finished if (row := model.row_of(run)) is not None and row.is_current}
    measured = {run: row.evaluation for run, row in rows.items() if row.evaluation is not None}
    if len(measured) == len(finished):
        bits = {run: one.bits_per_byte for run, one in measured.items() if one.bits_per_byte is not None}
        if not any(Difference.VOCABULARY in one.differences for one in compared):
            return lambda run: measured[run].loss, tr("Nats per token on the same text"), tr("nats per token")
        if len(bits) == len(finished):
            return bits.__getitem__, tr("Bits per byte on the same text"), tr("bits per byte")
    own = {run: run.loss for run in finished if run.loss is not None and run.is_validated}
    if len(own) == len(finished) and not any(one.differences for one in compared):
        unit = unit_name(finished[0])
        return own.__getitem__, tr("Validation loss in {unit}", unit=unit), unit
    return None, "", ""


def _spread_label(spread: Spread) -> str:
    return tr_n(
        "{name}: mean {mean}, one run", "{name}: mean {mean}, from {low} to {high} in {n} runs", spread.count,
        name=spread.name, mean=loss_text(spread.mean), low=loss_text(spread.lowest), high=loss_text(spread.highest),
    )  # fmt: skip


def _gap_label(spreads: list[Spread], unit: str) -> str:
    """Return one sentence that compares the gap between the two lowest means with the spread of the runs."""
    first, second = spreads[:2]
    values = {
        "first": first.name, "second": second.name, "gap": f"{loss_text(second.mean - first.mean)} {unit}",
        "spread": f"{loss_text(max(spread.width for spread in spreads[:2]))} {unit}",
    }  # fmt: skip
    if second.lowest <= first.highest:
        return tr("The means of {first} and {second} differ by {gap}, but their losses overlap (widest spread "
                  "{spread}): chance may explain the difference.", **values)  # fmt: skip
    return tr("The means of {first} and {second} differ by {gap}; their losses do not overlap (widest spread "
              "{spread}).", **values)  # fmt: skip
