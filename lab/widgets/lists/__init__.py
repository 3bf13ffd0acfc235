"""Lists of rows: bars, groups, merges, passages, and their common base."""

__all__ = ["bar_list", "grouped_list", "merge_list", "passage_list", "row_list"]
