"""Import and export of runs and recipes: pretrained models, plain scripts, links."""

__all__ = ["link", "merging", "pretrained", "script"]
