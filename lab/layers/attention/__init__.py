"""Attention: scores, masks, the key-value cache, positions."""
