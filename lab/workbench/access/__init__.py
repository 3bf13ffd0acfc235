"""Asking a model for text, its inside and its losses, also with parts off; its run is live, saved or untrained."""

__all__ = [
    "ablation",
    "answers",
    "decoding",
    "evaluation_data",
    "generation",
    "inspection",
    "model_access",
    "next_token",
    "other_runs",
    "saved",
    "teacher",
    "text_use",
    "threads",
    "untrained",
]
