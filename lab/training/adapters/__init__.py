"""Adapters: a few parameters that are trained in place of the weights of a finished run, and folded into them."""

__all__ = ["attaching", "bases", "builtins"]
