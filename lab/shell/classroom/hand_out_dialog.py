"""The dialog that hands out the configuration: its title, and the instructions that a class reads."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from lab.base.last_folder import last_folder, remember_folder
from lab.base.notices import notify
from lab.base.problems import Problem
from lab.host import Plugins
from lab.recipes import Recipe
from lab.runs.records import BUNDLE
from lab.shell.runtime.background import Background
from lab.shell.runtime.export_files import file_name, unused
from lab.shell.session.draft import shown_title
from lab.widgets.core.controls import Button, label
from lab.widgets.core.i18n import tr
from lab.widgets.core.messages import problem_line
from lab.widgets.core.overlay import Overlay
from lab.widgets.core.theme import STEP
from lab.workbench.classroom.hand_out import HandOut, write_hand_out

if TYPE_CHECKING:
    from lab.base.jobs import Job

WIDTH, LINES = 600, 9
"""Width in pixels, and lines of the instructions."""


class HandOutDialog(Overlay):
    """A dialog that writes a recipe, its text, its plugins and a page of instructions to one file.

    Args:
        window: The window over which it opens.
        background: Writes in a thread.
        plugins: The plugins, of which those are packed that the recipe needs.

    Attributes:
        title: The field for the title.
        page: The field for the instructions.
        agree: The button that asks for the file.
    """

    def __init__(self, window: QWidget, background: Background, plugins: Plugins) -> None:
        super().__init__(window, tr("Hand out the configuration"))
        self._background, self._plugins = background, plugins
        self._recipe: Recipe | None = None
        self._number = 0
        note = tr("One file holds the settings, the text, and plugins of one file. Students open it with a double "
                  "click, and nothing in it runs by itself.")  # fmt: skip
        self._note, self._refused = label(note, "dim"), label("", "bad")
        for each in (self._note, self._refused):
            each.setWordWrap(True)
        self.title, self.page = QLineEdit(), QPlainTextEdit()
        self.title.setMaxLength(100)
        self.title.setAccessibleName(tr("Title"))
        self.page.setAccessibleName(tr("Instructions"))
        self.page.setPlaceholderText(tr("What the class is to do, as plain text or Markdown"))
        self.page.setTabChangesFocus(True)
        self.page.setFixedHeight(LINES * self.page.fontMetrics().lineSpacing() + 24)
        cancel = Button(tr("Cancel"), role="")
        cancel.clicked.connect(self.shut)
        self.agree = Button(tr("Save…"), hint=tr("Select the file that is handed out"), role="primary")
        self.agree.clicked.connect(self._save)
        buttons = QHBoxLayout()
        buttons.setSpacing(2 * STEP)
        buttons.addStretch(1)
        buttons.addWidget(cancel)
        buttons.addWidget(self.agree)
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(5 * STEP, 4 * STEP, 5 * STEP, 4 * STEP)
        self._rows.setSpacing(2 * STEP)
        widgets = (
            label(tr("Hand out the configuration"), "title"), self._note, label(tr("Title"), "dim"), self.title,
            label(tr("Instructions"), "dim"), self.page, self._refused,
        )  # fmt: skip
        for widget in widgets:
            self._rows.addWidget(widget)
        self._rows.addSpacing(STEP)
        self._rows.addLayout(buttons)

    def ask(self, recipe: Recipe) -> None:
        """Ask for title and instructions of a recipe; those that were entered before stay."""
        self._number += 1
        self._recipe = recipe
        self.title.setText(shown_title(recipe.title))
        self._show("")
        self.show_over(self.page)

    def place(self) -> None:
        """Place it in the upper middle of the window."""
        width = min(WIDTH, self._window.width() - 40)
        height = self._rows.totalHeightForWidth(width)
        self.setGeometry((self._window.width() - width) // 2, (self._window.height() - height) // 3, width, height)

    def shut(self) -> None:
        """Close the dialog; what is being written is reported by a notice."""
        self._number += 1
        super().shut()

    def _save(self) -> None:
        title = tr("Save what is handed out")
        start = unused(last_folder() / f"{file_name(self.title.text() or tr('lesson'))}{BUNDLE}")
        kinds = tr("Hand-outs (*.lmlab)")
        file, _ = QFileDialog.getSaveFileName(self._window, title, str(start), kinds)
        if not file or self._recipe is None:
            return
        path = Path(file)
        if path.suffix.lower() != BUNDLE:
            path = unused(path.with_name(path.name + BUNDLE))
        remember_folder(path.parent)
        self.agree.setEnabled(False)
        texts = self.title.text(), self.page.toPlainText()
        work = partial(_write, path, self._recipe, self._plugins, *texts)
        done, failed = partial(self._written, self._number), partial(self._failed, self._number)
        self._background.run(tr("Writing {file}", file=path.name), work, done, failed)

    def _written(self, number: int, made: HandOut) -> None:
        notify("info", tr("Saved {file} in {folder}", file=made.file.name, folder=made.file.parent))
        for package in made.packages:
            notify("warning", tr("The machines of the class need the package {name}, too", name=package))
        if number == self._number:
            self.shut()

    def _failed(self, number: int, problem: Problem) -> None:
        if number == self._number:
            self._show(problem_line(problem))
        else:
            notify("error", problem)

    def _show(self, refused: str) -> None:
        self._refused.setText(refused)
        self._refused.setVisible(bool(refused))
        self.agree.setEnabled(True)
        self.place()


def _write(file: Path, recipe: Recipe, plugins: Plugins, title: str, page: str, job: Job) -> HandOut:
    """Write a hand-out; in a thread."""
    del job
    return write_hand_out(file, recipe, plugins, title=title, instructions=page)
