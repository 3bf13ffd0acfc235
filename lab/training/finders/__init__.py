"""Finders: short trials on a copy of a model that suggest a learning rate, a batch size, or whether a width holds."""

__all__ = ["batches", "noise", "rates", "widths"]
