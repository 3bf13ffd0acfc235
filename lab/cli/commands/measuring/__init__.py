"""The commands that measure a model: trials of a recipe, gauges on demand of a run, and probes."""

__all__ = ["find", "gauges", "probe"]
