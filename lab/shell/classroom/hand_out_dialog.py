"""The dialog that hands out the configuration: its title, and the instructions that a class reads."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QPlainTextEdit, QWidget

from lab.base.last_folder import last_folder, remember_folder
from lab.base.notices import notify
from lab.base.units import short
from lab.host import Plugins
from lab.recipes import Recipe
from lab.runs.records import BUNDLE
from lab.shell.classroom.job_dialog import JobDialog
from lab.shell.runtime.background import Background
from lab.shell.runtime.export_files import file_name, unused
from lab.shell.session.draft import shown_title
from lab.widgets.core.controls import Button, label
from lab.widgets.core.i18n import enumerated, localized, tr, tr_registered
from lab.widgets.core.theme import STEP
from lab.workbench.classroom.hand_out import Contents, HandOut, contents_of, write_hand_out
from lab.workbench.launch.known_corpora import is_downloaded

if TYPE_CHECKING:
    from lab.base.jobs import Job

WIDTH, LINES = 600, 9
"""Width in pixels, and lines of the instructions."""


class HandOutDialog(JobDialog):
    """A dialog that writes a recipe, its text, its plugins and a page of instructions to one file.

    Args:
        window: The window over which it opens.
        background: Writes in a thread.
        plugins: The plugins, of which those are packed that the recipe needs.

    Attributes:
        title: The field for the title.
        page: The field for the instructions.
        explain: The button that asks for the help.
        agree: The button that asks for the file.
    """

    help_requested = Signal()
    """The page of the help about a class is to be shown."""

    def __init__(self, window: QWidget, background: Background, plugins: Plugins) -> None:
        super().__init__(window, tr("Hand out the configuration"), background)
        self._plugins = plugins
        self._recipe: Recipe | None = None
        note = tr(
            "Writes the configuration for a class to one file. Students open it with a double click; "
            "nothing in it runs by itself."
        )
        self._note, self._held = label(note, "dim"), label("")
        for each in (self._note, self._held):
            each.setWordWrap(True)
        self.title, self.page = QLineEdit(), QPlainTextEdit()
        self.title.setMaxLength(100)
        self.title.setAccessibleName(tr("Title"))
        self.page.setAccessibleName(tr("Instructions"))
        self.page.setPlaceholderText(tr("What the class is to do, as plain text or Markdown"))
        self.page.setTabChangesFocus(True)
        self.page.setFixedHeight(LINES * self.page.fontMetrics().lineSpacing() + 24)
        self.explain = Button(tr("Help"), hint=tr("Show the page of the help about a class"), role="")
        self.explain.clicked.connect(self.help_requested)
        cancel = Button(tr("Cancel"), role="")
        cancel.clicked.connect(self.shut)
        self.agree = Button(tr("Save…"), hint=tr("Select the file that is handed out"), role="primary")
        self.agree.clicked.connect(self._save)
        buttons = QHBoxLayout()
        buttons.setSpacing(2 * STEP)
        buttons.addWidget(self.explain)
        buttons.addStretch(1)
        buttons.addWidget(cancel)
        buttons.addWidget(self.agree)
        widgets = (
            label(tr("Hand out the configuration"), "title"), self._note, label(tr("Title"), "dim"), self.title,
            label(tr("Instructions"), "dim"), self.page, self._held, self._refused,
        )  # fmt: skip
        for widget in widgets:
            self._rows.addWidget(widget)
        self._rows.addSpacing(STEP)
        self._rows.addLayout(buttons)

    def ask(self, recipe: Recipe) -> None:
        """Ask for title and instructions of a recipe; those that were entered before stay."""
        self._recipe = recipe
        self.title.setText(shown_title(recipe.title))
        self._held.setText(tr("Checking what the file will contain …"))
        self._show("")
        self.show_over(self.page)
        self._work(tr("Checking what a hand-out will contain"), partial(_look, recipe, self._plugins), self._take)

    def place(self) -> None:
        """Place it in the upper middle of the window."""
        self._place_above(WIDTH, self._rows.totalHeightForWidth)

    def _take(self, held: Contents, is_open: bool) -> None:
        """Say what the file will hold, with its sizes."""
        if not is_open or self._recipe is None:
            return
        parts = [tr("the settings of the form")]
        parts += [tr("the text {name} ({size}B)", name=one.path.name, size=localized(short(one.size)))
                  for one in held.corpus]  # fmt: skip
        parts += [tr("the plugin {name} ({size}B)", name=one.path.name, size=localized(short(one.size)))
                  for one in held.plugins]  # fmt: skip
        parts.append(tr("your instructions"))
        lines = [tr("It will contain {parts}", parts=enumerated(parts))]
        if not held.corpus:
            corpus = self._plugins.cards("corpora").get(held.recipe.corpus.name)
            name = held.recipe.corpus.name if corpus is None else tr_registered(corpus.title)
            lines.append(
                tr("Each machine of the class has to download the corpus {name} itself", name=name)
                if is_downloaded(held.recipe)
                else tr("The corpus {name} needs no file", name=name)
            )
        lines += [tr("The machines of the class also need the package {name}", name=name) for name in held.packages]
        self._held.setText("\n".join(f"{line}." for line in lines))
        self.place()

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
        self._work(tr("Writing {file}", file=path.name), work, self._written)

    def _written(self, made: HandOut, is_open: bool) -> None:
        notify("info", tr("Saved {file} in {folder}", file=made.file.name, folder=made.file.parent))
        for package in made.packages:
            notify("warning", tr("The machines of the class also need the package {name}", name=package))
        if is_open:
            self.shut()

    def _show(self, refused: str) -> None:
        self.agree.setEnabled(True)
        self._held.setVisible(not refused)
        super()._show(refused)


def _look(recipe: Recipe, plugins: Plugins, job: Job) -> Contents:
    """Return what a hand-out will hold; in a thread, as its files may be far away."""
    del job
    return contents_of(recipe, plugins)


def _write(file: Path, recipe: Recipe, plugins: Plugins, title: str, page: str, job: Job) -> HandOut:
    """Write a hand-out; in a thread."""
    del job
    return write_hand_out(file, recipe, plugins, title=title, instructions=page)
