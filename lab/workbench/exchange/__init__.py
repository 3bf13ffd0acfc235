"""Import and export of runs: pretrained models and plain scripts."""

__all__ = ["pretrained", "script"]
