"""Gauges: what is recorded of each layer while a model trains, without an effect on the training."""

__all__ = ["gauges"]
