"""Text as the numbers that a model reads: corpora, tokenizers, token streams."""

__all__ = [
    "builtins",
    "corpora",
    "documents",
    "examples",
    "fitting",
    "measures",
    "mixed",
    "promises",
    "readers",
    "row_files",
    "rows",
    "statistics",
    "streams",
    "token_files",
    "tokenizers",
]
