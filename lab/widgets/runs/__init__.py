"""Runs as a list and as a table: their models, their delegate, their views."""

__all__ = ["delegate", "list_model", "list_view", "table", "table_model"]
