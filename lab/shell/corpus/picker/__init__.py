"""The tab that selects the corpus of the draft, with a sample of each corpus."""

__all__ = ["tab"]
