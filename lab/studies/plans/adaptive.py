"""Samplers and stopping rules of Optuna behind the lab's own interface; Optuna is an extra, imported late."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from lab.base.extras import need
from lab.studies.plans.study import Point, Study, Value, Variation


def suggest(
    study: Study, number: int, finished: Sequence[tuple[Mapping[str, Value], float]], base: Mapping[str, Value]
) -> Point:
    """Return the next setting to try: a function of the study, its number and what has finished.

    Args:
        study: The study; its sampler is one of ADAPTIVE.
        number: How many settings were suggested before.
        finished: The settings that have finished, each with the mean loss of its seeds.
        base: The settings of the recipe by path.

    Raises:
        BadInput: Optuna is not installed.
    """
    optuna = _optuna(f"The sampler {study.sampler.name}")
    seed = study.sampler.seed + number
    makers = {
        "tpe": lambda: optuna.samplers.TPESampler(seed=seed, multivariate=False, n_startup_trials=5),
        "gp": lambda: optuna.samplers.GPSampler(seed=seed, n_startup_trials=5),
    }
    kinds = {each.path: _distribution(optuna, each) for each in study.variations}
    search = optuna.create_study(direction="minimize", sampler=makers[study.sampler.name]())
    for point, loss in finished:
        values = {each.path: _inside(each, point[each.path]) for each in study.variations if each.path in point}
        known = {path: kinds[path] for path in values}
        search.add_trial(optuna.trial.create_trial(params=values, distributions=known, value=loss))
    trial = search.ask()
    found: Point = {}
    for each in study.variations:
        if each.applies(found, base):
            found[each.path] = _suggested(trial, each)
    return found


def _suggested(trial: Any, each: Variation) -> Value:
    """Return the value that a sampler takes; of a range, one that can be typed again."""
    if each.values:
        value: Value = trial.suggest_categorical(each.path, each.values)
        return value
    if each.whole:
        return int(trial.suggest_int(each.path, int(each.low), int(each.high), log=each.log))
    return float(f"{trial.suggest_float(each.path, each.low, each.high, log=each.log):.6g}")


def _inside(each: Variation, value: Value) -> Value:
    """Return a value as its distribution takes it: rounding may have moved it beyond an end of the range."""
    if each.values:
        return value
    assert not isinstance(value, tuple)  # a range has no lists
    inside = min(max(float(value), each.low), each.high)
    return int(inside) if each.whole else inside


def _distribution(optuna: Any, each: Variation) -> Any:
    if each.values:
        return optuna.distributions.CategoricalDistribution(each.values)
    if each.whole:
        return optuna.distributions.IntDistribution(int(each.low), int(each.high), log=each.log)
    return optuna.distributions.FloatDistribution(each.low, each.high, log=each.log)


class StoppedRuns:
    """Decides which runs of a study are stopped, by comparing their validation losses at the same steps.

    Args:
        study: The study; its rule is not "none".

    Raises:
        BadInput: Optuna is not installed.
    """

    def __init__(self, study: Study) -> None:
        rule = study.stopping
        optuna = self._optuna = _optuna(f"The stopping rule {rule.rule}")
        last = max(rule.first + 1, study.base.training.steps)
        makers = {
            "asha": lambda: optuna.pruners.SuccessiveHalvingPruner(
                min_resource=rule.first, reduction_factor=rule.factor, min_early_stopping_rate=0
            ),
            "hyperband": lambda: optuna.pruners.HyperbandPruner(
                min_resource=rule.first, max_resource=last, reduction_factor=rule.factor
            ),
            "median": lambda: optuna.pruners.MedianPruner(n_startup_trials=2, n_warmup_steps=rule.first),
        }
        self._rule = rule
        self._search = optuna.create_study(
            direction="minimize", pruner=makers[rule.rule](), sampler=optuna.samplers.RandomSampler(seed=0)
        )
        self._trials: dict[int, Any] = {}
        self._steps: dict[int, set[int]] = {}
        self._last: dict[int, float] = {}  # the last loss of each run
        self._ended: set[int] = set()

    def report(self, number: int, step: int, loss: float) -> str | None:
        """Take the validation loss of a run at a step, and return why it is to be stopped; None if it goes on.

        Args:
            number: The number of the run.
            step: Its step; one that was reported before changes nothing.
            loss: The loss; of NaN the run is stopped.
        """
        if number not in self._trials:
            self._trials[number], self._steps[number] = self._search.ask(), set()
        if step in self._steps[number]:
            return None
        self._steps[number].add(step)
        trial = self._trials[number]
        if math.isnan(loss):
            return f"stopped at step {step:,}: its loss is not a number"
        trial.report(loss, step)
        self._last[number] = loss
        if step < self._rule.first or not trial.should_prune():
            return None
        others = sum(step in steps for steps in self._steps.values())
        share = {"median": "in the better half"}.get(self._rule.rule, f"among the best 1 of {self._rule.factor}")
        return f"stopped at step {step:,} by {self._rule.rule}: its loss of {loss:.4f} is not {share} of {others} runs"

    def ended(self, number: int) -> None:
        """Take note that a run has trained to its end: "median" compares with such runs alone.

        Args:
            number: The number of the run; one without a loss, or that was noted before, changes nothing.
        """
        if number in self._last and number not in self._ended:
            self._ended.add(number)
            self._search.tell(self._trials[number], self._last[number])


def _optuna(what: str) -> Any:
    optuna = need("optuna", "studies", what)
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    return optuna
