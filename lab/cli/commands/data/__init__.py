"""The commands about texts and other data: their figures, their tokens, and downloads."""

__all__ = ["corpus", "download", "tokenize"]
