"""A setting that is found in the palette is scrolled to and focused, and its description is seen in full."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea


@pytest.mark.long
def test_a_setting_found_in_the_palette_is_scrolled_to_and_no_line_of_a_description_is_cut(open_window, qtbot, until):
    window = open_window(size=(1100, 640))
    palette, panel = window.command_palette, window.draft_panel
    for size in ((1100, 640), (1366, 768)):
        window.resize(*size)
        panel.findChild(QScrollArea).verticalScrollBar().setValue(0)
        palette.toggle()
        qtbot.keyClicks(palette.field, "training.seed")
        qtbot.keyClick(palette.field, Qt.Key.Key_Return)
        until(lambda: window.focusWidget().accessibleName() == "Seed")
        field, seen = window.focusWidget(), panel.findChild(QScrollArea).viewport()
        until(lambda field=field, seen=seen: seen.rect().contains(field.mapTo(seen, field.rect().center())))
    cut = []
    for path, _ in panel.sections.settings():
        panel.reveal(path)
        if panel.help._area.verticalScrollBar().maximum():
            cut.append(path)
    assert cut == []
