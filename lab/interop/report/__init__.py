"""The report: a run as one HTML page."""

__all__ = ["charts", "maps", "markup", "page", "tables", "words"]
