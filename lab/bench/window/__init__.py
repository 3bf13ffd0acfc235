"""Benchmarks of the window: its start, its frames, scrubbing, the painting of charts, and what a long use leaves."""

__all__ = ["charts", "drawing", "scrub", "soak", "start", "window"]
