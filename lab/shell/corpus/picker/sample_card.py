"""The card of a sample: figures, and the start of a text or some examples with marked scored tokens."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QTextCharFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QTextEdit, QVBoxLayout, QWidget

from lab.base.problems import Problem
from lab.shell.corpus.picker.sample import Sample
from lab.shell.session.corpus.labels import breakable
from lab.widgets.core.card import Card
from lab.widgets.core.controls import label
from lab.widgets.core.i18n import tr
from lab.widgets.core.messages import problem_line
from lab.widgets.core.theme import Theme, themes, token_font
from lab.widgets.tokens.boundaries import token_grounds

LEAST = 60
"""Least height of the sample in pixels."""
GAP = 4
"""Pixels between two examples."""


class SampleCard(Card):
    """The card of a sample of a corpus."""

    def __init__(self) -> None:
        super().__init__(tr("Sample of the corpus"))
        self.sample: Sample | None = None
        self._figures = QGridLayout()
        self._figures.setContentsMargins(0, 0, 0, 0)
        self._figures.setHorizontalSpacing(16)
        self._figures.setVerticalSpacing(2)
        self._figures.setColumnStretch(1, 1)
        self.view = QTextEdit()
        self.view.setReadOnly(True)
        self.view.setAcceptDrops(False)  # the window opens what is dropped
        self.view.setProperty("role", "reading")
        self.view.setAccessibleName(tr("Sample of the corpus"))
        self.view.setFont(token_font())
        self.view.setTabChangesFocus(True)
        self.view.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.view.document().setDocumentMargin(0)
        self.view.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)  # it scrolls
        self.view.setMinimumHeight(LEAST)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._legend = label(tr("Marked: the scored tokens, each predicted from all tokens before it."), "note")
        self._legend.setWordWrap(True)
        inside = QWidget()
        rows = QVBoxLayout(inside)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(8)
        rows.addLayout(self._figures)
        rows.addWidget(self._legend)
        rows.addWidget(self.view, 1)
        self.set_content(inside)
        themes.changed.connect(self._write)

    def show_sample(self, sample: Sample) -> None:
        """Show a sample."""
        self.sample = sample
        self.set_title(self.title)
        while self._figures.count():
            item = self._figures.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for row, (name, value) in enumerate(sample.figures):
            figure = label(breakable(value))
            figure.setWordWrap(True)
            self._figures.addWidget(label(name, "dim"), row, 0, Qt.AlignmentFlag.AlignTop)
            self._figures.addWidget(figure, row, 1)
        self._legend.setVisible(bool(sample.examples))
        self._write()
        self.show_content()

    def show_waiting(self) -> None:
        """Show that a sample is being made; the previous one stays until it is done."""
        if self.state == "content" and self.sample is not None:
            self.set_title(self.title, tr("updating…"))
        else:
            self.show_none(tr("Making a sample…"))

    def show_none(self, message: str, action: str = "", do: Callable[[], object] | None = None) -> None:
        """Show a message in place of a sample, with a button if there is an action; see `show_empty`."""
        self.sample = None
        self.set_title(self.title)
        self.show_empty(breakable(message), action, do)

    def show_problem(self, problem: Problem) -> None:
        """Show the problem that prevents a sample; an exception of a plugin is shown with its trace."""
        self.show_none(problem_line(problem))
        if problem.trace:
            self.show_broken(problem)

    def _write(self) -> None:
        sample, theme = self.sample, themes.now
        if sample is None:
            return
        self.view.clear()
        cursor = self.view.textCursor()
        quiet, scored = _formats(theme)
        spoken = []
        for number, pieces in enumerate(sample.examples):
            if number:
                cursor.insertBlock()
            block = cursor.blockFormat()
            block.setBottomMargin(GAP)
            cursor.setBlockFormat(block)
            for text, is_scored in pieces:
                cursor.insertText(text, scored if is_scored else quiet)
            spoken.append(" ".join(text for text, is_scored in pieces if is_scored))
        if not sample.examples:
            plain = QTextCharFormat()
            plain.setForeground(QColor(theme.text))
            cursor.insertText(sample.text, plain)
        self.view.moveCursor(QTextCursor.MoveOperation.Start)
        self.view.setAccessibleDescription(tr("Scored: {tokens}", tokens="; ".join(spoken)) if spoken else "")


def _formats(theme: Theme) -> tuple[QTextCharFormat, QTextCharFormat]:
    """Return the formats of unscored and of scored tokens."""
    quiet, scored = QTextCharFormat(), QTextCharFormat()
    quiet.setForeground(QColor(theme.dim))
    scored.setForeground(QColor(theme.text))
    scored.setBackground(QColor(token_grounds(theme)[0]))
    scored.setFontWeight(QFont.Weight.Bold)
    return quiet, scored
