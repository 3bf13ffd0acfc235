"""Texts in the language that is in use, with their forms for numbers."""

import importlib.util
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QLocale

from lab.widgets.core.i18n import (
    CONTEXT,
    counted,
    duration,
    inside,
    language,
    localized,
    number_text,
    quoted,
    sort_key,
    tr,
    tr_n,
)

ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture(autouse=True)
def english_at_the_end(qapp):
    """Use English in the tests that follow."""
    yield
    language.use("en")


def test_a_text_is_translated_and_its_placeholders_are_replaced():
    assert tr("{n} tokens/s", n=5) == "5 tokens/s"
    assert language.use("de")
    assert tr("{n} tokens/s", n=5) == "5 Tokens/s"
    assert tr("a text that nobody translated") == "a text that nobody translated"


def test_a_text_has_the_form_of_its_number_in_every_language():
    jobs = [tr_n("1 job", "{n} jobs", n) for n in (0, 1, 2, 1234)]
    assert jobs == ["0 jobs", "1 job", "2 jobs", "1,234 jobs"]
    language.use("de")
    jobs = [tr_n("1 job", "{n} jobs", n) for n in (0, 1, 2, 1234)]
    assert jobs == ["0 Aufgaben", "1 Aufgabe", "2 Aufgaben", "1.234 Aufgaben"]
    assert tr_n("1 thing", "{n} things", 1) == "1 thing"  # without a translation


def test_numbers_are_written_as_the_language_does():
    assert [number_text(1234567), number_text(0.1234, ".2f"), localized("1.4 M")] == ["1,234,567", "0.12", "1.4 M"]
    language.use("de")
    assert [number_text(1234567), number_text(0.1234, ".2f"), localized("1.4 M")] == ["1.234.567", "0,12", "1,4 M"]


def test_a_number_with_the_unit_of_a_setting_has_the_form_of_the_number():
    assert [counted(1, "heads"), counted(4, "heads"), counted(0.5, "s", "0.5")] == ["1 head", "4 heads", "0.5 s"]
    language.use("de")
    assert [counted(1, "heads"), counted(4, "heads"), counted(0.5, "s", "0.5")] == ["1 Kopf", "4 Köpfe", "0,5 s"]


def test_a_duration_names_its_days_in_the_language():
    assert [duration(0.8), duration(154 * 86400)] == ["0.8 s", "154 days"]
    language.use("de")
    assert [duration(0.8), duration(154 * 86400)] == ["0,8 s", "154 Tage"]


def test_a_title_in_a_sentence_keeps_the_capital_of_german_nouns():
    assert inside("Sliding window") == "sliding window"
    language.use("de")
    assert inside("Gleitendes Fenster") == "Gleitendes Fenster"


def test_the_language_of_the_system_is_used_only_if_its_translation_is_complete(monkeypatch):
    monkeypatch.setattr(QLocale, "system", staticmethod(lambda: QLocale("de_DE")))
    monkeypatch.setattr("lab.widgets.core.i18n.COMPLETE", ("en",))
    assert not language.use("system")
    monkeypatch.setattr("lab.widgets.core.i18n.COMPLETE", ("en", "de"))
    assert language.use("system")
    assert language.code == "de"


def test_the_compiled_translation_holds_what_translators_wrote():
    spec = importlib.util.spec_from_file_location("translations", ROOT / "packaging" / "translations.py")
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    language.use("de")
    for source, forms in tool.translations("de").items():
        numbers = (1, 2) if len(forms) > 1 else (-1,)
        shown = [QCoreApplication.translate(CONTEXT, source, None, n) for n in numbers]
        assert shown == forms, "run packaging/translations.py compile"


def test_quotation_marks_are_those_of_the_language():
    assert quoted("h") == "“h”"
    language.use("de")
    assert quoted("h") == "„h“"


def test_titles_are_sorted_without_case_and_accents():
    assert sorted(["Zählen", "übersetzt", "Ähnlich", "vor"], key=sort_key) == ["Ähnlich", "übersetzt", "vor", "Zählen"]
