"""What can honestly be said of runs: spread over seeds, and differences between arms on the same windows."""

from lab.studies.statistics.decomposition import Decomposition, decompose
from lab.studies.statistics.groups import RunFigures, differing_fields, grouped, pareto_front
from lab.studies.statistics.importance import importance
from lab.studies.statistics.paired import Arm, PairedTest, compare_arms
from lab.studies.statistics.spread import SPREADS, Spread, spread_of, t_quantile

__all__ = [
    "SPREADS",
    "Arm",
    "Decomposition",
    "PairedTest",
    "RunFigures",
    "Spread",
    "compare_arms",
    "decompose",
    "differing_fields",
    "grouped",
    "importance",
    "pareto_front",
    "spread_of",
    "t_quantile",
]
