"""Figures for export (charts and maps as PNG, SVG, PDF, CSV and Python scripts), and typeset formulas."""

__all__ = [
    "chart",
    "csv_table",
    "diagram",
    "export",
    "links",
    "map",
    "points",
    "script",
    "table_head",
    "vector",
    "view",
]
