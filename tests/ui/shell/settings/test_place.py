"""The place Settings: its controls and the menus are one model."""

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QCheckBox

from lab.widgets.core.controls import Button
from lab.widgets.core.theme import themes


@pytest.fixture
def opened(window, qtbot):
    """The window with the place, which the keys open."""
    qtbot.keyClick(window, Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
    assert window.place == "settings"
    return window


def place_of(window):
    return window._places["settings"]


def action(window, key):
    return next(one for one in window.commands.all() if one.command.key == key)


def test_its_icon_alone_is_marked_there(opened):
    keys = ("home", "data", "train", "compare", "plugins", "settings")
    assert [key for key in keys if opened.top.place_button(key).isChecked()] == ["settings"]
    assert not opened.runs_side.isVisible()
    opened.show_place("train")
    assert opened.top.place_button("train").isChecked()


@pytest.mark.long
def test_the_next_start_opens_it_again(opened, open_window):
    opened.retire()
    assert open_window(place=None, draft=False).place == "settings"


@pytest.mark.parametrize("keys", [("dashes",), pytest.param(("projector", "motion"), marks=pytest.mark.long)])
def test_theme_size_and_switches_are_those_of_the_menu_and_the_reverse(opened, qtbot, button, click, keys):
    box = place_of(opened).theme
    box.setFocus()
    box.setCurrentIndex(0)
    qtbot.keyClick(box, Qt.Key.Key_Down)
    assert (themes.mode, box.currentText()) == ("light", "Light")
    assert action(opened, "view.light").isChecked()
    action(opened, "view.dark").trigger()
    opened.commands.refresh()
    assert box.currentText() == "Dark"
    for key in keys:
        command = action(opened, f"view.{key}")
        box = next(one for one in place_of(opened).findChildren(QCheckBox) if one.text() == command.text())
        before = command.isChecked()
        box.setFocus()
        qtbot.keyClick(box, Qt.Key.Key_Space)
        assert (command.isChecked(), box.isChecked()) == (not before, not before)
        command.trigger()
        assert box.isChecked() == before
    click(button(place_of(opened), "Larger text"))
    assert themes.appearance.type_size == 110
    assert place_of(opened)._size.text() == "110 %"


@pytest.mark.long
def test_in_german_all_of_it_has_room_in_the_smallest_window(german, open_window):
    window = open_window(size=(1100, 640))
    window.show_place("settings")
    QCoreApplication.processEvents()
    controls = place_of(window).findChildren(Button)
    assert len(controls) == 7
    assert all(one.width() >= one.sizeHint().width() for one in controls)
    assert [place_of(window).language.itemText(number) for number in range(3)][1:] == ["English", "Deutsch"]
