"""Collections of runs: names, labels, columns, differences, queries, and the bin."""

__all__ = ["bin", "columns", "differences", "labels", "names", "queries", "recipe_fields", "styles", "titles"]
