"""What is computed about a run: floors, curves, losses by length, reproducibility, recorded steps."""

__all__ = ["curves", "floors", "lengths", "moments", "verify"]
