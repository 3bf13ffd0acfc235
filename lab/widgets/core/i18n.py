"""Translation: every text of the window goes through `tr`, so that it can be collected and translated."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from lab.base.folders import resources

CONTEXT = "lab"
"""The translation context of every text."""
COMPLETE = ("en",)
"""The languages in which every text is translated; others are used only when a person selects them."""
LANGUAGES = {"en": "English", "de": "Deutsch"}
"""The languages by their codes, each with its own name."""


def tr(message: str, **values: object) -> str:
    """Translate a text of the window.

    Args:
        message: The English text, with placeholders in braces: `tr("{run} has ended", run="first")`.
        **values: The values of the placeholders.
    """
    translated = QCoreApplication.translate(CONTEXT, message)
    return translated.format(**values) if values else translated


def tr_n(one: str, many: str, n: int, **values: object) -> str:
    """Translate a text that depends on a number, in the form that the language has for it.

    Args:
        one: The English text for 1: "1 run".
        many: The English text for other numbers, which translators see: "{n} runs".
        n: The number; "{n}" is replaced with it as the language writes numbers.
        **values: The values of the other placeholders.
    """
    translated = QCoreApplication.translate(CONTEXT, many, None, n)
    if translated == many and n == 1:
        translated = one
    return translated.format(n=number(n), **values)


def number(value: int) -> str:
    """Return a whole number as the language writes it: "1,234" in English."""
    return QLocale(language.code).toString(value)


class Language:
    """The language of this process, with its translators. Fields take numbers as Python writes them in every language.

    Attributes:
        code: The language in use, a key of LANGUAGES.
    """

    def __init__(self) -> None:
        self.code = "en"
        self._translators: list[QTranslator] = []

    def use(self, setting: str) -> bool:
        """Use a language for all texts that are made from now on; Qt tells every widget of the change.

        Args:
            setting: A key of LANGUAGES; "system" means that of the system if its translation is complete, else English.

        Returns:
            True if this is another language than before.
        """
        own = QLocale.system().name().partition("_")[0]
        code = setting if setting in LANGUAGES else own if own in COMPLETE else "en"
        if code == self.code:
            return False
        self.code = code
        for translator in self._translators:
            QCoreApplication.removeTranslator(translator)
        self._translators = []
        if code != "en":
            qt = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
            for file in (Path(qt) / f"qtbase_{code}.qm", Path(str(resources())) / "translations" / f"lm-lab_{code}.qm"):
                translator = QTranslator()
                if translator.load(str(file)):
                    QCoreApplication.installTranslator(translator)
                    self._translators.append(translator)
        return True


language = Language()
"""The one language of this process."""
