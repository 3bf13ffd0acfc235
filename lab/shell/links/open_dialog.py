"""The dialog that opens a link: it shows what is in it, and makes it the configuration only when that is confirmed."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase, QTextOption
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from lab.base.last_folder import last_folder, remember_folder
from lab.base.notices import notify
from lab.base.problems import Problem
from lab.base.units import short
from lab.recipes import Link, Recipe, is_link
from lab.shell.links.preview import Preview, preview_of
from lab.shell.session.session import Session
from lab.widgets.core.controls import Button, label, refresh_style
from lab.widgets.core.i18n import localized, tr
from lab.widgets.core.messages import message_text, problem_line
from lab.widgets.core.overlay import Overlay
from lab.widgets.core.theme import STEP
from lab.workbench.exchange.link import is_same_corpus

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.workbench.launch.preflight import Preflight

WIDTH = 560
FACTS = 8
"""Most facts about a link, with its size."""
LINES, CHANGES = 5, 132
"""Lines of the field, and height in pixels of the longest list of changes that needs no scrolling."""


class LinkDialog(Overlay):
    """A dialog that shows the content of a link, and makes its recipe the configuration.

    Args:
        window: The window over which it opens.
        session: The session with the configuration.

    Attributes:
        field: The field for the link.
        agree: The button that makes the recipe the configuration.
        choose: The button that asks for the text of the link.
    """

    def __init__(self, window: QWidget, session: Session) -> None:
        super().__init__(window, tr("Open a link"))
        self._session = session
        self._preview: Preview | None = None
        self._number = 0
        title, note = tr("Open a link"), tr("Nothing is started. The recipe replaces the configuration when you agree.")
        self._note = label(note, "dim")
        self._note.setWordWrap(True)
        self.field = QPlainTextEdit()
        self.field.setAccessibleName(tr("Link"))
        self.field.setPlaceholderText(tr("Paste a link that starts with lmlab:"))
        self.field.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.field.setWordWrapMode(QTextOption.WrapMode.WrapAnywhere)
        self.field.setTabChangesFocus(True)
        self.field.setFixedHeight(LINES * self.field.fontMetrics().lineSpacing() + 24)
        self.field.textChanged.connect(self._read)
        self._refused = label("", "bad")
        self._refused.setWordWrap(True)
        self._make_facts()
        self._changes_title = label("", "strong")
        self._changes = label("")
        self._changes.setWordWrap(True)
        self._changes.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setWidget(self._changes)
        self._scroll.setAccessibleName(tr("Differences from the configuration"))
        self.choose = Button(tr("Select its text…"), hint=tr("Select its text: the file that the link names"), role="")
        self.choose.clicked.connect(self._choose_text)
        cancel = Button(tr("Cancel"), role="")
        cancel.clicked.connect(self.shut)
        self.agree = Button(tr("Use as configuration"), role="primary")
        self.agree.clicked.connect(self._take)
        buttons = QHBoxLayout()
        buttons.setSpacing(2 * STEP)
        buttons.addWidget(self.choose)
        buttons.addStretch(1)
        buttons.addWidget(cancel)
        buttons.addWidget(self.agree)
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(5 * STEP, 4 * STEP, 5 * STEP, 4 * STEP)
        self._rows.setSpacing(2 * STEP)
        parts = (label(title, "title"), self._note, self.field, self._refused, self._grid)
        for widget in (*parts, self._changes_title, self._scroll):
            self._rows.addWidget(widget)
        self._rows.addSpacing(STEP)
        self._rows.addLayout(buttons)

    def _make_facts(self) -> None:
        self._grid = QWidget()
        rows = QGridLayout(self._grid)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setHorizontalSpacing(4 * STEP)
        rows.setVerticalSpacing(STEP)
        rows.setColumnStretch(1, 1)
        self._facts: list[tuple[QLabel, QLabel]] = []
        for row in range(FACTS):
            pair = label("", "dim"), label("")
            pair[1].setWordWrap(True)
            for column, part in enumerate(pair):
                rows.addWidget(part, row, column, Qt.AlignmentFlag.AlignTop)
            self._facts.append(pair)

    def ask(self) -> None:
        """Open the dialog, with the link in the clipboard if there is one."""
        text = QApplication.clipboard().text()
        self.open(text if is_link(text) else "")

    def open(self, text: str) -> None:
        """Open the dialog, and show the content of a link; "" for an empty field."""
        self.field.blockSignals(True)
        self.field.setPlainText(text.strip())
        self.field.blockSignals(False)
        self._read()
        self.show_over(self.agree if self.agree.isEnabled() else self.field)

    def shut(self) -> None:
        """Close the dialog; what is being computed is not shown any more."""
        self._number += 1
        super().shut()

    def place(self) -> None:
        """Place it in the upper middle of the window."""
        width = min(WIDTH, self._window.width() - 40)
        height = min(self._rows.totalHeightForWidth(width), self._window.height() - 20)
        self.setGeometry((self._window.width() - width) // 2, (self._window.height() - height) // 3, width, height)

    def _read(self) -> None:
        """Show the content of the field."""
        self._number += 1
        text = self.field.toPlainText()
        found = preview_of(text, self._session.plugins, self._session.draft.recipe) if text.strip() else None
        self._preview = found if isinstance(found, Preview) else None
        self._refused.setText(problem_line(found) if isinstance(found, Problem) else "")
        self._show()

    def _show(self, size: str = "") -> None:
        """Show the preview, or only the field."""
        preview = self._preview
        facts = [] if preview is None else list(preview.facts)
        if preview is not None and preview.recipe is not None and preview.is_local and not size:
            size = tr("computing…")
            self._compute_size(preview.recipe)
        if size:
            facts.append((tr("Size"), size))
        for index, pair in enumerate(self._facts):
            for part, text in zip(pair, facts[index] if index < len(facts) else ("", ""), strict=True):
                part.setText(text)
                part.setVisible(index < len(facts))
        changes = [] if preview is None else preview.changes
        count = len(changes)
        self._changes_title.setText(
            tr("{n} settings differ from the configuration", n=count) if count != 1 else
            tr("1 setting differs from the configuration")
        )  # fmt: skip
        self._changes.setText("\n".join(changes))
        self._scroll.setFixedHeight(min(CHANGES, self._changes.heightForWidth(WIDTH - 12 * STEP) + 4))
        missing = "" if preview is None else preview.missing
        if preview is not None and not size:
            needed = tr("The text {name} is not known on this machine. Select it to use the recipe.", name=missing)
            self._refused.setText(needed if missing else "")
        self._refused.setVisible(bool(self._refused.text()))
        refresh_style(self.field, "state", "bad" if preview is None and self._refused.text() else "")
        self._grid.setVisible(preview is not None)
        self._changes_title.setVisible(preview is not None)
        self._scroll.setVisible(bool(changes))
        self.choose.setVisible(bool(missing))
        self.agree.setEnabled(preview is not None and not missing)
        self.place()

    def _compute_size(self, recipe: Recipe) -> None:
        work = partial(_cost, self._session, recipe)
        done, failed = partial(self._show_size, self._number), partial(self._show_no_size, self._number)
        self._session.background.run(tr("Computing the size of the model"), work, done, failed, replaces="link size")

    def _show_size(self, number: int, cost: Preflight) -> None:
        if number == self._number:
            self._show(tr("{n} parameters", n=localized(short(cost.parameters))))

    def _show_no_size(self, number: int, problem: Problem) -> None:
        if number == self._number:
            self._show(tr("unknown: {why}", why=message_text(problem.what)))

    def _choose_text(self) -> None:
        preview = self._preview
        if preview is None:
            return
        title = tr("Select the text {name}", name=preview.missing)
        file, _ = QFileDialog.getOpenFileName(self._window, title, str(last_folder()), tr("All files (*)"))
        if file:
            remember_folder(Path(file).parent)
            self._preview = found = preview.with_text(Path(file))
            self._refused.setText("")
            self._show()
            self.agree.setFocus()
            assert found.recipe is not None
            work = partial(_is_same, self._session, found.link, found.recipe)
            done, failed = partial(self._show_comparison, self._number), partial(self._show_unreadable, self._number)
            self._session.background.run(tr("Reading {name}", name=Path(file).name), work, done, failed)

    def _show_comparison(self, number: int, is_same: bool) -> None:
        if number == self._number and not is_same:
            self._refused.setText(tr("This is another text than that of the link, so losses cannot be compared."))
            self._refused.show()
            self.place()

    def _show_unreadable(self, number: int, problem: Problem) -> None:
        if number == self._number:
            self._refused.setText(problem_line(problem))
            self._refused.show()
            self.place()

    def _take(self) -> None:
        preview = self._preview
        if preview is None or preview.recipe is None:
            return
        self.shut()
        if self._session.take(preview.recipe, preview.name):
            notify("info", tr("{title} is the configuration now", title=preview.name))


def _cost(session: Session, recipe: Recipe, job: Job) -> Preflight:
    """Compute the cost of a recipe; in a thread."""
    del job
    return session.workbench.preflight(recipe)


def _is_same(session: Session, link: Link, recipe: Recipe, job: Job) -> bool:
    """Compare the text that was selected with that of the link; in a thread."""
    del job
    return is_same_corpus(link, recipe, session.plugins)
