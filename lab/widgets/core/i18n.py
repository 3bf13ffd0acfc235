"""Translation: every text of the window goes through `tr`, so that it can be collected and translated."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

CONTEXT = "lab"
"""The translation context of every text."""


def tr(message: str, **values: object) -> str:
    """Translate a text of the window.

    Args:
        message: The English text, with placeholders in braces: `tr("{count} runs", count=3)`.
        **values: The values of the placeholders.
    """
    translated = QCoreApplication.translate(CONTEXT, message)
    return translated.format(**values) if values else translated
