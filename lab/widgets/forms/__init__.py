"""Forms derived from a config: rows, groups, values."""

__all__ = ["browse", "form", "groups", "number_field", "row_parts", "rows", "translated", "values"]
