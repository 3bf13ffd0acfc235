"""Benchmarks of models: training, decoding, scans, counting, recall."""

__all__ = [
    "causality",
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
