"""Analyses of a run: floors, losses by length, costs by position, predictions of rows, repeats, recorded snapshots."""

__all__ = ["curves", "finders", "floors", "lengths", "positions", "predictions", "snapshots", "verify"]
