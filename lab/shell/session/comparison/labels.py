"""Labels about losses that do or do not compare, and about runs that are waited for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from lab.base.run_state import RunState
from lab.shell.session.comparison.leading import Standing, standing_remarks, standing_sentence
from lab.shell.session.runs.comparability import Comparability, Compared, Difference
from lab.shell.session.runs.model import RunModel
from lab.widgets.core.i18n import number_text, tr


def difference_label(difference: Difference) -> str:
    """Return the label of a reason why two losses do not compare."""
    return {
        Difference.CORPUS: tr("another corpus"),
        Difference.SPLIT: tr("another validation split"),
        Difference.OBJECTIVE: tr("another objective"),
        Difference.VOCABULARY: tr("other tokens"),
        Difference.PROTOCOL: tr("another protocol"),
        Difference.STEPS: tr("another number of steps"),
    }[difference]


def comparability_line(found: Comparability) -> str:
    """Return one line about the losses that do not compare; "" if all do."""
    others, counts = found.others, found.counts
    if not others:
        return ""
    if len(counts) == 1:
        why = difference_label(next(iter(counts)))
    else:
        why = ", ".join(f"{difference_label(reason)} ({count})" for reason, count in counts.items())
    if len(others) == 1:
        return tr("1 of {all} losses does not compare: {why}", all=len(found.runs), why=why)
    return tr("{n} of {all} losses do not compare: {why}", n=len(others), all=len(found.runs), why=why)


def comparability_details(found: Comparability, standing: Standing | None) -> str:
    """Return a text about who is ahead, with the reasons of each run whose loss does not compare."""
    lines = [standing_sentence(standing), *standing_remarks(standing)]
    if found.reference is not None and found.others:
        lines.append(tr("Compared with {run}:", run=found.reference.name))
        lines += [f"{one.run.name}: {reasons_label(one.differences)}" for one in found.others]
    lines.append(tr("Click for details, and to measure these runs on the same text."))
    return "\n".join(filter(None, lines))


def without_steps(found: Comparability, standing: Standing | None) -> Comparability:
    """Return a comparison without the numbers of steps that need no remark.

    A run that trains or waits catches up, and runs with an order are compared at a step that all of them made.
    """
    reference, ranked = found.reference, [] if standing is None else [run for run, _ in standing.losses]

    def is_remarkable(run: RunModel, difference: Difference) -> bool:
        return difference is not Difference.STEPS or not (run in ranked or catches_up(run, reference))

    return Comparability(
        reference,
        tuple(
            replace(one, differences=tuple(filter(partial(is_remarkable, one.run), one.differences)))
            for one in found.runs
        ),
    )


def catches_up(*runs: RunModel | None) -> bool:
    """Return True if one of these runs trains or waits."""
    return any(run is not None and (run.works or run.elsewhere) for run in runs)


def waiting_label(runs: Iterable[RunModel]) -> str:
    """Return a label that names the run that trains or waits, or their number; "" if all are over."""
    waiting = [run for run in runs if catches_up(run)]
    if not waiting:
        return ""
    if len(waiting) > 1:
        return tr("{count} runs still train or are queued", count=len(waiting))
    run = waiting[0]
    return (
        tr("{run} is queued", run=run.name) if run.state == RunState.QUEUED else tr("{run} still trains", run=run.name)
    )


def reasons_label(reasons: Iterable[Difference]) -> str:
    """Return the labels of several reasons."""
    return ", ".join(map(difference_label, reasons))


def verdict_label(one: Compared, reference: RunModel | None) -> str:
    """Return whether the loss of a run compares with that of the reference, and why it does not.

    A run that has not made all of its steps compares with no other, nor does a training loss with a validation loss.

    Args:
        one: The run, and what separates its loss from the reference.
        reference: The run with which it is compared; None if there is none.
    """
    run = one.run
    if run.awaits_evaluation:
        return tr("not yet: its last evaluation is running")
    reasons = [reason for reason in one.differences if run.is_finished or reason is not Difference.STEPS]
    if not run.is_finished:
        steps = tr("step {n} of {all}", n=number_text(run.step), all=number_text(run.last_step))
        about = steps if run.is_validated else tr("{steps}, training loss", steps=steps)
        others = reasons_label(reasons)
        return tr("not finished: {about}", about=", ".join(filter(None, (about, others))))
    if run is reference or reference is None:
        return tr("the reference")
    if reasons:
        return tr("no: {why}", why=reasons_label(reasons))
    if reference.awaits_evaluation:
        return tr("not yet: the last evaluation of {run} is running", run=reference.name)
    if not reference.is_finished:
        return tr("no: {run} is not finished", run=reference.name)
    if run.is_validated != reference.is_validated:
        return tr("no: validation loss and training loss")
    return tr("yes")
