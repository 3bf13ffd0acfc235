"""The commands of `lm-lab`, one module each, with rooms for those that ask a run, and for data, texts and exchange."""

__all__ = [
    "ask",
    "bench",
    "branch",
    "costs",
    "data",
    "doctor",
    "evaluate",
    "exchange",
    "find",
    "generate",
    "plugins",
    "probe",
    "resume",
    "runs",
    "settings",
    "sizes",
    "texts",
    "train",
]
