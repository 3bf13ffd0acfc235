"""The tab of the statistics of the corpus."""

__all__ = ["tab"]
