"""The tab with the statistics of the corpus."""

__all__ = ["tab"]
