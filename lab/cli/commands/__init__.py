"""The commands of `lm-lab`, one module each."""

__all__ = [
    "bench",
    "branch",
    "corpus",
    "download",
    "evaluate",
    "export",
    "generate",
    "import_checkpoint",
    "plugins",
    "probe",
    "resume",
    "runs",
    "settings",
    "sizes",
    "tokenize",
    "train",
]
