"""The text of Play with its tools: colours, editing, undo, the table, the tree of branches and their comparison."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from lab.shell.play.text.comparison import TextComparison
from lab.shell.play.text.document import Document
from lab.shell.play.text.shown import names_of, shown, writers_of
from lab.shell.play.text.token_table import TokenTable
from lab.shell.play.text.tree_panel import TreePanel
from lab.widgets.core.controls import Button, MenuButton, label
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import number_text, tr
from lab.widgets.core.splitter import Splitter
from lab.widgets.core.theme import themes, token_font
from lab.widgets.tokens.surprisal import (
    DIFFERENCE,
    ENTROPY,
    PROBABILITY,
    RANK,
    SURPRISAL,
    WRITER,
    SurprisalLegend,
    writer_colour,
)
from lab.widgets.tokens.text import ShownToken, TokenText
from lab.workbench.access.generation import Piece
from lab.workbench.texts.tree import TextTree


class TextPages(QWidget):
    """The text, or what stands in its place; its tools; the tree below it.

    Attributes:
        text: The text in colours.
        editor: The text while it is edited.
        table: The numbers of its tokens.
        tree: What was written with the run.
        comparison: Two texts.
        speed: A note at the foot.
        differences: The difference of each token to another run, in bits; None while the colours measure another thing.
    """

    selected = Signal(int)
    """The index of the token that the user selected, or -1."""
    wants = Signal(str)
    """"undo", "redo" or "continue"."""
    edited = Signal(str)
    """The whole text as the user edited it."""
    exported = Signal(str)
    """The kind of file into which the user exports the text: "csv", "json" or "html"."""
    quantity_changed = Signal()
    """The colours measure something else."""

    def __init__(self) -> None:
        super().__init__()
        self._document = Document()
        self._has_text = self._can_edit = False
        self._numbers: dict[str, int] = {}  # of the writers of the text
        self._follow_go_on: list[QWidget] = []  # tools that are offered together with Continue
        self._make_tools()
        self.nothing = label(tr("Generated text appears here, coloured by surprisal."), "dim")
        self.nothing.setWordWrap(True)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.text = TokenText()
        self.text.selected.connect(self._select)
        self.editor = QPlainTextEdit()
        self.editor.setAccessibleName(tr("The text, to be edited"))
        self.editor.setAcceptDrops(False)  # the window opens what is dropped
        self.editor.setTabChangesFocus(True)
        follow_type(self.editor, lambda editor: editor.setFont(token_font()))
        escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self.editor)
        escape.setContext(Qt.ShortcutContext.WidgetShortcut)
        escape.activated.connect(self._leave_editor)
        self.table = TokenTable()
        self.table.selected.connect(self._select_row)
        self.comparison = TextComparison()
        self.comparison.closed.connect(self._show_page)
        self._pages = QStackedWidget()
        for page in (self.nothing, self.text, self.editor, self.table, self.comparison):
            self._pages.addWidget(page)
        self.tree = TreePanel()
        self.tree.compared.connect(self._compare)
        self.tree.hide()
        self.split = Splitter(Qt.Orientation.Vertical)
        self.split.addWidget(self._pages)
        self.split.addWidget(self.tree)
        self.split.setStretchFactor(0, 3)
        self.split.setStretchFactor(1, 2)
        self.split.setSizes([360, 200])
        self._make_foot()
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(8)
        rows.addWidget(self._tools)
        rows.addWidget(self.split, 1)
        rows.addWidget(self._foot)
        rows.addWidget(self._difference_note)
        self._show_page()

    def _make_tools(self) -> None:
        self.undo = Button(hint=tr("Show the text before"), icon_name="undo")
        self.redo = Button(hint=tr("Show the text after"), icon_name="redo")
        self.undo.clicked.connect(lambda: self.wants.emit("undo"))
        self.redo.clicked.connect(lambda: self.wants.emit("redo"))
        self.go_on = Button(tr("Continue"), hint=tr("Let the model continue the text on show"))
        self.go_on.clicked.connect(self._continue)
        self.edit = Button(tr("Edit"), hint=tr("Edit the text anywhere; Continue goes on from there"))
        self.edit.setCheckable(True)
        self.edit.toggled.connect(self._toggle_editor)
        self.shows_table = Button(tr("Table"), hint=tr("Show the numbers of each token as a table"))
        self.shows_table.setCheckable(True)
        self.shows_table.toggled.connect(self._show_page)
        self.shows_tree = Button(tr("Tree"), hint=tr("Show all that was written with this run, as a tree of branches"))
        self.shows_tree.setCheckable(True)
        self.shows_tree.toggled.connect(self._toggle_tree)
        kinds = [("csv", tr("table as CSV…")), ("json", tr("all as JSON…")), ("html", tr("page as HTML…"))]
        self.export = MenuButton(tr("Export the text"), kinds, self.exported.emit, face=tr("Export"))
        self._tools = QWidget()
        row = QHBoxLayout(self._tools)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        self._tools_row = row
        for tool in (self.undo, self.redo, self.go_on, self.edit):
            row.addWidget(tool)
        row.addStretch(1)
        for tool in (self.shows_table, self.shows_tree, self.export):
            row.addWidget(tool)

    def add_after_continue(self, tool: QWidget) -> None:
        """Put a tool beside Continue, which can be used whenever that can."""
        self._tools_row.insertWidget(self._tools_row.indexOf(self.go_on) + 1, tool)
        self._follow_go_on.append(tool)
        tool.setEnabled(self.go_on.isEnabled())

    def _make_foot(self) -> None:
        names = {
            SURPRISAL: tr("surprisal"), PROBABILITY: tr("probability"), ENTROPY: tr("entropy"), RANK: tr("rank"),
            DIFFERENCE: tr("difference"),
            WRITER: tr("writer"),
        }  # fmt: skip
        self.quantity = MenuButton(
            tr("What the colours measure"), list(names.items()), self._show_quantity, steady=True
        )
        self.quantity.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._legend = SurprisalLegend(named=False)
        self.writers = label("", "note")
        self.writers.setTextFormat(Qt.TextFormat.RichText)
        self.writers.hide()
        themes.changed.connect(self._show_writers)
        self.speed = label("", "note")
        self._difference_note = label("", "note")
        self._difference_note.setWordWrap(True)
        self._difference_note.hide()
        self.differences: Sequence[float | None] | None = None
        self._foot = QWidget()
        row = QHBoxLayout(self._foot)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.quantity)
        row.addWidget(self._legend)
        row.addWidget(self.writers)
        row.addStretch(1)
        row.addWidget(self.speed)

    # --------------------------------------------------------------------------------------------------------- the text

    def show_text(self, document: Document, prompt: str) -> None:
        """Show the text of a document.

        Args:
            document: The document.
            prompt: The prompt as it stands before the text.
        """
        self._document = document
        self.edit.setChecked(False)
        self.text.clear(prompt)
        self._numbers = {}
        self.text.add(self._shown(0))
        self.table.take(document.tokens)
        self._has_text = True
        self._show_page()

    def add(self, pieces: Sequence[Piece]) -> None:
        """Append tokens to the text."""
        self.text.add(self._shown(len(self._document.tokens) - len(pieces)))
        self.table.add(pieces)

    def _shown(self, start: int) -> list[ShownToken]:
        """Return the tokens of the text from one on, each with its writer; unknown differences are left white."""
        writers = writers_of(self._document, start)
        known = len(self._numbers)
        for name in names_of(self._document, start):
            self._numbers.setdefault(name, len(self._numbers))
        if len(self._numbers) != known or not start:
            self._show_writers()
        tokens = self._document.tokens[start:]
        numbers = self._numbers
        found = [shown(piece, name, numbers.get(name, 0)) for piece, name in zip(tokens, writers, strict=True)]
        return found if self.differences is None else [replace(one, shade=0.0) for one in found]

    def _show_writers(self) -> None:
        """Show the colours of the writers."""
        chips = [
            f'<span style="background:{writer_colour(number)}">&nbsp;&nbsp;&nbsp;</span>&nbsp;{html.escape(name)}'
            for name, number in self._numbers.items()
        ]
        self.writers.setText("&nbsp;&nbsp; ".join(chips))

    def show_nothing(self) -> None:
        """Remove the text."""
        self._has_text = False
        self._show_page()

    def offer(self, trees: Document, *, is_writing: bool, can_edit: bool) -> None:
        """Offer what can be done with the text, and show the tree.

        Args:
            trees: The document of the selected run.
            is_writing: Whether a model writes.
            can_edit: Whether the model continues a text that was edited or branched.
        """
        document = self._document
        self._can_edit = can_edit
        self.undo.setEnabled(document.can_undo and not is_writing)
        self.redo.setEnabled(document.can_redo and not is_writing)
        for tool in (self.go_on, self.edit, *self._follow_go_on):
            tool.setEnabled(self._has_text and can_edit and not is_writing)
        for tool in (self.export, self.shows_table):
            tool.setEnabled(self._has_text)
        if self.shows_tree.isChecked():
            self.tree.show_trees(trees.trees, (document.tree, document.shown))
        self._tools.setVisible(self._has_text or bool(trees.trees))
        self._foot.setVisible(self._has_text)

    def _show_page(self) -> None:
        """Show the page that the tools ask for."""
        page: QWidget = self.nothing
        if self._has_text:
            page = self.editor if self.edit.isChecked() else self.table if self.shows_table.isChecked() else self.text
        self._pages.setCurrentWidget(page)

    def _select(self, token: int) -> None:
        self.table.mark(token)
        self.selected.emit(token)

    def _select_row(self, token: int) -> None:
        self.text.choose(token)

    def _compare(self, texts: Sequence[tuple[TextTree, int]]) -> None:
        self.comparison.compare([(tree.prompt, tree.pieces(number)) for tree, number in texts])
        self._pages.setCurrentWidget(self.comparison)

    # ---------------------------------------------------------------------------------------------------------- editing

    def _toggle_editor(self, edits: bool) -> None:
        if edits:
            self.editor.setPlainText(self._document.text)
            self.editor.moveCursor(QTextCursor.MoveOperation.End)
            self._show_page()
            self.editor.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        self._show_page()
        if self.editor.document().isModified():
            self.editor.document().setModified(False)
            self.edited.emit(self.editor.toPlainText())

    def _leave_editor(self) -> None:
        """Show the text as it was."""
        self.editor.document().setModified(False)
        self.edit.setChecked(False)

    def _continue(self) -> None:
        self.edit.setChecked(False)
        self.wants.emit("continue")

    # ------------------------------------------------------------------------------------------------------------ views

    def _toggle_tree(self, shows: bool) -> None:
        self.tree.setVisible(shows)
        self.wants.emit("tree")

    def _show_quantity(self, name: str) -> None:
        self._legend.setVisible(name != WRITER)
        self.writers.setVisible(name == WRITER)
        self._legend.show_quantity(name)
        self.text.show_quantity(name)
        self.comparison.show_quantity(name)
        self.quantity_changed.emit()

    def show_differences(self, differences: Sequence[float | None] | None, note: str = "") -> None:
        """Colour the tokens by their difference to another run, with a note; None colours them by the quantity again.

        Tokens without a value have the ground of no difference.
        """
        self.differences = differences
        self.text.shade(differences, lambda value: tr("difference {bits} bits", bits=number_text(value, "+.2f")))
        self._difference_note.setText(note)
        self._difference_note.setVisible(bool(note))

    def state_dict(self) -> dict[str, Any]:
        """Return what is shown."""
        return {
            "colour": self.quantity.value, "table": self.shows_table.isChecked(), "tree": self.shows_tree.isChecked(),
        }  # fmt: skip

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore what `state_dict` returned; what is not known any more is left out."""
        if isinstance(state.get("colour"), str) and self.quantity.offers(state["colour"]):
            self.quantity.pick(state["colour"])
        for name, button in (("table", self.shows_table), ("tree", self.shows_tree)):
            if isinstance(state.get(name), bool):
                button.setChecked(state[name])
