"""Finders: trials on a copy of a model for a learning rate, a batch size, other widths, or the time of a step."""

__all__ = ["batches", "durations", "noise", "rates", "trials", "widths"]
