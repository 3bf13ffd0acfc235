"""The help of the window: the docs as pages with an index, links and search."""

__all__ = ["page"]
