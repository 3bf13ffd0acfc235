"""Inspect: the inside of a model on a text, now or at a recorded step."""
