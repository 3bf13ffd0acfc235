"""Pages of the place Learn for which nothing is trained: worked examples, the computation graph, and explorables."""

__all__ = ["pages"]
