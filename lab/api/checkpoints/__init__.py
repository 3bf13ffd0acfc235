"""Checkpoints of other programs: formats, converters, and tables of names."""
