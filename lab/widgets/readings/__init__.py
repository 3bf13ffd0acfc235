"""Views of readings, selected by their axes."""

__all__ = ["axes", "base", "context", "lines", "maps", "mixing", "state", "views"]
