"""The base of the kit: theme, icons, controls, cards, overlays, the drawing budget, and translation."""

__all__ = [
    "appearance", "card", "controls", "drawing", "fonts", "glyphs", "i18n", "icons", "messages", "overlay",
    "search_field", "side_panel", "splitter", "theme",
]  # fmt: skip
