"""Analyses of a run: floors, curves, losses by length, reproducibility, recorded snapshots."""

__all__ = ["curves", "floors", "lengths", "snapshots", "verify"]
