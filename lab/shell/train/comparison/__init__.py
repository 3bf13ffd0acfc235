"""The comparison of the shown runs: what separates their losses, their losses on the same text, the part of chance."""

__all__ = ["line"]
