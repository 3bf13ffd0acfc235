"""Fair fights: each architecture is sized until something is equal, tried with the same rates, and repeated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lab.base import BadInput
from lab.host import Plugins
from lab.recipes import Recipe
from lab.studies.plans import FairFight, Point, Study, Trial, recipe_at
from lab.workbench.launch.preflight import Estimator, Preflight
from lab.workbench.launch.same_size import nearest_width
from lab.workbench.studies.store import StudyStore

RATE = "training.optimizer.learning_rate"
SIZED = ("parameters", "active_parameters", "flops_per_token")
"""What the width is searched for; tokens and seconds are equal by the recipe."""
TOLERATED = 0.02
"""Relative difference up to which a figure counts as equal."""
FIGURES = {
    "parameters": "parameters",
    "active_parameters": "active parameters",
    "flops_per_token": "FLOPs per token",
    "tokens": "tokens",
}


@dataclass(frozen=True)
class SizedArm:
    """An architecture of a fair fight.

    Args:
        name: Its name.
        point: What it changes of the base recipe.
        figures: What it costs, before any run.
    """

    name: str
    point: Point
    figures: Preflight

    def figure(self, name: str) -> float | None:
        """Return a figure by its name in FIGURES."""
        value = getattr(self.figures, name)
        return None if value is None else float(value)


class FairPlan:
    """The plan of a fair fight: all rates on the first seed, then the other seeds with the best rate of each arm.

    Args:
        study: The study; it is a fair fight.
        plugins: The plugins.
        store: What is stored of it.

    Raises:
        BadInput: An architecture does not exist, or has no width that could be searched.
        LabError: A plugin's code raised.
    """

    def __init__(self, study: Study, plugins: Plugins, store: StudyStore) -> None:
        assert study.fair is not None
        self._study, self._store, self._fair = study, store, study.fair
        self.arms = _sized(study, study.fair, plugins)
        self._first = self._trials_at_first()

    def trials(self) -> list[Trial]:
        """Return the runs that are planned so far."""
        found = list(self._first)
        for arm in self.arms:
            best = self.best_rate(arm)
            if best is not None:
                for seed in self._study.seeds[1:]:
                    found.append(self._trial(len(found), arm, best, seed))
        return found

    def best_rate(self, arm: SizedArm) -> float | None:
        """Return the rate of the lowest loss on the first seed; None until all rates were tried."""
        tried = [trial for trial in self._first if trial.recipe.architecture.name == arm.name]
        stopped = self._store.stopped()
        losses = {
            float(rate): self._store.loss_of(trial)
            for trial in tried
            if trial.key not in stopped and not isinstance(rate := trial.point[RATE], tuple)
        }
        known = {rate: loss for rate, loss in losses.items() if loss is not None}
        return min(known, key=lambda rate: known[rate]) if known and len(known) == len(losses) else None

    def arm_label(self, arm: SizedArm, rate: float) -> str:
        """Return the name of an arm with a rate, as its runs have it."""
        return f"{arm.name}, rate {rate:.4g}"

    def unequal(self) -> list[str]:
        """Return what is not equal, one sentence for each figure."""
        found = []
        for name, title in FIGURES.items():
            values = {arm.name: arm.figure(name) for arm in self.arms}
            known = {arm: value for arm, value in values.items() if value is not None}
            if known and max(known.values()) > (1 + TOLERATED) * min(known.values()):
                shown = ", ".join(f"{arm} {value:.4g}" for arm, value in known.items())
                found.append(f"{title} are not equal: {shown}")
        return found

    def _rates(self) -> tuple[float, ...]:
        base = self._study.base.training.optimizer.settings.get("learning_rate", 1e-3)
        return self._fair.rates or (float(base),)

    def _trials_at_first(self) -> list[Trial]:
        found: list[Trial] = []
        for arm in self.arms:
            for rate in self._rates():
                found.append(self._trial(len(found), arm, rate, self._study.seeds[0]))
        return found

    def _trial(self, number: int, arm: SizedArm, rate: float, seed: int) -> Trial:
        point: Point = {**arm.point, RATE: rate}
        return Trial(number, point, seed, recipe_at(self._study, point, seed), self.arm_label(arm, rate))


def _sized(study: Study, fair: FairFight, plugins: Plugins) -> list[SizedArm]:
    estimator, found, target = Estimator(), list[SizedArm](), fair.target
    for name in fair.architectures:
        if name not in plugins.cards("architectures"):
            allowed = ", ".join(plugins.cards("architectures"))
            raise BadInput("there is no such architecture", field="fair.architectures", value=name, allowed=allowed)
        point: Point = {"architecture.name": name}
        recipe = recipe_at(study, point, study.seeds[0])
        if fair.equal in SIZED:
            if target:
                point = {**point, **_width_for(recipe, fair.equal, target, plugins, estimator)}
            else:
                first = getattr(estimator.preflight(recipe, plugins), fair.equal)
                if not first:
                    what = (
                        f"the {FIGURES[fair.equal]} of {name} are not known, so that nothing can be made equal to them"
                    )
                    raise BadInput(
                        what, field="fair.equal", value=fair.equal, remedy="Set fair.target, or take another one"
                    )
                target = float(first)
        found.append(SizedArm(name, point, estimator.preflight(recipe_at(study, point, study.seeds[0]), plugins)))
    return found


def _width_for(recipe: Recipe, equal: str, target: float, plugins: Plugins, estimator: Estimator) -> Mapping[str, int]:
    found = nearest_width(recipe, round(target), plugins, estimator, figure=equal)
    return {"architecture.width": found.width}
