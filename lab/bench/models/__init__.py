"""Benchmarks of models: training, decoding, scans, counting, recall."""

__all__ = [
    "counting",
    "decode",
    "generation",
    "gradients",
    "linear",
    "maps",
    "moe",
    "ngram",
    "recall",
    "scan",
    "sources",
]
