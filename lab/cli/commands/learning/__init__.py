"""Commands about what is taught: lessons, worked examples and computation graphs."""

__all__ = ["examples", "graph", "lessons"]
