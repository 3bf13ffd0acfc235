"""Texts as data: scored under one run or several, guessed, measured against human ones, and used as tests of a run."""

__all__ = [
    "behaviour",
    "blind",
    "blind_scores",
    "by_checkpoint",
    "comparison",
    "degeneration",
    "guessing",
    "outcome",
    "scores",
    "translation",
    "translation_measures",
]
