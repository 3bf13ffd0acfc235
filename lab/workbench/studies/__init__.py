"""Studies are carried out here: their runs train in local processes or on a cluster, and what they show is put together."""

__all__ = ["cluster", "conclusions", "execution", "results", "run_table", "store"]
