"""Worked examples computed by the lab's own layers, losses, optimizers and filters, beside their arithmetic."""

__all__ = ["table"]
