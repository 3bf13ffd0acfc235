"""The Text page: the corpus and tokenizer of the draft."""
