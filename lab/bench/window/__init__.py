"""Benchmarks of the window: its start, its frames during a training, scrubbing through recorded steps."""

__all__ = ["drawing", "scrub", "start", "window"]
