"""The page Translate of Play: a source, the hypotheses of a run with their scores, and how both texts are aligned."""

__all__ = ["page"]
