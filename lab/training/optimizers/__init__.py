"""Optimizers: groups of parameters with their rates and state, and the optimizers that come with the lab."""

__all__ = ["builtins", "groups", "listing", "points"]
