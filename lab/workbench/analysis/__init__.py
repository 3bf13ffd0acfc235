"""What is computed about a run: floors, curves, losses by length, reproducibility, recorded steps."""

__all__ = ["ablation", "curves", "floors", "lengths", "snapshots", "verify"]
