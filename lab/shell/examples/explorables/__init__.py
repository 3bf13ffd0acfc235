"""Cards for which nothing is trained: something is moved, and the numbers that follow from it are drawn."""

__all__ = ["page"]
