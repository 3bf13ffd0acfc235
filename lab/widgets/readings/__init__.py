"""Views of readings, chosen by their axes."""

__all__ = ["axes", "base", "context", "lines", "maps", "mixing", "state", "views"]
