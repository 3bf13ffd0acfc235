"""Recipe: one TOML file that says everything which decides a result."""

from lab.recipes.assignments import assigned, merged, parse_assignment
from lab.recipes.recipe import Choice, Readings, Recipe, Training

__all__ = ["Choice", "Readings", "Recipe", "Training", "assigned", "merged", "parse_assignment"]
