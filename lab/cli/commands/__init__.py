"""The commands of `lm-lab`, one module each, with rooms for data, texts, exchange, lessons and many runs."""

__all__ = [
    "bench",
    "branch",
    "classify",
    "costs",
    "data",
    "doctor",
    "evaluate",
    "exchange",
    "generate",
    "measuring",
    "plugins",
    "predict",
    "resume",
    "runs",
    "settings",
    "sizes",
    "studies",
    "texts",
    "train",
]
