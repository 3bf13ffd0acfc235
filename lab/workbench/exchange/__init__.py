"""Runs in and out of the lab: pretrained models and plain scripts."""

__all__ = ["pretrained", "script"]
