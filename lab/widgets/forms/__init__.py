"""Forms derived from a config: rows, groups, values."""
