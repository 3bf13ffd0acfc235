"""Lists of rows: bars, groups, merges, passages, numbers, and their common base."""

__all__ = ["bar_list", "grouped_list", "merge_list", "number_table", "passage_list", "row_list"]
