"""A run as one plain PyTorch script."""

__all__ = ["export"]
