"""The base of the kit: theme, icons, controls, cards, overlays, the drawing budget, and translation."""

__all__ = ["card", "controls", "drawing", "explanation", "glyphs", "i18n", "icons", "overlay", "side_panel", "theme"]
