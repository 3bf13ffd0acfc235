"""Studies are carried out here: their runs train here or on a cluster, and what they show is put together."""

__all__ = ["cluster", "conclusions", "execution", "results", "run_table", "store"]
