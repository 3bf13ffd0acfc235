"""The timeline of recorded steps, and two steps side by side."""

__all__ = ["pair", "timeline"]
