"""A class without a network: recipes handed out, runs handed in, and the table of what was handed in."""

__all__ = ["collecting", "hand_in", "hand_out", "page", "table"]
