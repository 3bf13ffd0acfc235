"""Names that are reserved for the lab, so that no plugin may use them."""

from __future__ import annotations

COMMANDS = (
    "train",
    "resume",
    "branch",
    "find",
    "study",
    "scaling",
    "runs",
    "recipe",
    "import-checkpoint",
    "export",
    "evaluate",
    "score",
    "generate",
    "translate",
    "behaviour",
    "costs",
    "classify",
    "predict",
    "probe",
    "corpus",
    "tokenize",
    "plugins",
    "settings",
    "sizes",
    "examples",
    "graph",
    "lessons",
    "download",
    "class",
    "doctor",
    "bench",
)
"""The built-in commands of `lm-lab`."""
