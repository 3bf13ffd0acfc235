"""The dialog of the gauges on demand: what a run finds hard, its gradients, and the shape of its loss."""

__all__ = ["controller"]
