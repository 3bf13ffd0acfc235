"""Studies: files that plan many runs of one recipe, and reproduce themselves."""

from lab.studies.plans.adaptive import StoppedRuns, suggest
from lab.studies.plans.points import points_of
from lab.studies.plans.reading import load_study, parse_study
from lab.studies.plans.study import ADAPTIVE, EQUAL, SAMPLERS, FairFight, Point, Sampler, Stopping, Study, Variation
from lab.studies.plans.trials import Trial, point_label, recipe_at, trials_of

__all__ = [
    "ADAPTIVE",
    "EQUAL",
    "SAMPLERS",
    "FairFight",
    "Point",
    "Sampler",
    "StoppedRuns",
    "Stopping",
    "Study",
    "Trial",
    "Variation",
    "load_study",
    "parse_study",
    "point_label",
    "points_of",
    "recipe_at",
    "suggest",
    "trials_of",
]
