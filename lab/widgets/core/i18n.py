"""Translation: every text of the window goes through `tr`, so that it can be collected and translated."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QDate, QLibraryInfo, QLocale, QTranslator

from lab.base import units
from lab.base.folders import resources

CONTEXT = "lab"
"""The translation context of every text."""
COMPLETE = ("en", "de")
"""The languages in which every text is translated; others are used only when the user selects them."""
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


def tr_registered(message: str) -> str:
    """Translate a text that a plugin registers: a title, a summary, the help of a setting.

    Args:
        message: The English text; one without a translation, such as that of a third party, stays as it is.
    """
    return QCoreApplication.translate(CONTEXT, message) if message else message


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
    return translated.format(n=number_text(n), **values)


def number_text(value: float, form: str = ",") -> str:
    """Return a number as the language writes it: 1234.5 is "1,234.5" in English and "1.234,5" in German.

    Args:
        value: The number.
        form: The format, as Python writes it: "," for thousands, ".2f" for two decimals.
    """
    return localized(format(value, form))


def date_text(day: date) -> str:
    """Return a day as the language writes it: "12 Mar 2026" in English, "1. Dez. 2026" in German."""
    return QLocale(language.code).toString(QDate(day.year, day.month, day.day), tr("d MMM yyyy"))


def sort_key(title: str) -> str:
    """Return by what titles are sorted for display: without case and accents, so that "Übung" is between T and V."""
    parts = unicodedata.normalize("NFKD", title.casefold())
    return "".join(sign for sign in parts if not unicodedata.combining(sign))


def localized(text: str) -> str:
    """Return a text with numbers that Python formatted with the separators of the language, such as "1.4 M"."""
    if language.code == "en":
        return text
    locale = QLocale(language.code)
    return text.translate({ord(","): locale.groupSeparator(), ord("."): locale.decimalPoint()})


def quoted(text: str) -> str:
    """Return a text in the quotation marks of the language: “h” in English, „h“ in German."""
    return QLocale(language.code).quoteString(text)


def duration(seconds: float) -> str:
    """Return a duration as the language writes it: "0.8 s", "42 s", "3 min 05 s", "2 h 10 min", "154 days"."""
    days = round(seconds / units.DAY)
    return tr_n("1 day", "{n} days", days) if seconds >= 2 * units.DAY else localized(units.duration(seconds))


def about_duration(seconds: float) -> str:
    """Return a duration rounded as people say it: "20 s", "80 s", "2 min", "1 h 10 min"."""
    if seconds < 100:
        step = 5 if seconds < 30 else 10
        return tr("{n} s", n=max(step, step * round(seconds / step)))
    if seconds >= 2 * units.DAY:
        return duration(seconds)
    minutes = round(seconds / 60)
    if minutes < 60:
        return tr("{n} min", n=minutes)
    return tr("{hours} h {minutes} min", hours=minutes // 60, minutes=minutes % 60)


def time_text(seconds: float, *, measured: bool) -> str:
    """Return a duration as people say it, after "≈" if it is an estimate.

    Args:
        seconds: The duration.
        measured: Whether just that was measured on this machine.
    """
    about = about_duration(seconds)
    return about if measured else tr("≈ {time}", time=about)


def counted(value: float, unit: str, shown: str = "") -> str:
    """Return a number with its unit, in the form that the language has for it: "4 blocks", "1 block".

    Args:
        value: The number.
        unit: The English unit of a setting, in the plural, or the unit in the language; "" for none.
        shown: The number as Python writes it; "" for thousands separated.
    """
    if not unit:
        return localized(shown or f"{value:,}")
    if language.code == "en":
        return units.counted(value, unit, shown)
    template = f"{{n}} {unit}"
    translated = QCoreApplication.translate(CONTEXT, template, None, 1 if value == 1 else 2)
    return translated.replace("{n}", localized(shown or f"{value:,}"))


def enumerated(names: Sequence[str]) -> str:
    """Return names as a sentence lists them: "A", "A and B", "A, B and C"."""
    *others, last = names or ("",)
    return tr("{names} and {last}", names=", ".join(others), last=last) if others else last


def inside(title: str) -> str:
    """Return a title as part of a sentence: "sliding window"; German nouns keep their capital."""
    return units.inside(title) if language.code == "en" else title


class Language:
    """The language of this process, with its translators. Fields take numbers as Python writes them, too.

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
