"""The dialog that shows what a teacher handed out; nothing is started, and no plugin runs before it is trusted."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QTextBlockFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import QHBoxLayout, QLabel, QTextBrowser, QWidget

from lab.base.units import short
from lab.host import Plugins, PluginState
from lab.runs.bundle_file import BundledFile
from lab.shell.classroom.job_dialog import JobDialog
from lab.shell.session.session import Session
from lab.widgets.core.controls import Button, label
from lab.widgets.core.i18n import localized, tr
from lab.widgets.core.theme import STEP
from lab.workbench.classroom.hand_out import HandOut, add_plugin, plugin_here, unpack_hand_out

if TYPE_CHECKING:
    from lab.base.jobs import Job

WIDTH, LEAST_PAGE = 680, 120
"""Width, and least height of the instructions, in pixels."""


class OpenedDialog(JobDialog):
    """A dialog with the instructions of a hand-out and what it holds.

    Args:
        window: The window over which it opens.
        session: The session, whose configuration the recipe becomes.

    Attributes:
        page: The instructions.
        trust: The button that adds and enables the plugins.
        agree: The button that makes the recipe the configuration.
    """

    plugins_changed = Signal()
    """Plugins were enabled, and other cards are available."""

    def __init__(self, window: QWidget, session: Session) -> None:
        super().__init__(window, tr("Handed out"), session.background)
        self._session = session
        self._hand_out: HandOut | None = None
        self._title, self._held = label("", "title"), label("", "dim")
        self._plugins = label("")
        for each in (self._title, self._held, self._plugins):
            each.setWordWrap(True)
        self._plugins.setTextFormat(Qt.TextFormat.PlainText)
        self._title.setTextFormat(Qt.TextFormat.PlainText)
        self._held.setTextFormat(Qt.TextFormat.PlainText)
        self.page = _Page()
        self.trust = Button(tr("Trust and enable the plugins"), role="")
        self.trust.clicked.connect(self._enable)
        cancel = Button(tr("Cancel"), role="")
        cancel.clicked.connect(self.shut)
        self.agree = Button(tr("Use as configuration"), role="primary")
        self.agree.clicked.connect(self._take)
        buttons = QHBoxLayout()
        buttons.setSpacing(2 * STEP)
        buttons.addWidget(self.trust)
        buttons.addStretch(1)
        buttons.addWidget(cancel)
        buttons.addWidget(self.agree)
        for widget in (self._title, self._held):
            self._rows.addWidget(widget)
        self._rows.addWidget(self.page, 1)
        for text in (self._plugins, self._refused):
            self._rows.addWidget(text)
        self._rows.addSpacing(STEP)
        self._rows.addLayout(buttons)

    def open(self, hand_out: HandOut) -> None:
        """Show a hand-out."""
        self._hand_out = hand_out
        self._title.setText(hand_out.title)
        self.page.show_markdown(hand_out.instructions)
        self._show("")
        self.show_over(self.agree if not self.trust.isEnabled() else self.page)

    def place(self) -> None:
        """Place it in the middle of the window, with as much of the instructions as there is room for."""
        self._place_above(WIDTH, self._height_for)

    def _height_for(self, width: int) -> int:
        inner = width - 10 * STEP
        texts: Sequence[QLabel] = (self._title, self._held, self._plugins, self._refused)
        others = sum(text.heightForWidth(inner) + 2 * STEP for text in texts if not text.isHidden())
        wanted = others + self.agree.sizeHint().height() + 14 * STEP
        wanted += 0 if self.page.isHidden() else max(LEAST_PAGE, self.page.height_for(inner))
        return min(wanted, self._window.height() - 40)

    def _show(self, refused: str) -> None:
        """Show what is in it, which of its plugins run, and a problem."""
        opened = self._hand_out
        if opened is None:
            return
        texts = [tr("the text {name} ({size}B)", name=Path(one.name).name, size=localized(short(one.size)))
                 for one in opened.corpus]  # fmt: skip
        held = ", ".join([tr("a recipe"), *texts])
        nothing = tr("Nothing is started. The recipe replaces the configuration when you agree.")
        self._held.setText(f"{tr('It holds: {parts}.', parts=held)} {nothing}")
        lines = [_plugin_line(one, self._session.plugins) for one in opened.plugins]
        if lines:
            warning = tr("A plugin is a program that can do all that you can. Enable it only if your teacher tells "
                         "you the same digits.")  # fmt: skip
            lines = [warning, *lines]
        lines += [
            tr("It needs the package {name}, which is installed separately.", name=one) for one in opened.packages
        ]
        self._plugins.setText("\n".join(lines))
        self._plugins.setVisible(bool(lines))
        self.trust.setVisible(bool(opened.plugins))
        self.trust.setEnabled(any(not _runs(one, self._session.plugins) for one in opened.plugins))
        self.page.setVisible(bool(opened.instructions))
        self.agree.setEnabled(True)
        super()._show(refused)

    def _enable(self) -> None:
        if self._hand_out is None:
            return
        self.trust.setEnabled(False)
        work = partial(_enable, self._hand_out, self._session.plugins)
        self._work(tr("Enabling plugins"), work, self._enabled)

    def _enabled(self, _result: None, is_open: bool) -> None:
        self.plugins_changed.emit()
        if is_open:
            self._show("")
            self.agree.setFocus()

    def _take(self) -> None:
        if self._hand_out is None:
            return
        self.agree.setEnabled(False)
        work = partial(_unpack, self._hand_out)
        self._work(tr("Unpacking {file}", file=self._hand_out.file.name), work, self._taken)

    def _taken(self, recipe: Path, is_open: bool) -> None:
        if is_open:
            self.shut()
            self._session.open_path(str(recipe))


class _Page(QTextBrowser):
    """A page of a stranger: text with headings and lists, without pictures, and links that open nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "reading")
        self.setOpenLinks(False)
        self.setAccessibleName(tr("Instructions"))

    def show_markdown(self, text: str) -> None:
        """Show a text in Markdown; HTML in it is shown as text."""
        dialect = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
        self.document().setMarkdown(text, dialect)
        spaced = QTextBlockFormat()
        spaced.setBottomMargin(STEP)
        everything = QTextCursor(self.document())
        everything.select(QTextCursor.SelectionType.Document)
        everything.mergeBlockFormat(spaced)
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Load nothing: neither pictures of this machine nor of the network."""
        del kind, name
        return None

    def height_for(self, width: int) -> int:
        """Return the height in pixels of the whole text in a width."""
        self.document().setTextWidth(width)
        return int(self.document().size().height()) + 2 * STEP


def _plugin_line(entry: BundledFile, plugins: Plugins) -> str:
    """Return name, state and hash of a plugin."""
    name, is_on = Path(entry.name).name, _runs(entry, plugins)
    state = tr("enabled") if is_on else tr("not enabled")
    return tr("{name} ({state}), SHA-256 {digits}", name=name, state=state, digits=entry.sha256)


def _runs(entry: BundledFile, plugins: Plugins) -> bool:
    """Return True if a plugin is in the plugins folder and runs."""
    name = plugin_here(entry, plugins)
    return any(info.name == name and info.state == PluginState.ON for info in plugins.listed())


def _enable(hand_out: HandOut, plugins: Plugins, job: Job) -> None:
    """Add and enable the plugins of a hand-out; in a thread."""
    del job
    for entry in hand_out.plugins:
        plugins.enable(add_plugin(hand_out, entry.name, plugins), load=True)


def _unpack(hand_out: HandOut, job: Job) -> Path:
    """Unpack a hand-out; in a thread."""
    del job
    return unpack_hand_out(hand_out)
