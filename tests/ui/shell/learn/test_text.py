"""The texts of a lesson: whatever Markdown names, a picture is shown only if it may be."""

import base64
import os

import pytest
from PySide6.QtGui import QImage

from lab.shell.learn.text import LessonText
from lab.shell.runtime.background import Background
from lab.widgets.formulas.marks import SymbolMarks

WIDTH = 400
"""Pixels of the pictures."""


@pytest.fixture
def folder(tmp_path):
    """The folder of a lesson with a picture, beside another picture and a file that is no picture."""
    folder = tmp_path / "lesson"
    folder.mkdir()
    image = QImage(WIDTH, 4, QImage.Format.Format_RGB32)
    image.fill(0)
    for file in (folder / "own.png", tmp_path / "private.png"):
        assert image.save(str(file))
    (folder / "link.png").symlink_to(tmp_path / "private.png")
    return folder


@pytest.fixture
def shown(qapp, folder):
    """Show a text of the lesson, and return True if a picture in it is shown."""
    text = LessonText(Background(), "Lesson", SymbolMarks())

    def shown(markdown):
        text.show_text(markdown, folder)
        document = text.document()
        document.setTextWidth(2 * WIDTH)
        return document.idealWidth() >= WIDTH

    yield shown
    text.deleteLater()


@pytest.mark.parametrize("form", ["![alt]({})", "![al[t]]({})", "![al\nt]({})", "![alt][one]\n\n[one]: {}"])
@pytest.mark.parametrize(
    ("name", "is_read"),
    [
        ("own.png", True),
        ("../private.png", False),
        ("link.png", False),
        ("{outside}", False),
        ("file://{outside}", False),
        (".", False),
    ],
)
def test_however_a_text_names_a_picture_only_those_of_its_folder_are_read(shown, folder, form, name, is_read):
    name = name.replace("{outside}", str(folder.parent / "private.png"))
    assert shown(form.format(name)) is is_read


@pytest.mark.skipif(os.name != "posix", reason="there are no pipes in folders")
def test_a_pipe_keeps_no_text_waiting(shown, folder):
    os.mkfifo(folder / "pipe.png")
    assert shown("![al[t]](pipe.png)") is False


def test_a_picture_within_the_text_is_not_shown(shown, folder):
    content = base64.b64encode((folder / "own.png").read_bytes()).decode()
    assert shown(f"![alt](data:image/png;base64,{content})") is False
