"""Analyses of a run: floors, curves, losses by length, ablation, reproducibility, recorded snapshots."""

__all__ = ["ablation", "curves", "floors", "lengths", "snapshots", "verify"]
