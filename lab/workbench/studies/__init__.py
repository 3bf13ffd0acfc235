"""Studies are carried out here: their runs train in local processes or on a cluster, and results are put together."""

__all__ = ["cluster", "conclusions", "execution", "results", "store"]
