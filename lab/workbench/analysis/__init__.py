"""Analyses of a run: floors, curves, losses by length, costs by position, reproducibility, recorded snapshots."""

__all__ = ["curves", "floors", "lengths", "positions", "snapshots", "verify"]
