"""Analyses of a run: floors, curves, losses by length, reproducibility, recorded snapshots."""

__all__ = ["curves", "finders", "floors", "lengths", "snapshots", "verify"]
