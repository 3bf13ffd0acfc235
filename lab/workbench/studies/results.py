"""What is known of the runs of a study: their states and figures, and the arms that they are repetitions of."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from lab.base import LabError, Problem
from lab.base.run_state import RunState
from lab.runs import RunFolder
from lab.studies.plans import Study, Trial
from lab.studies.statistics import Spread, spread_of
from lab.workbench.studies.store import StudyStore

VALIDATION_LOSS = "validation loss"


class TrialState(StrEnum):
    """The states of a run of a study."""

    WAITING = "waiting"
    RUNNING = "running"
    FINISHED = "finished"
    STOPPED = "stopped by its rule"
    FAILED = "failed"


@dataclass(frozen=True)
class TrialResult:
    """A run of a study.

    Args:
        trial: The run.
        state: Its state.
        run: Its folder; None before it started.
        summary: Its figures.
        problem: Why it failed, or the rule's reason; "" for others.
    """

    trial: Trial
    state: TrialState
    run: RunFolder | None
    summary: Mapping[str, Any]
    problem: str = ""

    @property
    def loss(self) -> float | None:
        """Its validation loss; None before it is finished."""
        return self.figure("validation_loss") if self.state == TrialState.FINISHED else None

    @property
    def metrics(self) -> list[str]:
        """The names of its further metrics, as `figure` takes them."""
        found = self.summary.get("metrics")
        return [f"metrics.{name}" for name in found] if isinstance(found, Mapping) else []

    def figure(self, name: str) -> float | None:
        """Return a figure of its summary, or "metrics.NAME" of its metrics, if it is a number."""
        table, _, metric = name.rpartition("metrics.")
        found = self.summary.get("metrics") if not table and name.startswith("metrics.") else self.summary
        value = found.get(metric) if isinstance(found, Mapping) else None
        return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


@dataclass(frozen=True)
class ArmResult:
    """Finished runs that differ in nothing but the seed.

    Args:
        name: What distinguishes them from other arms.
        trials: They.
        spread: The spread of what the study compares: validation losses, or bits per byte.
    """

    name: str
    trials: tuple[TrialResult, ...]
    spread: Spread

    def mean(self, figure: str) -> float | None:
        """Return the mean of a figure of the summaries; None if a run lacks it."""
        values = [each.figure(figure) for each in self.trials]
        known = [value for value in values if value is not None]
        return sum(known) / len(known) if known and len(known) == len(values) else None


@dataclass(frozen=True)
class StudyResults:
    """All runs of a study.

    Args:
        study: The study.
        trials: Its runs in the order of the plan.
    """

    study: Study
    trials: tuple[TrialResult, ...]

    @classmethod
    def of(
        cls, study: Study, trials: Sequence[Trial], store: StudyStore, failed: Mapping[str, Problem] | None = None
    ) -> StudyResults:
        """Return what is known of runs.

        Args:
            study: The study.
            trials: Its runs.
            store: What is stored of it.
            failed: Why runs failed, by key.
        """
        stopped = store.stopped()
        return cls(study, tuple(_result(each, store, stopped, failed or {}) for each in trials))

    @property
    def arms(self) -> list[ArmResult]:
        """The arms with a finished run, the lowest mean first."""
        groups: dict[str, list[tuple[TrialResult, float]]] = {}
        for each in self.trials:
            value = each.figure(self.study.figure) if each.state == TrialState.FINISHED else None
            if value is not None and math.isfinite(value):
                groups.setdefault(each.trial.arm, []).append((each, value))
        found = [
            ArmResult(name, tuple(each for each, _ in group), spread_of([value for _, value in group]))
            for name, group in groups.items()
        ]
        return sorted(found, key=lambda arm: arm.spread.mean)

    @property
    def is_complete(self) -> bool:
        """True if no run is left to train."""
        return all(each.state not in (TrialState.WAITING, TrialState.RUNNING) for each in self.trials)


def _result(trial: Trial, store: StudyStore, stopped: Mapping[str, str], failed: Mapping[str, Problem]) -> TrialResult:
    known = store.finished.get(trial.key)
    if known is not None:
        return TrialResult(trial, TrialState.FINISHED, *known)
    run = store.run_of(trial.key)
    state, summary = TrialState.WAITING, dict[str, Any]()
    if run is not None:
        try:
            status = run.status()
        except LabError:
            status = None
        if status is not None:
            summary = dict(status.summary)
            states = {RunState.FINISHED: TrialState.FINISHED, RunState.RUNNING: TrialState.RUNNING}
            state = states.get(status.state, TrialState.WAITING)
            if state == TrialState.FINISHED:
                store.finished[trial.key] = run, summary
    if trial.key in failed:
        return TrialResult(trial, TrialState.FAILED, run, summary, failed[trial.key].line())
    if trial.key in stopped and state != TrialState.FINISHED:
        return TrialResult(trial, TrialState.STOPPED, run, summary, stopped[trial.key])
    return TrialResult(trial, state, run, summary)
