"""Lists and tables: runs, passages, bars, merges."""
