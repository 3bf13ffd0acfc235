"""The export of a run as one plain PyTorch script."""

__all__ = ["export"]
