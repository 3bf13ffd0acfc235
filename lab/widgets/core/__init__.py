"""Theme, icons, controls, cards, the drawing budget, and translation."""
