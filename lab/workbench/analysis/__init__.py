"""Analyses of a run: floors, losses by length, costs, predictions of rows, repeats, snapshots, findings."""

__all__ = [
    "curves",
    "examination",
    "finders",
    "floors",
    "lengths",
    "measurements",
    "plane_fit",
    "positions",
    "predictions",
    "remedies",
    "snapshots",
    "step_graph",
    "strip",
    "verify",
]
