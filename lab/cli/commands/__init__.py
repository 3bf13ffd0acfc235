"""The commands of `lm-lab`, one module each, with rooms for those about data, texts, exchange and many runs."""

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
    "plugins",
    "predict",
    "probe",
    "resume",
    "runs",
    "settings",
    "sizes",
    "studies",
    "texts",
    "train",
]
