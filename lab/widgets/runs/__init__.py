"""Runs as a list and as a table: their models, their delegate, their views."""
