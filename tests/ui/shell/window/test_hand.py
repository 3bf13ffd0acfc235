"""The hand of the soak finds what it presses in a window whose places are made only when they are opened."""

import pytest
from PySide6.QtWidgets import QComboBox, QPushButton

from lab.bench.window.hand import pick, press
from lab.shell.plugins.place import PluginsPlace


class Draws:
    """Notes what there was to choose from, and chooses something of its own."""

    def __init__(self, chosen):
        self.chosen = chosen
        self.options = []

    def choice(self, options):
        self.options = list(options)
        return self.chosen


@pytest.fixture
def draws(qtbot):
    button = QPushButton("Harmless")
    qtbot.addWidget(button)
    return Draws(button)


def test_buttons_are_found_before_plugins_was_opened(window, draws):
    assert press(window, draws) == "Harmless"
    assert window.top.start in draws.options


def test_nothing_in_plugins_is_pressed(window, draws):
    window.show_place("plugins")
    press(window, draws)
    place = window.findChild(PluginsPlace)
    assert place.isVisible()
    assert window.top.start in draws.options
    assert not [one for one in draws.options if place.isAncestorOf(one)]


def test_lists_are_found_before_plugins_was_opened(window, qtbot):
    empty = QComboBox()
    qtbot.addWidget(empty)
    draws = Draws(empty)
    window.show_place("train")
    pick(window, draws)
    assert draws.options
