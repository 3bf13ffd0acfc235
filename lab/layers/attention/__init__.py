"""Attention: scores, masks, the key-value cache, positions."""

__all__ = ["attention", "biases", "cross", "masks", "positions"]
