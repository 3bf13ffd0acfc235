"""The place Learn."""

__all__ = ["place"]
