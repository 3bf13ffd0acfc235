"""The tab where the corpus of the draft is selected, with a sample of each corpus."""

__all__ = ["tab"]
