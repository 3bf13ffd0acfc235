"""The commands of `lm-lab`, one module each, with rooms for data, texts, exchange, learning, measuring and studies."""

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
    "learning",
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
