"""Inspect: the inside of a model on a text, now or at a recorded step."""

__all__ = ["ablation", "cards", "model", "place", "reading_card"]
