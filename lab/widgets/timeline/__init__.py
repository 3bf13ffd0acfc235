"""The timeline of recorded steps, and the comparison of two steps."""

__all__ = ["pair", "timeline"]
