"""The corpus of the draft: what is read of it, what fits it, and its names."""

__all__ = ["draft_corpus", "fit", "labels"]
