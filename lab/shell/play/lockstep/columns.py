"""The columns of the page Side by side: each with its run, its text in colours, and its agreement with the first."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from lab.base.units import bits
from lab.shell.play.choices import RunChoice
from lab.shell.play.picker import RunPicker, Runs
from lab.shell.session.scales import run_colour
from lab.widgets.core.controls import Button, label
from lab.widgets.core.glyphs import glyphs
from lab.widgets.core.i18n import number_text, tr, tr_n
from lab.widgets.core.messages import problem_line
from lab.widgets.core.theme import themes
from lab.widgets.tokens.text import ShownToken, TokenText
from lab.workbench.lockstep.columns import Written
from lab.workbench.lockstep.texts import ColumnText


class ColumnView(QWidget):
    """One column.

    Args:
        runs: The runs among which can be chosen.
    """

    removed = Signal()
    """The user removes the column."""
    picked = Signal(object)
    """The RunChoice that is to have the column."""

    def __init__(self, runs: Runs) -> None:
        super().__init__()
        self._choice: RunChoice | None = None
        self._shows: tuple[ColumnText | None, int] = None, 0  # the text on show, and how many of its tokens
        self.name = label("", "strong")
        self.name.setTextFormat(Qt.TextFormat.RichText)
        self.picker = RunPicker("▾", tr("Choose another run for this column"), runs, takes_others=True)
        self.picker.picked.connect(self.picked)
        self.remove = Button(hint=tr("Remove this column"), icon_name="close")
        self.remove.clicked.connect(lambda: self.removed.emit())
        head = QHBoxLayout()
        head.setSpacing(2)
        head.addWidget(self.name, 1)
        head.addWidget(self.picker)
        head.addWidget(self.remove)
        self.text = TokenText()
        self.note = label("", "note")
        self.note.setWordWrap(True)
        self.problem = label("", "bad")
        self.problem.setWordWrap(True)
        self.problem.hide()
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(4)
        rows.addLayout(head)
        rows.addWidget(self.text, 1)
        rows.addWidget(self.problem)
        rows.addWidget(self.note)
        themes.changed.connect(self._show_name)

    def show_choice(self, choice: RunChoice, *, is_only: bool, works: bool) -> None:
        """Show which run has the column.

        Args:
            choice: The run.
            is_only: Whether it is the only column, which cannot be removed.
            works: Whether the columns write, and cannot be changed.
        """
        self._choice = choice
        self._show_name()
        self.remove.setEnabled(not is_only and not works)
        self.picker.setEnabled(not works)
        self.text.setAccessibleName(tr("Text of {model}", model=choice.name))

    def _show_name(self) -> None:
        if self._choice is None:
            return
        run = self._choice.run
        colour = themes.now.runs[0] if run is None else run_colour(run)
        dot = f'<span style="color:{colour}">●</span>'
        self.name.setText(f"{dot}&nbsp;{html.escape(self._choice.name)}")
        self.name.setToolTip(html.escape(self._choice.name))

    def show_text(self, prompt: str, column: ColumnText | None) -> None:
        """Show what a column wrote, unless it is on show already.

        Args:
            prompt: The prompt.
            column: The text; None of nothing.
        """
        if self._shows != (column, 0 if column is None else len(column.written)):
            self._shows = column, 0
            self.text.clear(prompt)
            if column is not None:
                self.add(column.written)

    def add(self, written: Sequence[Written]) -> None:
        """Append tokens."""
        column, count = self._shows
        self._shows = column, count + len(written)
        self.text.add(list(map(_shown, written)))

    def show_state(self, column: ColumnText | None, at: int) -> None:
        """Show problem and figures.

        Args:
            column: What it wrote; None of nothing.
            at: The index of the column.
        """
        problem = None if column is None else column.problem
        self.problem.setText("" if problem is None else problem_line(problem))
        self.problem.setVisible(problem is not None)
        self.note.setText("" if column is None else _sentence(column, at))


def _shown(written: Written) -> ShownToken:
    piece, found = written.piece, written.agreement
    notes = []
    if found is not None:
        divergence = number_text(bits(found.kl), ".3g") if math.isfinite(found.kl) else "∞"
        overlap = number_text(100 * found.overlap, ".0f")
        notes.append(tr("KL {bits} bits, overlap {share} %", bits=divergence, share=overlap))
    if written.own and found is not None and not found.same_token:
        notes.append(tr("alone it would have chosen {token}", token=glyphs(written.own)))
    if written.uniform is not None:
        notes.append(tr("uniform number {number}", number=number_text(written.uniform, ".4f")))
    return ShownToken(
        piece.label, piece.text, piece.probability, piece.alternatives, piece.entropy, piece.rank, note="\n".join(notes)
    )


def _sentence(column: ColumnText, at: int) -> str:
    """Return the figures of a column as one line."""
    count = len(column.written)
    parts = [tr_n("1 token", "{n} tokens", count), tr("step {n}", n=number_text(column.step))] if count else []
    found = column.summary
    if not column.comparable:
        parts.append(tr("another vocabulary: no KL, goes on by characters"))
    elif found is not None:
        divergence = number_text(bits(found.kl), ".3f") if math.isfinite(found.kl) else "∞"
        parts.append(tr("KL {bits} bits/token", bits=divergence))
        if found.apart is not None:
            parts.append(tr("other text from token {n} on", n=number_text(found.apart - 1)))
    elif not at and count:
        parts.append(tr("the first: the others are compared with it"))
    return " · ".join(parts)


class ColumnRow(QWidget):
    """The columns beside each other.

    Args:
        runs: The runs among which can be chosen.

    Attributes:
        views: The columns.
    """

    removed = Signal(int)
    """The index of the column that the user removes."""
    picked = Signal(int, object)
    """The index of a column, and the RunChoice that is to have it."""

    def __init__(self, runs: Runs) -> None:
        super().__init__()
        self._runs = runs
        self.views: list[ColumnView] = []
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(10)

    def show_choices(self, choices: Sequence[RunChoice], *, works: bool) -> None:
        """Show the runs of the columns; columns are added and removed at the end."""
        while len(self.views) > len(choices):
            view = self.views.pop()
            self._row.removeWidget(view)
            view.hide()
            view.deleteLater()
        while len(self.views) < len(choices):
            view = ColumnView(self._runs)
            view.removed.connect(partial(self._remove, view))
            view.picked.connect(partial(self._pick, view))
            self.views.append(view)
            self._row.addWidget(view, 1)
        for view, choice in zip(self.views, choices, strict=True):
            view.show_choice(choice, is_only=len(choices) == 1, works=works)

    def _remove(self, view: ColumnView) -> None:
        self.removed.emit(self.views.index(view))

    def _pick(self, view: ColumnView, choice: RunChoice) -> None:
        self.picked.emit(self.views.index(view), choice)
