"""A setting that is found in the palette is scrolled to and focused, and its description is seen in full."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea


@pytest.mark.parametrize("size", [(1100, 640), (1366, 768)])
def test_a_setting_found_in_the_palette_is_scrolled_to(open_window, qtbot, until, size):
    window = open_window(size=size)
    palette = window.command_palette
    palette.toggle()
    qtbot.keyClicks(palette.field, "training.seed")
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    until(lambda: window.focusWidget().accessibleName() == "Seed")
    field, seen = window.focusWidget(), window.draft_panel.findChild(QScrollArea).viewport()
    until(lambda: seen.rect().contains(field.mapTo(seen, field.rect().center())))


def test_no_line_of_a_description_is_cut(open_window, until):
    window = open_window(size=(1366, 768))
    panel = window.draft_panel
    for path, _ in panel.sections.settings():
        panel.reveal(path)
        assert panel.help._area.verticalScrollBar().maximum() == 0, path
