"""The dialogs for files: where they start, and Qt's own dialog in the style of the lab."""

from pathlib import Path

import platformdirs
import pytest
from PySide6.QtWidgets import QFileDialog, QToolButton

from lab.base.last_folder import last_folder
from lab.shell.runtime.file_dialogs import ask_for_files, ask_for_folder
from lab.widgets.core.theme import contrast, themes
from lab.widgets.forms.browse import BrowseButton


def drawn(button):
    """Return the number of pixels whose contrast to the ground of a button is at least 3."""
    image = button.grab().toImage()
    inside = [(x, y) for x in range(6, image.width() - 6) for y in range(8, image.height() - 8)]
    ground = image.pixelColor(4, image.height() // 2).name()
    return sum(contrast(image.pixelColor(x, y).name(), ground) >= 3 for x, y in inside)


@pytest.mark.parametrize("mode", ["dark", "light"])
def test_its_buttons_have_icons_that_can_be_seen(qtbot, tmp_path, mode):
    themes.choose(mode)
    dialog = QFileDialog(None, "Open", str(tmp_path))
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    qtbot.addWidget(dialog)
    dialog.show()
    buttons = [one for one in dialog.findChildren(QToolButton) if one.isVisible() and one.isEnabled()]
    assert len(buttons) >= 4
    for button in buttons:
        assert drawn(button) > 20, button.objectName()


def test_a_dialog_starts_in_the_folder_that_was_used_last(tmp_path, monkeypatch, qtbot):
    starts = []
    used = tmp_path / "texts"
    used.mkdir()

    def answer(chosen, *arguments):
        starts.append(arguments[2])
        return chosen

    file = str(used / "a.txt")
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *arguments: answer(([file], ""), *arguments))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *arguments: answer("", *arguments))
    button = BrowseButton("Text")
    qtbot.addWidget(button)
    assert ask_for_files(button) == [file]
    assert ask_for_folder(button) == []
    button._ask_for_folder()
    assert starts[1:] == [str(used)] * 2


@pytest.mark.parametrize("exists", [True, False])
def test_the_first_dialog_starts_in_the_documents_or_else_in_the_home_folder(tmp_path, monkeypatch, exists):
    documents = tmp_path / "Documents"
    monkeypatch.setattr(platformdirs, "user_documents_dir", lambda: str(documents))
    if exists:
        documents.mkdir()
    assert last_folder() == (documents if exists else Path.home())
