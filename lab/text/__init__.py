"""From text that people have to the numbers a model reads: corpora, tokenizers, token streams."""
