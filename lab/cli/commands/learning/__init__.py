"""Commands about what is taught: worked examples and computation graphs."""

__all__ = ["examples", "graph"]
