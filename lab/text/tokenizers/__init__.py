"""Tokenizers: characters, bytes, words, subwords, and those of pretrained models."""

__all__ = ["edges", "merges", "nothing", "pretrained", "subwords", "symbols", "units", "views", "vocabularies", "words"]
