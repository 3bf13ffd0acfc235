"""The commands of `lm-lab`, one module each, with rooms for those that ask a run, data, texts, exchange and others."""

__all__ = [
    "ask",
    "bench",
    "branch",
    "costs",
    "data",
    "doctor",
    "evaluate",
    "exchange",
    "generate",
    "learning",
    "measuring",
    "plugins",
    "resume",
    "runs",
    "settings",
    "sizes",
    "studies",
    "texts",
    "train",
]
