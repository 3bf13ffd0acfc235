"""The place Data: the corpus and the tokenizer of the draft, their statistics, tokens and merges."""

__all__ = ["place"]
