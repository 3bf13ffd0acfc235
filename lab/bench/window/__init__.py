"""Benchmarks of the window: its start, its frames during a training, scrubbing, and the painting of charts."""

__all__ = ["charts", "drawing", "scrub", "start", "window"]
