"""Statistics of a text: counts, entropies, repeats, duplicates, overlap, compressors."""

__all__ = ["compressors", "duplicates", "entropy", "grams", "overlap", "progress", "repeats", "report", "zipf"]
