"""The one function through which every text of the window goes, so that it can be collected and translated."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

CONTEXT = "lab"
"""The translation context of every text."""


def text(words: str, **values: object) -> str:
    """A text of the window in the person's language.

    Args:
        words: As English has it, with places in braces: `text("{count} runs", count=3)`.
        **values: What stands in the places.
    """
    translated = QCoreApplication.translate(CONTEXT, words)
    return translated.format(**values) if values else translated
