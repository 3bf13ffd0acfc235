"""Several runs that write side by side, token by token, on one prompt and with the same random numbers."""

__all__ = ["columns", "texts"]
