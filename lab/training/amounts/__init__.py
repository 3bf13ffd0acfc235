"""How much is trained: the budget in steps, tokens or time, and batches and contexts that grow."""

__all__ = ["budget", "warmups"]
