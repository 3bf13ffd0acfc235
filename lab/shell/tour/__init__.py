"""The tour: six pointers at the parts of the window that a first run needs."""

__all__ = ["controller"]
