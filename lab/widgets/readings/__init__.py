"""Views of readings, selected by their axes."""

__all__ = [
    "axes",
    "axis_choice",
    "base",
    "context",
    "head_scores",
    "heads",
    "lines",
    "maps",
    "mixing",
    "state",
    "views",
]
