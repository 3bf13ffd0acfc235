"""The parts of a study: what varies, who draws the settings, when runs are stopped, what a fair fight holds equal."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import tomli_w

from lab.recipes import Recipe
from lab.runs.library.measure import RunMeasure

Single: TypeAlias = bool | int | float | str
Value: TypeAlias = Single | tuple[Single, ...]
"""A value of a setting; a tuple is a list, such as architecture.widths."""
Point: TypeAlias = dict[str, Value]
"""The values of one setting of a study, by path."""

FORMAT = 1
ADAPTIVE = ("tpe", "gp")
"""Samplers that learn from the runs that have ended; Optuna provides them."""
SAMPLERS = ("grid", "random", "latin-hypercube", *ADAPTIVE)
RULES = ("none", "asha", "hyperband", "median")
"""Rules that stop runs; Optuna provides them."""
EQUAL = ("parameters", "active_parameters", "flops_per_token", "tokens", "seconds")
"""What a fair fight can hold equal."""
COMPARED = ("validation_loss", "bits_per_byte")
"""Figures by which arms are compared; losses of different tokens do not compare, bits per byte do."""


@dataclass(frozen=True)
class Variation:
    """A setting that varies.

    Args:
        path: Its path in the recipe, such as training.optimizer.learning_rate.
        values: Its values; () if it has a range.
        low: The lower end of its range.
        high: The upper end.
        log: Whether the range is spaced by factors.
        whole: Whether only whole numbers are taken.
        count: The points of a grid in the range.
        when: It varies only where each of these paths has one of these values.
    """

    path: str
    values: tuple[Value, ...] = ()
    low: float = 0.0
    high: float = 0.0
    log: bool = False
    whole: bool = False
    count: int = 3
    when: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)

    def applies(self, point: Mapping[str, Value], base: Mapping[str, Value]) -> bool:
        """Return True if it varies beside these values.

        Args:
            point: The values drawn so far.
            base: The settings of the base recipe by path.
        """
        return all(point.get(path, base.get(path)) in values for path, values in self.when.items())

    def as_dict(self) -> dict[str, Any]:
        """Return it as in a study file."""
        found: dict[str, Any] = {"path": self.path}
        if self.values:
            found["values"] = [list(value) if isinstance(value, tuple) else value for value in self.values]
        else:
            found |= {"low": self.low, "high": self.high, "log": self.log, "whole": self.whole, "count": self.count}
        return found | ({"when": {path: list(values) for path, values in self.when.items()}} if self.when else {})


@dataclass(frozen=True)
class Sampler:
    """Who draws the settings.

    Args:
        name: One of SAMPLERS.
        runs: How many settings are drawn; a grid has its own number.
        seed: The seed of the draws.
    """

    name: str = "grid"
    runs: int = 10
    seed: int = 0


@dataclass(frozen=True)
class Stopping:
    """When runs are stopped.

    Args:
        rule: "none", or one of RULES, which compares a run with others at the same step.
        first: The first step at which runs are compared.
        factor: Of so many runs, one goes on at each comparison of "asha" and "hyperband".
        minutes: No run is started after so many minutes; 0 for no limit.
    """

    rule: str = "none"
    first: int = 100
    factor: int = 3
    minutes: float = 0.0


@dataclass(frozen=True)
class FairFight:
    """A comparison of architectures at something equal.

    Args:
        architectures: Their names.
        equal: One of EQUAL.
        target: The amount that is held equal; 0 takes that of the first architecture as the recipe has it.
        rates: Learning rates that each arm is tried with on the first seed; () takes the recipe's.
    """

    architectures: tuple[str, ...]
    equal: str = "parameters"
    target: float = 0.0
    rates: tuple[float, ...] = ()


@dataclass(frozen=True)
class Study:
    """A plan of runs.

    Args:
        title: Its title.
        question: What it is to answer, in one sentence.
        look: What to look at in its results and in its runs; "" if it says nothing.
        minutes: About how long it takes on one core; 0 if it says nothing.
        base: The recipe that all runs share.
        seeds: The seeds of each setting.
        variations: What varies.
        sampler: Who draws the settings.
        stopping: When runs are stopped.
        fair: The fair fight that it is; None for other studies.
        figure: One of COMPARED.
        data_per_seed: Whether each seed draws rows of its own (corpus.seed); then the error of each setting is
            decomposed into bias, variance and noise, where there are enough seeds.
        measures: What is measured of each finished run besides.
    """

    title: str
    question: str
    base: Recipe
    seeds: tuple[int, ...]
    variations: tuple[Variation, ...] = ()
    sampler: Sampler = field(default_factory=Sampler)
    stopping: Stopping = field(default_factory=Stopping)
    fair: FairFight | None = None
    figure: str = "validation_loss"
    data_per_seed: bool = False
    measures: tuple[RunMeasure, ...] = ()
    look: str = ""
    minutes: float = 0.0

    def to_toml(self) -> str:
        """Return the study as a file that needs no other: its recipe is spelled out with all defaults."""
        found: dict[str, Any] = {
            "format": FORMAT,
            "title": self.title,
            "question": self.question,
            "figure": self.figure,
            "seeds": list(self.seeds),
            "base": {"format": Recipe.version, **self.base.model_dump(mode="json", exclude_none=True)},
        }
        if self.look:
            found["look"] = self.look
        if self.minutes:
            found["minutes"] = self.minutes
        if self.data_per_seed:  # studies without it keep their names
            found["data_per_seed"] = True
        if self.variations:
            found["vary"] = [each.as_dict() for each in self.variations]
        if self.measures:
            found["measures"] = [each.model_dump(mode="json", exclude_defaults=True) for each in self.measures]
        found["sampler"] = vars(self.sampler)
        found["stopping"] = vars(self.stopping)
        if self.fair is not None:
            fair = self.fair
            found["fair"] = {
                "architectures": list(fair.architectures),
                "equal": fair.equal,
                "target": fair.target,
                "rates": list(fair.rates),
            }
        return tomli_w.dumps(found)

    @property
    def name(self) -> str:
        """The name of its folder and the tag of its runs, with a digest of its content: "gelu-relu-1f2e3d4c".

        What to look at and its minutes may change without making it another study.
        """
        decides = replace(self, look="", minutes=0.0).to_toml()
        words = re.sub(r"[^a-z0-9]+", "-", self.title.casefold()).strip("-")[:28].strip("-")
        return f"{words or 'study'}-{hashlib.sha256(decides.encode()).hexdigest()[:8]}"
