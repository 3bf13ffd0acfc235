"""The commands of `lm-lab`, one module each, with rooms for those about data, texts, exchange and learning."""

__all__ = [
    "bench",
    "branch",
    "classify",
    "costs",
    "data",
    "doctor",
    "evaluate",
    "exchange",
    "find",
    "generate",
    "learning",
    "plugins",
    "predict",
    "probe",
    "resume",
    "runs",
    "settings",
    "sizes",
    "texts",
    "train",
]
