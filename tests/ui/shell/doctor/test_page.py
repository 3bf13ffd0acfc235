"""The page of the check over an empty window: it fills while the checks run, can be cancelled, and saves a report."""

import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QPoint, Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel

from lab.host import Plugins
from lab.shell.doctor import page as page_module
from lab.shell.doctor.display import display_facts
from lab.shell.doctor.page import DoctorPage
from lab.shell.runtime.background import Background
from lab.widgets.core.theme import themes
from lab.workbench.doctor import Finding, Level, examine
from lab.workbench.doctor.checkup import Check

FINE = Check("Memory", lambda subject: [Finding("the full profile is used")])
BROKEN = Check("Folders", lambda subject: [Finding("the disk is full", Level.WRONG, "Free some space", "/home/anna")])


@pytest.fixture
def checks(monkeypatch):
    """Replace the checks that the page runs."""

    def checks(*replaced):
        monkeypatch.setattr(page_module, "examine", lambda subject, started: examine(subject, replaced, started))

    checks(FINE, BROKEN)
    return checks


@pytest.fixture
def page(plain_window, checks):
    """The page over an empty window, closed."""
    background = Background()
    made = DoctorPage(plain_window, background, Plugins(safe_mode=True))
    yield made
    background.close()


@pytest.fixture
def checked(page, until):
    """Run the checks to their end."""

    def checked():
        page.open()
        until(page.again.isVisible)
        return page

    return checked


def shown(page):
    """Return the visible texts from top to bottom."""
    QCoreApplication.processEvents()
    labels = [one for one in page.findChildren(QLabel) if one.isVisible() and one.text()]
    places = [(one.mapTo(page, QPoint(0, 0)), one.text()) for one in labels]
    return [text for _, text in sorted(places, key=lambda each: each[0].y())]


def test_opened_it_runs_and_shows_each_finding_with_its_details_and_its_remedy_the_worst_first(checked):
    page = checked()
    texts = shown(page)
    assert set(texts[:2]) == {"Check of this machine", "1 thing is wrong"}
    assert texts[2:] == [
        "Folders", "The disk is full.", "/home/anna", "Free some space.", "Memory", "The full profile is used.",
    ]  # fmt: skip
    signs = [one.accessibleName() for one in page.findChildren(QLabel) if not one.pixmap().isNull()]
    assert sorted(signs) == ["good", "wrong"]


def test_where_nothing_is_wrong_it_says_so(checked, checks):
    checks(FINE)
    assert "nothing is wrong" in shown(checked())


def test_results_appear_before_the_last_check_has_ended_and_cancel_keeps_them(page, checks, until, click):
    ends = threading.Event()
    checks(BROKEN, Check("Training", lambda subject: ends.wait() and []))
    try:
        page.open()
        until(lambda: "The disk is full." in shown(page) and "checking: Training …" in shown(page))
        assert not page.save.isEnabled()
        click(page.cancel)
        assert "cancelled" in shown(page)
        assert "The disk is full." in shown(page)
        assert page.save.isEnabled()
    finally:
        ends.set()


def test_escape_closes_it_and_cancels_and_opened_again_it_starts_anew(page, checks, until, qtbot):
    begun, ends = threading.Event(), threading.Event()

    def wait(_):
        begun.set()
        ends.wait()
        return []

    checks(BROKEN, Check("Training", wait))
    try:
        page.open()
        until(begun.is_set)
        qtbot.keyClick(page, Qt.Key.Key_Escape)
        assert page.isHidden()
    finally:
        ends.set()
    checks(FINE)
    page.open()
    until(lambda: "The full profile is used." in shown(page))
    assert [text for text in shown(page) if "disk" in text] == []


def test_another_theme_shows_the_same(checked):
    page = checked()
    before = shown(page)
    themes.choose("light")
    try:
        assert shown(page) == before
    finally:
        themes.choose("dark")


def test_the_report_is_copied_and_saved_without_the_details(checked, click, until, monkeypatch, tmp_path):
    page = checked()
    click(page.copy)
    assert " ! the disk is full" in QApplication.clipboard().text()
    for name in ("report.txt", "report.json"):
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, name=name: (str(tmp_path / name), ""))
        click(page.save)
        until((tmp_path / name).exists)
        text = Path(tmp_path / name).read_text(encoding="utf-8")
        assert "the disk is full" in text
        assert "anna" not in text + QApplication.clipboard().text()


def test_in_german_the_findings_are_german(german, checked):
    texts = shown(checked())
    assert "Das volle Profil wird verwendet." in texts
    assert "1 Sache ist nicht in Ordnung" in texts


def test_the_display_has_a_platform_screens_and_fonts(qapp):
    facts = display_facts()
    assert facts["platform"] == "offscreen"
    assert facts["screens"][0]["width"] > 0
    assert facts["families"] >= facts["fixed"] >= 0
