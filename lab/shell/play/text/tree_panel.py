"""The tree of what was written with a run: prompts, and below them the pieces of text with their log-probabilities."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from lab.shell.play.text.shown import writer_of
from lab.widgets.core.controls import Button, label
from lab.widgets.core.glyphs import glyphs
from lab.widgets.core.i18n import number_text, tr, tr_n
from lab.widgets.core.theme import themes, token_font
from lab.workbench.texts.tree import ROOT, Node, TextTree, is_typed, log_probability

EXCERPT = 120
"""Most characters of a piece of text in its row."""
WHERE = Qt.ItemDataRole.UserRole


class _Tree(QTreeWidget):
    """The rows."""

    deleted = Signal()
    """The user wants to delete the current row."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete the current row by the key for it."""
        if event.key() == Qt.Key.Key_Delete:
            self.deleted.emit()
        else:
            super().keyPressEvent(event)


class TreePanel(QWidget):
    """The tree, with buttons that compare two of its texts or delete one."""

    picked = Signal(object, int)
    """The tree, and the number of the node in it whose text the user wants to see."""
    deleted = Signal(object, int)
    """The tree, and the number of the node in it that the user deletes with all that continues it."""
    compared = Signal(object)
    """[(tree, number), (tree, number)] of two texts."""

    def __init__(self) -> None:
        super().__init__()
        self._trees: list[TextTree] = []
        self._shown = (TextTree(""), ROOT)
        self._items: dict[tuple[TextTree, int], QTreeWidgetItem] = {}
        self._signature: object = None
        self.view = _Tree()
        self.view.setAccessibleName(tr("Texts that were written"))
        self.view.setHeaderLabels([tr("text"), tr("tokens"), tr("ln p"), tr("bits/token")])
        self.view.setSelectionMode(QTreeWidget.SelectionMode.ExtendedSelection)
        self.view.setUniformRowHeights(True)
        self.view.setTabKeyNavigation(False)
        self.view.headerItem().setTextAlignment(0, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head = self.view.header()
        head.setStretchLastSection(False)
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in range(1, 4):
            head.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
            self.view.headerItem().setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.view.itemSelectionChanged.connect(self._choose)
        self.view.deleted.connect(self._delete)
        self._count = label("", "note")
        self.compare = Button(tr("Compare two"), hint=tr("Show two selected texts beside each other"))
        self.compare.clicked.connect(self._compare)
        self.delete = Button(tr("Delete"), hint=tr("Delete this text and all that continues it (Delete)"))
        self.delete.clicked.connect(self._delete)
        foot = QHBoxLayout()
        foot.addWidget(self._count, 1)
        foot.addWidget(self.compare)
        foot.addWidget(self.delete)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(4)
        rows.addWidget(self.view, 1)
        rows.addLayout(foot)
        themes.changed.connect(self._fit_type)
        self._offer()

    def show_trees(self, trees: Sequence[TextTree], shown: tuple[TextTree, int]) -> None:
        """Show the trees of a run.

        Args:
            trees: The trees, the one used last at the end.
            shown: The tree and the node of the text on show, whose row is selected.
        """
        self._trees, self._shown = list(trees), shown
        signature = [(id(tree), len(tree.nodes), max(tree.nodes)) for tree in trees]
        with QSignalBlocker(self.view):
            if signature != self._signature:
                self._signature = signature
                self._fill()
                for item in self._items.values():
                    self._show_figures(item)
            elif shown in self._items:
                self._show_figures(self._items[shown])  # a text that grows
            self._select_shown()
        self._offer()

    def _fill(self) -> None:
        """Make the rows; those that were folded stay folded."""
        folded = {where for where, item in self._items.items() if not item.isExpanded() and item.childCount()}
        self._items = {}
        self.view.clear()
        for at, tree in reversed(list(enumerate(self._trees))):
            top = self._row(at, ROOT, glyphs(tree.prompt[-EXCERPT:]))
            self.view.addTopLevelItem(top)
            self._items[tree, ROOT] = top
            for node, _ in tree.rows():
                item = self._items[tree, node.number] = self._row(at, node.number, "")
                self._items[tree, node.parent if node.parent is not None else ROOT].addChild(item)
        for where, item in self._items.items():
            item.setExpanded(where not in folded)

    def _row(self, tree: int, number: int, text: str) -> QTreeWidgetItem:
        item = QTreeWidgetItem([text, "", "", ""])
        item.setData(0, WHERE, (tree, number))
        item.setFont(0, token_font())
        for column in range(1, 4):
            item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return item

    def _show_figures(self, item: QTreeWidgetItem) -> None:
        """Show text and figures of a node."""
        tree, number = self._of(item)
        node = tree.nodes[number]
        if number == ROOT:
            return
        item.setText(0, glyphs(node.text[:EXCERPT]))
        item.setToolTip(0, _author(node))
        tokens, total = node.tokens, log_probability(node.pieces)
        item.setText(1, number_text(tokens))
        item.setText(2, number_text(total, ".1f").replace("-", "−") if tokens else "")
        item.setText(3, number_text(-total / tokens / math.log(2), ".2f") if tokens else "")

    def _select_shown(self) -> None:
        if len(self.view.selectedItems()) > 1:  # two are being compared
            return
        item = self._items.get(self._shown)
        if item is not None and item.isSelected():
            return
        self.view.clearSelection()
        if item is not None:
            self.view.setCurrentItem(item)
            item.setSelected(True)

    def _of(self, item: QTreeWidgetItem) -> tuple[TextTree, int]:
        at, number = item.data(0, WHERE)
        return self._trees[at], number

    def _selected(self) -> list[tuple[TextTree, int]]:
        return [self._of(item) for item in self.view.selectedItems()]

    def _choose(self) -> None:
        self._offer()
        selected = self._selected()
        if len(selected) == 1:
            self.picked.emit(*selected[0])

    def _compare(self) -> None:
        self.compared.emit(self._selected())

    def _delete(self) -> None:
        selected = self._selected()
        if len(selected) == 1:
            self.deleted.emit(*selected[0])

    def _offer(self) -> None:
        selected = self._selected()
        self.compare.setEnabled(len(selected) == 2)
        self.delete.setEnabled(len(selected) == 1)
        count = sum(len(tree.nodes) - 1 for tree in self._trees)
        self._count.setText(
            tr_n("1 piece of text", "{n} pieces of text", count) if count else tr("Nothing is written yet")
        )

    def _fit_type(self) -> None:
        for item in self._items.values():
            item.setFont(0, token_font())


def _author(node: Node) -> str:
    """Return who wrote a node."""
    if not node.tokens:
        return tr("written by hand")
    return writer_of(node.author, next(piece for piece in reversed(node.pieces) if not is_typed(piece)))
