"""Analyses of a run: floors, losses by length, costs, predictions of rows, repeats, snapshots, findings."""

__all__ = [
    "curves",
    "examination",
    "finders",
    "floors",
    "lengths",
    "measurements",
    "positions",
    "predictions",
    "remedies",
    "snapshots",
    "strip",
    "verify",
]
