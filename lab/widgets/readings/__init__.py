"""Views of readings, chosen by their axes."""

__all__ = ["base", "lines", "mixing", "routing", "state", "views"]
