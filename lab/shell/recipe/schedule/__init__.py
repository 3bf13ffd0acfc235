"""The schedule of the next run as curves, with points to drag."""

__all__ = ["editor"]
