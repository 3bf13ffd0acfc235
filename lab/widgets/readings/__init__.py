"""Views of readings, selected by their axes."""

__all__ = ["axes", "base", "context", "heads", "lines", "maps", "mixing", "ranks", "state", "views"]
