"""A panel over the window keeps its keys from the commands below it, and Esc closes it from anywhere."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLineEdit, QTextBrowser, QVBoxLayout, QWidget

from lab.widgets.core.overlay import Overlay

SHORTCUTS = ("Space", ".", "Del", "Ctrl+R", "F1")


class Panel(Overlay):
    """A panel with a page to read."""

    def __init__(self, window):
        super().__init__(window, "Panel")
        self.page = QTextBrowser()
        QVBoxLayout(self).addWidget(self.page)

    def place(self):
        self.setGeometry(20, 20, 300, 200)


@pytest.fixture
def window(qtbot):
    """A window with a field, commands that note their shortcut, and an open panel."""
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(400, 300)
    window.field, window.done = QLineEdit(window), []
    for keys in SHORTCUTS:
        action = QAction(keys, window)
        action.setShortcut(keys)
        action.triggered.connect(lambda _, keys=keys: window.done.append(keys))
        window.addAction(action)
    window.show()
    qtbot.waitActive(window)
    window.panel = Panel(window)
    window.panel.show_over(window.panel.page)
    return window


def test_plain_keys_do_not_reach_the_commands_of_the_window(window, qtbot):
    for key in (Qt.Key.Key_Space, Qt.Key.Key_Period, Qt.Key.Key_Delete):
        qtbot.keyClick(window.panel.page, key)
    assert window.done == []


def test_function_keys_and_keys_with_ctrl_reach_them(window, qtbot):
    qtbot.keyClick(window.panel.page, Qt.Key.Key_F1)
    qtbot.keyClick(window.panel.page, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    assert window.done == ["F1", "Ctrl+R"]


def test_when_it_is_closed_plain_keys_are_commands_again(window, qtbot):
    window.panel.shut()
    window.setFocus()
    qtbot.keyClick(window, Qt.Key.Key_Period)
    assert window.done == ["."]


@pytest.mark.parametrize("inside", [True, False])
def test_escape_closes_it_wherever_the_focus_is(window, qtbot, inside):
    focused = window.panel.page if inside else window.field
    focused.setFocus()
    qtbot.keyClick(focused, Qt.Key.Key_Escape)
    assert window.panel.isHidden()
