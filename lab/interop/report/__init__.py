"""The report: a run as one HTML page."""

__all__ = ["page", "words"]
