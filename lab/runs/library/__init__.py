"""Collections of runs: names, labels, columns, differences, queries, what is measured of a run, and the bin."""

__all__ = [
    "bin",
    "columns",
    "differences",
    "labels",
    "measure",
    "names",
    "queries",
    "recipe_fields",
    "styles",
    "titles",
]
