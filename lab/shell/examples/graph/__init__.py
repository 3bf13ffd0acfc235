"""The page of the computation graph: its drawing, the walk through it, and the steps as a list."""

__all__ = ["page"]
