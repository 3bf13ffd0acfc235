"""Recipe: one TOML file that says everything which decides a result."""

from lab.recipes.assignments import merged, parse_assignment, parse_assignments
from lab.recipes.recipe import LISTED, Choice, Edit, Readings, Recipe, Training

__all__ = [
    "LISTED",
    "Choice",
    "Edit",
    "Readings",
    "Recipe",
    "Training",
    "merged",
    "parse_assignment",
    "parse_assignments",
]
