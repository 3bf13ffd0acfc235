"""The help: the docs as pages with an index, links and search."""

__all__ = ["page"]
