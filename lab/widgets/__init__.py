"""The Qt kit of the window, open to plugins' own views: theme, cards, charts, maps, forms, token text."""

__all__ = [
    "charts",
    "core",
    "diagram",
    "figures",
    "forms",
    "lists",
    "maps",
    "planes",
    "readings",
    "runs",
    "timeline",
    "tokens",
]
