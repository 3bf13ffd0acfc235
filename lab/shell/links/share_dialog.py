"""The dialog that shares a recipe or run: its link to copy, and its QR code to scan or save."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QFontDatabase, QTextOption
from PySide6.QtWidgets import QApplication, QFileDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from lab.base.files.writing import named_by_user, write_file
from lab.base.last_folder import last_folder, remember_folder
from lab.base.notices import notify
from lab.base.problems import Problem
from lab.recipes import Link, read_link
from lab.recipes.qr_code import QrCode, qr_code
from lab.shell.runtime.background import Background
from lab.shell.runtime.export_files import file_name, unused
from lab.widgets.core.controls import Button, label
from lab.widgets.core.i18n import number_text, tr
from lab.widgets.core.messages import problem_line
from lab.widgets.core.overlay import Overlay
from lab.widgets.core.theme import STEP
from lab.widgets.maps.qr_view import QrView

if TYPE_CHECKING:
    from collections.abc import Callable

    from lab.base.jobs import Job

WIDTH = 700


class ShareDialog(Overlay):
    """A dialog with a link and its QR code.

    Args:
        window: The window over which it opens.
        background: Makes the link, and writes files, in threads.

    Attributes:
        link: The link as text; "" until it is made.
        text: The field that shows the link.
        copy: The button that copies it.
        save: The button that saves the QR code.
    """

    def __init__(self, window: QWidget, background: Background) -> None:
        super().__init__(window, tr("Share as link"))
        self._background = background
        self.link, self._name = "", ""
        self._code: QrCode | None = None
        self._number = 0
        self._title = label("", "title")
        self._note = label("", "dim")
        self._text_note = label("", "dim")
        how = tr("To open it in another lab, paste it onto the window, or select Open link in its menu.")
        self._how = label(how, "dim")
        self._size = label("", "note")
        self._refused = label("", "bad")
        for each in (self._title, self._note, self._text_note, self._how, self._refused):
            each.setWordWrap(True)
        self.picture = QrView()
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setAccessibleName(tr("Link"))
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setWordWrapMode(QTextOption.WrapMode.WrapAnywhere)
        self.text.setTabChangesFocus(True)
        self.copy = Button(tr("Copy link"), role="primary")
        self.copy.clicked.connect(self._copy)
        self.save = Button(tr("Save QR code…"), hint=tr("Save QR code as an SVG or PNG file"), role="")
        self.save.clicked.connect(self._save)
        self.close_button = Button(tr("Close"), role="")
        self.close_button.clicked.connect(self.shut)
        self._lay_out()

    def _lay_out(self) -> None:
        side = QVBoxLayout()
        side.setSpacing(2 * STEP)
        for text in (self._note, self._text_note, self._how):
            side.addWidget(text)
        side.addWidget(self.text, 1)
        side.addWidget(self._size)
        self._content = QWidget()
        middle = QHBoxLayout(self._content)
        middle.setContentsMargins(0, 0, 0, 0)
        middle.setSpacing(4 * STEP)
        middle.addWidget(self.picture)
        middle.addLayout(side, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(2 * STEP)
        buttons.addWidget(self.save)
        buttons.addStretch(1)
        buttons.addWidget(self.close_button)
        buttons.addWidget(self.copy)
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(5 * STEP, 4 * STEP, 5 * STEP, 4 * STEP)
        self._rows.setSpacing(2 * STEP)
        parts: tuple[QWidget, ...] = (self._title, self._refused, self._content)
        for part in parts:
            self._rows.addWidget(part)
        self._rows.addSpacing(STEP)
        self._rows.addLayout(buttons)

    def share(self, name: str, make: Callable[[Job], str]) -> None:
        """Open the dialog, and make the link in a thread.

        Args:
            name: The name of the recipe or run.
            make: Returns the link; called in a thread.
        """
        self._number += 1
        self._name, self.link, self._code = name, "", None
        self._title.setText(tr("Link of {name}", name=name))
        self._note.setText(tr("Making the link…"))
        self._show()
        done, failed = partial(self._show_link, self._number), partial(self._show_problem, self._number)
        self._background.run(tr("Making a link"), partial(_make, make), done, failed, replaces="link")
        self.show_over(self.close_button)

    def _show_link(self, number: int, made: tuple[str, Link, QrCode]) -> None:
        if number != self._number or self.isHidden():
            return
        self.link, link, self._code = made
        self.picture.show_code(self._code, tr("QR code of the link"))
        self.text.setPlainText(self.link)
        held = tr("It holds all settings.") if link.run is None else tr("It holds all settings and the last loss.")
        self._note.setText(tr("{held} It holds no weights, and nothing about this machine.", held=held))
        corpus = "" if link.corpus is None else tr("The other lab needs the text {name}, too.", name=link.corpus.name)
        self._text_note.setText(corpus)
        self._size.setText(
            tr("{n} bytes · QR code version {version} of 40", n=number_text(len(self.link)), version=self._code.version)
        )
        self._show()
        self.copy.setFocus()

    def _show_problem(self, number: int, problem: Problem) -> None:
        if number == self._number and not self.isHidden():
            self._refused.setText(problem_line(problem))
            self._show(refused=True)

    def _show(self, *, refused: bool = False) -> None:
        """Show the parts for the current state."""
        has_link = bool(self.link)
        if not has_link:
            self.picture.show_code(None, "")
            self.text.setPlainText("")
            self._size.setText("")
            self._text_note.setText("")
        self._refused.setVisible(refused)
        self._content.setVisible(not refused)
        self._text_note.setVisible(bool(self._text_note.text()))
        self.text.setVisible(has_link)
        self._how.setVisible(has_link)
        self.copy.setEnabled(has_link)
        self.save.setEnabled(has_link)
        self.place()

    def place(self) -> None:
        """Place it in the upper middle of the window."""
        width = min(WIDTH, self._window.width() - 40)
        height = self._rows.totalHeightForWidth(width)
        self.setGeometry((self._window.width() - width) // 2, (self._window.height() - height) // 3, width, height)

    def _copy(self) -> None:
        QApplication.clipboard().setText(self.link)
        notify("info", tr("The link was copied"))

    def _save(self) -> None:
        if self._code is None:
            return
        kinds = {tr("Vector graphics (*.svg)"): ".svg", tr("Picture (*.png)"): ".png"}
        start = str(last_folder() / f"{file_name(self._name)}.svg")
        file, kind = QFileDialog.getSaveFileName(self._window, tr("Save the QR code"), start, ";;".join(kinds))
        if not file:
            return
        path = Path(file)
        if path.suffix.lower() not in kinds.values():
            path = unused(path.with_name(path.name + kinds.get(kind, ".svg")))
        elif path.name == Path(start).name and kinds.get(kind, ".svg") != ".svg":  # the proposed name, as a picture
            path = unused(path.with_suffix(kinds[kind]))
        remember_folder(path.parent)
        self._background.run(tr("Saving {file}", file=path.name), partial(_write, path, self._code), _report)


def _make(make: Callable[[Job], str], job: Job) -> tuple[str, Link, QrCode]:
    """Make a link and its QR code; in a thread."""
    text = make(job)
    return text, read_link(text), qr_code(text)


def _write(path: Path, code: QrCode, job: Job) -> Path:
    """Write a QR code to a file; in a thread."""
    del job
    with named_by_user():
        write_file(path, code.png() if path.suffix.lower() == ".png" else code.svg())
    return path


def _report(path: Path) -> None:
    notify("info", tr("Saved {file} in {folder}", file=path.name, folder=path.parent))
