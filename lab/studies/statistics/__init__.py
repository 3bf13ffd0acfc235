"""What can honestly be said of runs: spread over seeds, and differences between arms on the same windows."""

from lab.studies.statistics.paired import Arm, PairedTest, compare_arms
from lab.studies.statistics.spread import SPREADS, Spread, spread_of, t_quantile

__all__ = ["SPREADS", "Arm", "PairedTest", "Spread", "compare_arms", "spread_of", "t_quantile"]
