"""The plan of a study: all runs at once, or more of them as runs end."""

from __future__ import annotations

from lab.host import Plugins
from lab.runs.library.recipe_fields import fields_of
from lab.studies.plans import ADAPTIVE, Point, Study, Trial, points_of, suggest, trials_of
from lab.studies.plans.study import Value
from lab.workbench.studies.fair import FairPlan
from lab.workbench.studies.store import StudyStore


def _plain(value: object) -> Value | None:
    """Return a value as a study has it, lists as tuples; None if it is no such value."""
    if isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list) and all(isinstance(each, bool | int | float | str) for each in value):
        return tuple(value)
    return None


class Planner:
    """Returns the runs of a study. The plan never changes what it returned before: a resumed study has the same runs.

    Args:
        study: The study.
        plugins: The plugins, for a fair fight.
        store: What is stored of it.

    Raises:
        BadInput: The plan cannot be used.
    """

    def __init__(self, study: Study, plugins: Plugins, store: StudyStore) -> None:
        self.study, self._store = study, store
        values = fields_of(study.base.model_dump(mode="json", exclude_none=True))
        self._base: dict[str, Value] = {
            path: found for path, value in values.items() if (found := _plain(value)) is not None
        }
        self.fair = FairPlan(study, plugins, store) if study.fair is not None else None
        self._all: list[Trial] | None = None
        if self.fair is None and study.sampler.name not in ADAPTIVE:
            self._all = trials_of(study, points_of(study, self._base))
        elif self.fair is None:
            suggest(study, 0, [], self._base)  # reports that an extra is missing before anything is trained

    def trials(self, ahead: int = 0) -> list[Trial]:
        """Return the runs that are planned so far.

        Args:
            ahead: How many runs could start now: a sampler that learns draws so many settings, and no more.
        """
        if self.fair is not None:
            return self.fair.trials()
        if self._all is not None:
            return self._all
        points = self._store.points()
        found = trials_of(self.study, points)
        if ahead > 0 and len(points) < self.study.sampler.runs and self._waiting(found) < ahead:
            with self._store.planning():
                points = self._store.points()  # of another process, too
                found = trials_of(self.study, points)
                while len(points) < self.study.sampler.runs and self._waiting(found) < ahead:
                    point = suggest(self.study, len(points), self._finished(points, found), self._base)
                    self._store.add_point(point)
                    points.append(point)
                    found += trials_of(self.study, [point], len(found))
        return found

    def _waiting(self, trials: list[Trial]) -> int:
        """Return how many runs have not started."""
        return sum(self._store.run_of(trial.key) is None for trial in trials)

    def _finished(self, points: list[Point], trials: list[Trial]) -> list[tuple[Point, float]]:
        """Return the settings whose seeds have all finished, with their mean losses."""
        each, found = len(self.study.seeds), []
        for at, point in enumerate(points):
            losses = [self._store.loss_of(trial) for trial in trials[at * each : (at + 1) * each]]
            known = [loss for loss in losses if loss is not None]
            if len(known) == each:
                found.append((point, sum(known) / each))
        return found
