"""Forms derived from a config: rows, groups, values."""

__all__ = ["form", "number_field", "row_parts", "rows"]
