"""Data in rows: checks, columns of numbers, splits, and the losses of the simplest models."""

__all__ = ["columns", "floors", "page", "promises", "scaling", "source", "turns"]
