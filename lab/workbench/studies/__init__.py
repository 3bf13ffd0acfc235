"""Studies are carried out here: their runs train in local processes, and what they show is put together."""

__all__ = ["conclusions", "execution", "results", "run_table"]
