"""Chance in the difference between runs: their spread over seeds beside the gap between kinds of run."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from lab.shell.session.comparison.evaluation import SameTextEvaluation
from lab.shell.session.runs.comparability import Comparability, Difference
from lab.shell.session.runs.formatting import loss_text
from lab.shell.session.runs.loss_unit import BITS, BYTES, KL, NATS, PERPLEXITY, convert_one, shared_unit, unit_phrase
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.repetitions import Group, Spread, groups_of, spread_of
from lab.widgets.core.i18n import enumerated, tr, tr_n

if TYPE_CHECKING:
    from lab.training.evaluation import Evaluation

Loss = Callable[[RunModel], float]


def same_text_title(unit: str) -> str:
    """Return the title of losses on the same text in a unit; without the entropy of a source, KL is in nats."""
    return {
        BITS: tr("Bits per token on the same text"),
        PERPLEXITY: tr("Perplexity on the same text"),
        BYTES: tr("Bits per byte on the same text"),
    }.get(unit) or tr("Nats per token on the same text")


def loss_in(found: Evaluation, unit: str) -> float | None:
    """Return the loss of an evaluation in a unit, in nats per token for KL; None if it is not known."""
    if unit == BYTES:
        return found.bits_per_byte
    if unit == PERPLEXITY:
        return math.exp(min(found.loss, 700.0))
    return found.loss / math.log(2) if unit == BITS else found.loss


def chance_note(model: SameTextEvaluation, found: Comparability, waiting: int = 0, unit: str = NATS) -> str:
    """Return what is known about the part of chance in the difference of runs; "" if they are all of one kind.

    Args:
        model: The evaluation of the runs on the same text.
        found: The runs.
        waiting: The number of repetitions that train or are queued.
        unit: The unit of the losses, as far as all of them are known in it.
    """
    runs = [one.run for one in found.runs]
    groups = groups_of(runs)
    if not waiting and len(groups) > 1 and len(groups) == len(runs) and all(run.is_finished for run in runs):
        return _one_run_each(len(runs))
    few = [group.name for group in groups if not group.is_repeated]
    if few and waiting and len(groups) > 1:
        return tr("How much of the difference is chance is known once the repetitions of {names} are finished.",
                  names=enumerated(few))  # fmt: skip
    if few:
        return "" if len(groups) == 1 else tr(
            "How much of the difference is chance is not known: fewer than two finished runs of {names}. "
            "Repeat them with another seed to see.", names=enumerated(few),
        )  # fmt: skip
    loss, title, short = _loss_of(model, found, groups, unit)
    if loss is None:
        return tr("Measure all on the same text to see the spread of each kind.") if groups else ""
    spreads = sorted((spread_of(group, loss) for group in groups), key=lambda spread: spread.mean)
    lines = [tr("{unit}, {groups}.", unit=title, groups="; ".join(map(_spread_label, spreads)))]
    return "\n".join([*lines, *([_gap_label(spreads, short)] if len(spreads) > 1 else [])])


def _one_run_each(count: int) -> str:
    if count == 2:
        return tr("One run each: how much of the difference is chance is not known. "
                  "Repeat both with another seed to see.")  # fmt: skip
    return tr("One run each: how much of the differences is chance is not known. "
              "Repeat them with another seed to see.")  # fmt: skip


def _loss_of(
    model: SameTextEvaluation, found: Comparability, groups: list[Group], unit: str
) -> tuple[Loss | None, str, str]:
    """Return a loss in which the finished runs compare, what it is, and its unit; None if there is none.

    It is that on the same text where all of them were evaluated after their last step, otherwise their own.
    """
    finished = [run for group in groups for run in group.finished]
    if not finished:
        return None, "", ""
    compared = [one for one in found.runs if one.run in finished]
    rows = {run: row for run in finished if (row := model.row_of(run)) is not None and row.is_current}
    measured = {run: row.evaluation for run, row in rows.items() if row.evaluation is not None}
    if len(measured) == len(finished):
        has_other_tokens = any(Difference.VOCABULARY in one.differences for one in compared)
        shown = BYTES if has_other_tokens else unit
        losses = {run: loss for run, one in measured.items() if (loss := loss_in(one, shown)) is not None}
        if len(losses) == len(finished):
            phrase = unit_phrase(NATS if shown == KL else shown, finished[0])
            return losses.__getitem__, same_text_title(shown), phrase
    own = {run: run.loss for run in finished if run.loss is not None and run.is_validated}
    if len(own) == len(finished) and not any(one.differences for one in compared):
        shown = shared_unit(finished, unit)
        converted = {run: convert_one(loss, run, shown) for run, loss in own.items()}
        phrase = unit_phrase(shown, finished[0])
        title = tr("Validation perplexity") if shown == PERPLEXITY else tr("Validation loss in {unit}", unit=phrase)
        return converted.__getitem__, title, phrase
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
