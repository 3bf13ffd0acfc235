"""The commands that score texts, translate them, measure written ones, and test what a run does with them."""

__all__ = ["behaviour", "degeneration", "lockstep", "score", "translate"]
