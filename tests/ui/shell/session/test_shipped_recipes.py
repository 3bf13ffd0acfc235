"""The recipes of the lab in the window: each is a command, in the menu and in the palette."""

from PySide6.QtCore import Qt

from lab.recipes import shipped, shipped_titles

CONTROL = Qt.KeyboardModifier.ControlModifier


def test_the_menu_has_a_group_with_every_recipe_of_the_lab(window):
    titles = [action.text() for action in window.commands.groups()["Recipes"]]
    assert titles == list(shipped_titles().values())


def test_a_recipe_is_found_in_the_palette_and_becomes_the_configuration(window, qtbot, until):
    qtbot.keyClick(window, Qt.Key.Key_K, CONTROL)
    qtbot.keyClicks(window.command_palette.field, "parity one bit")
    qtbot.keyClick(window.command_palette.field, Qt.Key.Key_Return)
    assert window.session.draft.recipe == shipped("source-parity")
    assert window.session.draft.base_name == "source-parity"
    until(lambda: window.draft_panel.sections.problems == {})
    window.session.draft.undo()
    assert window.session.draft.recipe != shipped("source-parity")
