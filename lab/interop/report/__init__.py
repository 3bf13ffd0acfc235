"""The report: a run as one HTML page."""

__all__ = ["charts", "markup", "maps", "page", "tables", "words"]
