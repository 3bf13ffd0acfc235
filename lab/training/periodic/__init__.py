"""Work between steps, when it is due: evaluation, samples, readings, checkpoints."""

__all__ = ["checkpoint_policy", "early_stopping", "tasks"]
