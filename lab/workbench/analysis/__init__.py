"""Analyses of a run: floors, curves, losses by length, predictions of rows, reproducibility, recorded snapshots."""

__all__ = ["curves", "floors", "lengths", "predictions", "snapshots", "verify"]
