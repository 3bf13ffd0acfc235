"""The form of the draft: settings, sizes, baselines, costs, and the button that starts a run."""

__all__ = ["controller"]
