"""Tokenizers: characters, bytes, words, subwords, and those of pretrained models."""
