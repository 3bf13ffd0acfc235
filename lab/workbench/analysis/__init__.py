"""Analyses of a run: floors, curves, losses by length, reproducibility, recorded snapshots, what the doctor finds."""

__all__ = ["curves", "examination", "floors", "lengths", "remedies", "snapshots", "verify"]
