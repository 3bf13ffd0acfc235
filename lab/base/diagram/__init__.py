"""The drawing of a model: the tree of its parts, and the boxes and lines that show it, without Qt."""

__all__ = ["layout", "parts"]
