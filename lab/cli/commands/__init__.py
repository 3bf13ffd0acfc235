"""The commands of `lm-lab`, one module each, with rooms for those about data, about texts, and about exchange."""

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
    "texts",
    "train",
]
