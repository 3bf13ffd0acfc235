"""Recipes: one TOML file that defines everything that determines a result."""

from lab.recipes.assignments import merged, parse_assignment, parse_assignments
from lab.recipes.gallery import Gallery, GalleryEntry, Points, Recording, gallery
from lab.recipes.recipe import LISTED, Choice, Edit, Readings, Recipe, Training
from lab.recipes.shipped import QUICK_START, shipped, shipped_names, shipped_titles

__all__ = [
    "LISTED",
    "QUICK_START",
    "Choice",
    "Edit",
    "Gallery",
    "GalleryEntry",
    "Points",
    "Readings",
    "Recipe",
    "Recording",
    "Training",
    "gallery",
    "merged",
    "parse_assignment",
    "parse_assignments",
    "shipped",
    "shipped_names",
    "shipped_titles",
]
