"""Preparation of a run: its request, origin, checkpoint, preflight, and its corpus on this machine."""

__all__ = [
    "baselines",
    "hints",
    "known_corpora",
    "known_tokenizers",
    "live_edits",
    "origins",
    "preflight",
    "request",
    "resume",
    "same_size",
    "structure",
    "summary",
]
