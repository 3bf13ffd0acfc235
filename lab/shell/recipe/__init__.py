"""The form of the draft: its settings, sizes, baselines and costs, and the button that starts a run."""

__all__ = ["panel"]
