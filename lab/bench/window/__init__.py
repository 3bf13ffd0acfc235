"""Benchmarks of the window: its start, its frames beside a training run, scrubbing recorded steps."""

__all__ = ["scrub", "start", "window"]
