"""One registry of commands feeds menu, shortcuts and palette."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QMainWindow, QPushButton, QVBoxLayout, QWidget

from lab.shell.actions.groups import CommandGroup
from lab.shell.actions.registry import Actions, Command
from lab.widgets.core.theme import themes


@pytest.fixture
def window(qtbot):
    made = QMainWindow()
    made.centre = QWidget()
    QVBoxLayout(made.centre)
    made.setCentralWidget(made.centre)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitActive(made)
    return made


@pytest.fixture
def actions(window):
    return Actions(window)


@pytest.fixture
def done():
    return []


def with_field(window, field, qtbot):
    window.centre.layout().addWidget(field)
    field.show()
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    return field


def test_a_shortcut_works_wherever_in_the_window_the_focus_is(actions, window, done, qtbot):
    actions.add(Command("open", "Open…", CommandGroup.FILE, "Ctrl+O"), lambda: done.append("open"))
    field = with_field(window, QLineEdit(), qtbot)
    qtbot.keyClick(field, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    assert done == ["open"]


def test_a_command_may_have_several_shortcuts(actions, window, done, qtbot):
    command = Command("palette", "Commands", CommandGroup.HELP, "Ctrl+K Ctrl+Shift+P")
    actions.add(command, lambda: done.append(1))
    qtbot.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(window, Qt.Key.Key_P, both)
    assert done == [1, 1]
    assert command.shown_shortcut == "Ctrl+K or Ctrl+Shift+P"


def test_a_disabled_command_is_not_run(actions, window, done, qtbot):
    possible = [True]
    action = actions.add(
        Command("stop", "Stop", CommandGroup.RUN, "Ctrl+T"), lambda: done.append(1), enabled=lambda: possible[0]
    )
    assert action.isEnabled()
    possible[0] = False  # since the last refresh
    action.trigger()
    assert done == []
    assert not action.isEnabled()
    possible[0] = True
    actions.refresh()
    assert action.isEnabled()


def test_a_checkable_command_updates_its_state_after_running(actions, window):
    state = [False]
    action = actions.add(
        Command("log", "Log", CommandGroup.VIEW), lambda: state.append(True), checked=lambda: state[-1]
    )
    assert not action.isChecked()
    action.trigger()
    assert action.isChecked()
    state[:] = [False]
    actions.refresh()
    assert not action.isChecked()


@pytest.mark.parametrize(
    ("second", "words"),
    [
        (Command("open", "Other", CommandGroup.FILE), "already a command open"),
        (Command("other", "Other", CommandGroup.FILE, "Ctrl+O"), "Ctrl[+]O belongs to open"),
        (Command("other", "Other", CommandGroup.FILE, "F2 ctrl+o"), "Ctrl[+]O belongs to open"),
        (Command("other", "Other", CommandGroup.FILE, "Ctrl+Nonsense"), "is not a valid shortcut"),
    ],
)
def test_a_key_or_shortcut_cannot_be_used_twice(actions, second, words):
    actions.add(Command("open", "Open…", CommandGroup.FILE, "Ctrl+O"), print)
    with pytest.raises(ValueError, match=words):
        actions.add(second, print)
    assert [action.command.key for action in actions.all()] == ["open"]


def test_the_menu_has_a_submenu_for_each_group(actions, window, done):
    actions.add(Command("start", "Start", CommandGroup.RUN), lambda: done.append("start"))
    actions.add(Command("open", "Open…", CommandGroup.FILE), lambda: done.append("open"))
    actions.add(Command("stop", "Stop", CommandGroup.RUN), lambda: done.append("stop"))
    menu = actions.menu(window)
    groups = {action.text(): [inner.text() for inner in action.menu().actions()] for action in menu.actions()}
    assert groups == {"Selected run": ["Start", "Stop"], "File": ["Open…"]}
    menu.actions()[1].menu().actions()[0].trigger()
    assert done == ["open"]


def test_a_section_is_a_submenu_at_the_position_of_its_first_command(actions, window):
    for title, section in (("Home", "Places"), ("Log", ""), ("Data", "Places")):
        actions.add(Command(title, title, CommandGroup.VIEW, section=section), print)
    view = actions.menu(window).actions()[0].menu()
    assert [action.text() for action in view.actions()] == ["Places", "Log"]
    assert [action.text() for action in view.actions()[0].menu().actions()] == ["Home", "Data"]


def test_the_space_bar_presses_the_button_that_has_the_focus(actions, window, done, qtbot):
    actions.add(Command("pause", "Pause", CommandGroup.RUN, "Space"), lambda: done.append("pause"))
    button = with_field(window, QPushButton("Other"), qtbot)
    button.clicked.connect(lambda: done.append("button"))
    qtbot.keyClick(button, Qt.Key.Key_Space)
    assert done == ["button"]
    field = with_field(window, QLineEdit(), qtbot)
    qtbot.keyClick(field, Qt.Key.Key_Space)
    assert field.text() == " "
    assert done == ["button"]
    field.clearFocus()
    qtbot.keyClick(window, Qt.Key.Key_Space)
    assert done == ["button", "pause"]


def test_tool_tips_have_the_hint_and_the_shortcut(actions):
    action = actions.add(Command("start", "Start", CommandGroup.RUN, "Ctrl+Return", "Trains the draft"), print)
    assert action.toolTip() == "Trains the draft (Ctrl+Return)"
    assert actions.add(Command("stop", "Stop", CommandGroup.RUN), print).toolTip() == "Stop"


def test_icons_follow_the_theme(actions):
    action = actions.add(Command("start", "Start", CommandGroup.RUN, icon_name="start"), print)
    dark = action.icon().pixmap(16).toImage()
    themes.choose("light")
    assert action.icon().pixmap(16).toImage() != dark


def test_groups_keep_their_identity_in_every_language(monkeypatch, actions):
    actions.add(Command("open", "Open…", CommandGroup.FILE), print)
    before = actions.groups().keys()
    monkeypatch.setattr("lab.shell.actions.groups.tr", lambda text: f"({text})")
    assert actions.groups().keys() == before
    assert CommandGroup.FILE.title == "(File)"
