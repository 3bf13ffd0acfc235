"""A run as one HTML page."""

__all__ = ["page"]
