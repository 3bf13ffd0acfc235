"""Figures for export: PNG, SVG, PDF, CSV, scripts."""
