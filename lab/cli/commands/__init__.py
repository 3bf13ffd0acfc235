"""The commands of `lm-lab`, one module each; those that hand something on in a room of their own."""

__all__ = [
    "bench",
    "branch",
    "classify",
    "corpus",
    "download",
    "evaluate",
    "exchange",
    "generate",
    "plugins",
    "probe",
    "resume",
    "runs",
    "settings",
    "sizes",
    "tokenize",
    "train",
]
