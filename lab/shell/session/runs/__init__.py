"""The runs of the session: a model for each run, the registry of all runs, and their commands."""

__all__ = [
    "commands",
    "comparability",
    "durations",
    "formatting",
    "loss_unit",
    "model",
    "registry",
    "repetitions",
    "transfers",
]
