"""The base of the kit: theme, icons, controls, cards, overlays, the drawing budget, and translation."""

__all__ = [
    "appearance",
    "card",
    "controls",
    "drawing",
    "fonts",
    "glyphs",
    "i18n",
    "icons",
    "overlay",
    "side_panel",
    "theme",
]
