"""Recipes: one TOML file that defines everything that determines a result."""

from lab.recipes.assignments import merged, parse_assignment, parse_assignments
from lab.recipes.choices import Choice
from lab.recipes.decoding import Decoding
from lab.recipes.gallery import Gallery, GalleryEntry, Points, Recording, gallery
from lab.recipes.link import Link, LinkedCorpus, LinkedRun, is_link, read_link, write_link
from lab.recipes.recipe import LISTED, Distillation, Edit, Readings, Recipe, Training
from lab.recipes.shared import shared_recipe, shared_recipes
from lab.recipes.shipped import LIGHT_QUICK_START, QUICK_START, quick_start_name, shipped, shipped_names, shipped_titles

__all__ = [
    "LIGHT_QUICK_START",
    "LISTED",
    "QUICK_START",
    "Choice",
    "Decoding",
    "Distillation",
    "Edit",
    "Gallery",
    "GalleryEntry",
    "Link",
    "LinkedCorpus",
    "LinkedRun",
    "Points",
    "Readings",
    "Recipe",
    "Recording",
    "Training",
    "gallery",
    "is_link",
    "merged",
    "parse_assignment",
    "parse_assignments",
    "quick_start_name",
    "read_link",
    "shared_recipe",
    "shared_recipes",
    "shipped",
    "shipped_names",
    "shipped_titles",
    "write_link",
]
