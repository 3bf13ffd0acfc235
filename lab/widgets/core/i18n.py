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


def tr_count(one: str, many: str, n: int, **values: object) -> str:
    """Translate a text with a number, in the singular or the plural.

    Args:
        one: The English text for 1: "1 run".
        many: The English text for other numbers: "{n} runs".
        n: The number; it is written with separators of thousands.
        **values: The values of other placeholders.
    """
    return QCoreApplication.translate(CONTEXT, one if n == 1 else many).format(n=f"{n:,}", **values)
