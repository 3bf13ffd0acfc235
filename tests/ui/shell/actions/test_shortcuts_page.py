"""The page of shortcuts is made from the registry."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from lab.shell.actions.groups import CommandGroup
from lab.shell.actions.registry import Actions, Command
from lab.shell.actions.shortcuts_page import ShortcutsPage


@pytest.fixture
def window(plain_window):
    made = plain_window
    made.actions = Actions(made)
    made.actions.add(Command("start", "Start new run", CommandGroup.RUN, "Ctrl+Return"), print)
    made.actions.add(Command("plain", "Has no shortcut", CommandGroup.RUN), print)
    made.actions.add(Command("only", "Neither", CommandGroup.EDIT), print)
    return made


@pytest.fixture
def page(window):
    made = ShortcutsPage(window.actions, window)
    window.actions.add(Command("shortcuts", "Shortcuts", CommandGroup.HELP, "Ctrl+/"), made.toggle)
    return made


def words(page):
    return [label.text() for label in page.findChildren(QLabel)]


def test_the_page_lists_all_shortcuts_by_group(page, window, qtbot):
    qtbot.keyClick(window.field, Qt.Key.Key_Slash, Qt.KeyboardModifier.ControlModifier)
    assert page.isVisible()
    assert words(page) == ["Shortcuts", "Selected run", "Start new run", "Ctrl+Return", "Help", "Shortcuts", "Ctrl+/"]


def test_commands_added_later_are_listed_too(page, window):
    page.toggle()
    page.toggle()
    window.actions.add(Command("pause", "Pause", CommandGroup.RUN, "Space"), print)
    page.toggle()
    assert "Pause" in words(page)


def test_escape_closes_it_and_restores_the_focus(page, window, qtbot):
    page.toggle()
    assert not window.field.hasFocus()
    qtbot.keyClick(page._close, Qt.Key.Key_Escape)
    assert not page.isVisible()
    assert window.field.hasFocus()


def test_its_button_closes_it(page, window, qtbot):
    page.toggle()
    qtbot.mouseClick(page._close, Qt.MouseButton.LeftButton)
    assert not page.isVisible()
    assert window.field.hasFocus()


def test_it_stays_inside_the_window(page, window):
    for number in range(1, 13):
        window.actions.add(Command(f"f{number}", f"Function {number}", CommandGroup.VIEW, f"F{number}"), print)
    page.toggle()
    window.resize(600, 300)
    assert window.rect().contains(page.geometry())
