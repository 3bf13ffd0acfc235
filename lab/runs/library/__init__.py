"""Many runs: their names, labels, columns and differences, queries over them, and the bin."""

__all__ = ["bin", "columns", "differences", "labels", "names", "queries", "recipe_fields"]
