"""The Qt kit of the window, open to plugins' own views: theme, cards, charts, maps, forms, token text."""

__all__ = [
    "charts",
    "core",
    "diagram",
    "explorables",
    "figures",
    "forms",
    "formulas",
    "lists",
    "maps",
    "planes",
    "readings",
    "runs",
    "timeline",
    "tokens",
]
