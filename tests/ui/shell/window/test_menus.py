"""The menus of the window: short enough for a small screen, and the recipes as the gallery of Home has them."""

import pytest
from PySide6.QtWidgets import QMenu

from lab.recipes import gallery
from lab.shell.actions.groups import CommandGroup
from lab.widgets.core.appearance import Appearance
from lab.widgets.core.theme import themes

SCREEN = 768


def inner_menus(menu):
    found = [action.menu() for action in menu.actions() if action.menu() is not None]
    return {inner.title(): inner for inner in found}


def test_every_menu_fits_a_small_screen_with_type_of_twice_its_size(open_window):
    window = open_window(size=(3840, 2160))
    themes.apply(Appearance(type_size=200))
    menu = window.commands.menu(window)
    heights = {inner.title(): inner.sizeHint().height() for inner in (menu, *menu.findChildren(QMenu))}
    assert themes.scale == 2
    assert {title: height for title, height in heights.items() if height > SCREEN} == {}


@pytest.mark.long
@pytest.mark.qt_log_ignore("support raise", "grabbing the keyboard", extend=True)
def test_the_menu_of_a_run_fits_a_small_screen_with_type_of_twice_its_size(open_window):
    window = open_window(size=(3840, 2160))
    themes.apply(Appearance(type_size=200))
    window.runs_controller.open_menu(window.commands, window.pos())
    (menu,) = [child for child in window.findChildren(QMenu) if child.isVisible()]
    assert menu.sizeHint().height() <= SCREEN
    menu.close()


def test_the_recipes_have_the_topics_and_titles_of_the_gallery(window):
    found = gallery()
    topics = inner_menus(inner_menus(window.commands.menu(window))[CommandGroup.RECIPES.title])
    assert list(topics) == list(found.topics.values())
    for key, title in found.topics.items():
        expected = sorted(entry.title for entry in found.entries if entry.topic == key)
        assert sorted(action.text() for action in topics[title].actions()) == expected
