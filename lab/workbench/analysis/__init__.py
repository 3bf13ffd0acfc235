"""Analyses of a run: floors, losses by length, costs by position, predictions of rows, repeats, recorded snapshots."""

__all__ = ["curves", "floors", "lengths", "positions", "predictions", "snapshots", "verify"]
