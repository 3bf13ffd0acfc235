"""Lists of rows: bars, merges, passages, and their common base."""

__all__ = ["bar_list", "merge_list", "passage_list", "row_list"]
