"""Figures for export: charts and maps as PNG, SVG, PDF, CSV and Python scripts."""

__all__ = ["chart", "csv_table", "diagram", "export", "links", "map", "points", "script", "vector", "view"]
