"""Statistics of a text: counts, entropies, repeats, duplicates, overlap, compressors."""
