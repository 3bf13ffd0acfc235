"""The commands that ask a run for something else than a continuation: classes, numbers, hidden tokens."""

__all__ = ["classify", "fill", "predict"]
