"""What is written with a run, as a tree in its folder, and the presets by which it is written."""

__all__ = ["presets", "store", "tree"]
