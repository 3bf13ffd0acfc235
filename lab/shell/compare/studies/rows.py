"""The runs of a study as rows of a table, and in a sentence."""

from __future__ import annotations

import os

import psutil  # type: ignore[import-untyped]

from lab.base.units import duration
from lab.shell.compare.many.table_model import Cell
from lab.widgets.core.i18n import localized, tr
from lab.workbench.studies.results import StudyResults, TrialState


def table_of(results: StudyResults) -> tuple[list[str], list[list[Cell]]]:
    """Return titles and cells of the runs of a study, in their order."""
    titles = [tr("Run"), tr("Setting"), tr("Seed"), tr("State"), tr("Loss"), tr("Time")]
    rows = []
    for each in results.trials:
        seconds, state = each.figure("seconds"), state_labels()[each.state]
        rows.append(
            [
                Cell(str(each.trial.number + 1), float(each.trial.number)),
                Cell(each.trial.arm, each.trial.arm),
                Cell(str(each.trial.seed), float(each.trial.seed)),
                Cell(f"{state}: {each.problem}" if each.problem else state, state),
                Cell("–" if each.loss is None else localized(f"{each.loss:.4f}"), each.loss),
                Cell("–" if seconds is None else localized(duration(seconds)), seconds),
            ]
        )
    return titles, rows


def summary_of(results: StudyResults) -> str:
    """Return how many runs of a study are in which state."""
    counts: dict[TrialState, int] = {}
    for each in results.trials:
        counts[each.state] = counts.get(each.state, 0) + 1
    labels = state_labels()
    return ", ".join(f"{count} {labels[state]}" for state, count in counts.items())


def state_labels() -> dict[TrialState, str]:
    """Return the states of runs with their labels."""
    return {
        TrialState.WAITING: tr("waiting"),
        TrialState.RUNNING: tr("training"),
        TrialState.FINISHED: tr("finished"),
        TrialState.STOPPED: tr("stopped by its rule"),
        TrialState.FAILED: tr("failed"),
    }


def machine_label() -> str:
    """Return the cores of this machine, how busy they are, and its free memory."""
    cores, free = os.cpu_count() or 1, psutil.virtual_memory().available / 2**30
    busy = psutil.cpu_percent(interval=None)
    return tr("{cores} cores, {busy} % busy, {free} GB of memory free", cores=cores, busy=round(busy),
              free=localized(f"{free:.1f}"))  # fmt: skip
