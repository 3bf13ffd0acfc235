"""Benchmarks of the window: start, frames, scrubbing, painting of charts, writing, and what a long use leaves."""

__all__ = ["arms", "charts", "drawing", "plane", "scrub", "soak", "start", "window", "writing"]
