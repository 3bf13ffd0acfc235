"""The log lists all notices."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from lab.base.notices import Notice
from lab.base.problems import Problem
from lab.shell.window import log_view
from lab.shell.window.log_view import LogView
from lab.shell.window.notices_view import clock
from lab.widgets.core.theme import themes

NOTE = Notice("info", Problem("all is well"), 1_700_000_000.0)
FAILED = Notice(
    "error", Problem("forward failed", plugin="average", trace="Traceback:\n  line 12\nValueError"), 1_700_000_060.0
)


@pytest.fixture
def log(qtbot):
    made = LogView()
    made.resize(800, 200)
    qtbot.addWidget(made)
    made.show()
    return made


def rows(log):
    return [
        [log.tree.topLevelItem(row).text(column) for column in range(4)] for row in range(log.tree.topLevelItemCount())
    ]


def test_a_notice_is_listed_with_time_level_plugin_and_message(log):
    log.add(NOTE)
    log.add(FAILED)
    assert rows(log) == [
        [clock(NOTE), "Note", "", "all is well."],
        [clock(FAILED), "Error", "average", "plugin average: forward failed."],
    ]


def test_the_message_takes_the_width_that_the_other_columns_leave(log):
    log.add(NOTE)
    assert log.tree.header().length() == log.tree.viewport().width()


def test_a_trace_is_folded_until_details_are_requested(log):
    log.add(FAILED)
    log.add(NOTE)
    item = log.tree.topLevelItem(0)
    assert not item.isExpanded()
    log.show_notice(FAILED)
    assert item.isExpanded()
    assert log.tree.currentItem() is item
    assert item.child(0).text(0) == FAILED.problem.trace


def test_all_of_it_is_copied_with_traces(log, qtbot):
    log.add(NOTE)
    log.add(FAILED)
    qtbot.mouseClick(log.copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == (
        f"{clock(NOTE)}  Note  all is well.\n"
        f"{clock(FAILED)}  Error  plugin average: forward failed.\n"
        "Traceback:\n  line 12\nValueError"
    )


def test_only_selected_notices_are_copied(log, qtbot):
    log.add(NOTE)
    log.add(FAILED)
    log.tree.topLevelItem(0).setSelected(True)
    qtbot.mouseClick(log.copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == f"{clock(NOTE)}  Note  all is well."


def test_an_empty_log_shows_a_message(log, qtbot):
    assert log._nothing.isVisible()
    assert not log.clear_button.isEnabled()
    log.add(NOTE)
    assert log.tree.isVisible()
    qtbot.mouseClick(log.clear_button, Qt.MouseButton.LeftButton)
    assert rows(log) == []
    assert log._nothing.isVisible()
    log.add(FAILED)
    log.show_notice(FAILED)
    assert log.tree.currentItem().text(2) == "average"


def test_the_oldest_notices_are_removed_when_there_are_too_many(log, monkeypatch):
    monkeypatch.setattr(log_view, "MOST", 3)
    for number in range(5):
        log.add(Notice("info", Problem(f"note {number}"), 0.0))
    assert [row[3] for row in rows(log)] == ["note 2.", "note 3.", "note 4."]


def test_the_log_follows_the_newest_notice_unless_scrolled_up(log, qtbot):
    bar = log.tree.verticalScrollBar()
    for number in range(60):
        log.add(Notice("info", Problem(f"note {number}"), 0.0))
    qtbot.waitUntil(lambda: bar.value() == bar.maximum() > 0)
    bar.setValue(0)
    highest = bar.maximum()
    log.add(NOTE)
    qtbot.waitUntil(lambda: bar.maximum() > highest)
    assert bar.value() == 0


def test_icons_follow_the_theme(log):
    log.add(NOTE)
    item = log.tree.topLevelItem(0)
    dark = item.icon(1).pixmap(16).toImage()
    themes.choose("light")
    assert item.icon(1).pixmap(16).toImage() != dark
